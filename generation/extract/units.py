"""Take passages apart into what may be quoted: sentences, and items and rows with their frame."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from generation.extract.margins import UNITS
from generation.statements.forces import DUTIES, StatementKind, kind_of
from generation.statements.passages import Statement, fold, statements_of
from generation.statements.tables import Piece
from generation.statements.units import Unit, units_of
from generation.text.subject import terms_of
from search.records import Hit, Passage
from search.text.analyzer import words

_SUBDIVISION = re.compile(r"(?:[.\s]*\([^()]{1,6}\))+$")
_SIGN = re.compile(
    r"[£$€¥%‰<>=≤≥≠±]|(?<![\w.)])[-−+](?=\s?\d)|(?<=\b[A-Z])[-−+](?![\w-])"  # A+ is a grade
)
_ALIKE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A unit of a passage, with where it is and what speaks for quoting it."""

    hit: int
    """Index of its hit."""
    place: int
    """Index of its statement within the passage."""
    unit: Unit
    kind: StatementKind
    at: float = 0.0
    """Where it is in its passage, from 0 (first) to 1 (last)."""
    heading: frozenset[str] = frozenset()
    """Index terms of title and headings above it."""
    value: float = 0.0
    """Log-odds that it answers the question."""
    odds: float = 1.0
    """Odds that its passage answers, as a part of those of the likeliest one; 1: it is likely."""
    is_named: bool = False
    """Whether the question names its rule by number, or the term that it defines."""
    defines: bool = False
    """Whether its passage defines a term whose meaning nobody asked for."""
    twins: tuple[Candidate, ...] = ()
    """What other hits have that says the same."""

    @property
    def role(self) -> str:
        """What it is about: a lead, an item, or a row of a table."""
        return self.unit.statement.pieces[self.unit.core].role

    @property
    def is_duty(self) -> bool:
        """Whether it obliges, forbids or expects."""
        return self.kind in DUTIES


def rule_of(passage: Passage) -> str:
    """Return the number of the rule that a passage belongs to: `3.5.8` for `3.5.8.(b)`."""
    return _SUBDIVISION.sub("", passage.passage_id.strip())


def units_in(hits: Sequence[Hit]) -> list[Candidate]:
    """Return what may be quoted, in the order of hits and text.

    What three passages begin with, and all go on, is the heading that they share.
    """
    units = [unit for index, hit in enumerate(hits) for unit in _of(index, hit)]
    going_on = {one.hit for one in units if one.place}
    begin = [(one.hit, essence(one.unit.text)) if not one.place else None for one in units]
    times = Counter(one[1] for one in {*begin} if one and one[0] in going_on)
    return [one for one, own in zip(units, begin, strict=True) if not own or times[own[1]] <= 2]


def essence(text: str) -> tuple[str, ...]:
    """Return what two texts must have in common to say the same.

    That is their words and signs in order, without articles, without the `s` of plural and
    possessive, and without punctuation, case and white space. A text without words is its own.
    """
    spelt = _SIGN.sub(lambda sign: f" sign{ord(sign[0])} ", text)
    kept = filter(None, (_ALIKE.get(word, word) for word in words(spelt)))
    return tuple(map(_singular, kept)) or (text,)


def _of(index: int, hit: Hit) -> Iterator[Candidate]:
    """Yield the units of a passage; a question in it is the heading of what answers it."""
    first = statements_of(hit.bearing)[:1]
    asked = [one.text for one in first if one.heading and one.text.endswith("?")]
    heading = terms_of(" ".join((hit.document_title, *hit.breadcrumb, *asked)))
    units = [(at, unit) for at, one in _quotable(hit.bearing) for unit in units_of(one)]
    short = [one for one in units if _longest_piece(one[1]) <= UNITS.longest] or units
    is_named = hit.scores.number is not None or bool(hit.definition)
    defines = hit.passage.kind == "definition" and not is_named
    for number, (place, unit) in enumerate(short[: UNITS.most]):
        kind: StatementKind = "definition" if hit.definition else kind_of(unit.text)
        yield Candidate(index, place, unit, kind, number / max(1, len(short) - 1), heading,
                        is_named=is_named, defines=defines)  # fmt: skip


def _quotable(text: str) -> list[tuple[int, Statement]]:
    """Return place and statement of all but titles; of titles where there is nothing else."""
    statements = statements_of(text) or (Statement((Piece(fold(text), "lead"),)),)
    numbered = list(enumerate(statements))
    stating = [(place, one) for place, one in numbered if not one.heading]
    # What is below a question is no title, however short it is.
    return stating or [one for one in numbered if not one[1].text.endswith("?")] or numbered


def _longest_piece(unit: Unit) -> int:
    pieces = unit.statement.pieces
    return max((pieces[i].words for i in unit.pieces if pieces[i].role != "row"), default=0)


def _singular(word: str) -> str:
    return word.removesuffix("'s").removesuffix("’s").removesuffix("s")
