"""What an answer says: its statements, its quotations, and how many words it takes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from generation.text.citation_styles import MARKER
from generation.verify.checks.support import Checked
from generation.verify.compare.sources import Source
from generation.verify.compare.words import folded
from generation.verify.verifying import check_statements
from rirag.inputs.answer_records import AnswerRecord
from search.records import Passage
from search.text.analyzer import tokens

FEWEST_WORDS = 4
"""Shorter texts occur by chance: they count as said only where their passage is quoted."""

_MARKUP = re.compile(r"[*#>`|]+")


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words that an answer quotes, each run once however many passages have it."""

    text: str
    """Folded."""
    passages: frozenset[str]
    """`ID`s of the passages cited for it."""

    @property
    def words(self) -> int:
        """How many words it has."""
        return len(self.text.split())


@dataclass(frozen=True)
class Said:
    """An answer taken apart."""

    record: AnswerRecord
    checked: tuple[Checked, ...]
    """Its statements, held against the passages that they cite by their words alone."""
    sources: Mapping[int, Source]
    """Number of a citation → the passage, as far as its text is known."""

    @cached_property
    def folded(self) -> str:
        """All that it says, folded, without citations and markup."""
        return folded(plain(self.record.text))

    @cached_property
    def words(self) -> int:
        """Words of the answer, citations apart."""
        return len(plain(self.record.text).split())

    @cached_property
    def quoted(self) -> tuple[Quoted, ...]:
        """The quotations that the file records; without any, the statements that cite something."""
        found: dict[str, set[str]] = {}
        recorded = [(one.quote, one.id) for one in self.record.cited if one.quote]
        if not recorded or self.record.mode != "extractive":
            recorded = [(text, key) for text, keys in self._claims() for key in keys]
        for text, key in recorded:
            found.setdefault(folded(text), set()).add(key)
        return tuple(Quoted(text, frozenset(ids)) for text, ids in found.items())

    def quotes(self, text: str, passage: str) -> bool:
        """Return whether the answer has words of a passage.

        Fewer than `FEWEST_WORDS` must be quoted from that passage.
        """
        if len(text.split()) >= FEWEST_WORDS:
            return text in self.folded
        return any(passage in one.passages and text in one.text for one in self.quoted)

    def best_share(self, terms: frozenset[str], passage: str) -> float:
        """Return the largest part of some terms that one statement holds, 0 to 1.

        Only statements count that cite the passage or nothing, and that are not contradicted.
        """
        if not terms:
            return 0.0
        return max(
            (
                len(terms & said) / len(terms)
                for said, cited in self._statement_terms
                if not cited or passage in cited
            ),
            default=0.0,
        )

    @cached_property
    def _statement_terms(self) -> list[tuple[frozenset[str], frozenset[str]]]:
        return [
            (frozenset(tokens(one.spoken.claim)), self.ids(one.spoken.citations))
            for one in self.checked
            if one.verdict != "unsupported"
        ]

    def ids(self, numbers: Iterable[int]) -> frozenset[str]:
        """Return the `ID`s of the passages that numbers cite."""
        known = {one.number: one.id for one in self.record.cited}
        return frozenset(known[number] for number in numbers if number in known)

    @cached_property
    def cited(self) -> frozenset[str]:
        """`ID`s of the passages that its statements cite."""
        return self.ids(number for one in self.checked for number in one.spoken.citations)

    def _claims(self) -> list[tuple[str, frozenset[str]]]:
        return [
            (plain(one.spoken.claim), self.ids(one.spoken.citations))
            for one in self.checked
            if one.spoken.citations
        ]


def plain(text: str) -> str:
    """Return an answer without its citations and its markup."""
    return _MARKUP.sub("", MARKER.sub("", text))


def said_by(record: AnswerRecord, passages: Mapping[int, Passage]) -> Said:
    """Take an answer apart.

    Args:
        record: the answer.
        passages: number of a citation → its passage; what is not here is not known any more.
    """
    sources = {number: Source(number, passage) for number, passage in passages.items()}
    checked = check_statements(record.text, sources, record.question)
    return Said(record, tuple(checked), sources)
