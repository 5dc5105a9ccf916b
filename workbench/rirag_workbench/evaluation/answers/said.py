"""What an answer says: its statements and quotations, beside its question and what answers it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from generation.statements.answers import Spoken
from generation.statements.words import folded
from generation.text.citation_styles import MARKER
from generation.verify.checks.support import Checked, check_statement
from generation.verify.compare.sources import Source
from generation.verify.verifying import check_statements
from rirag.inputs.answer_records import AnswerRecord, passages_of
from rirag.inputs.gold import Resolve, name_of
from rirag.inputs.questions import Question
from rirag_workbench.refusals import unusable
from search.errors import InputError
from search.models.classifiers import LABELS, EntailmentModel
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
        passages: number of a citation → its passage; what is not here is not known any more.
    """
    sources = {number: Source(number, passage) for number, passage in passages.items()}
    checked = check_statements(record.text, sources, record.question)
    return Said(record, tuple(checked), sources)


@dataclass(frozen=True, slots=True)
class Item:
    """One answer to be measured."""

    key: str
    """The question's ID, or its place among the answers."""
    said: Said
    relevant: frozenset[str] | None = None
    """`ID`s of the relevant passages; empty: nothing answers; None: it is not known."""
    gold: tuple[Passage, ...] = ()
    """Those of them that the index holds."""

    @property
    def record(self) -> AnswerRecord:
        """The answer as its file has it."""
        return self.said.record

    @property
    def refuses(self) -> bool:
        """Whether the answer says that the evidence does not do, or is empty."""
        return self.record.insufficient_evidence or not self.record.text.strip()


def without_questions(answers: Sequence[AnswerRecord]) -> list[Item]:
    """Return answers of which only the files themselves are known."""
    return [Item(_key(one, place), _said(one, {})) for place, one in enumerate(answers, 1)]


def with_questions(
    answers: Sequence[AnswerRecord],
    questions: Iterable[Question],
    resolve: Resolve,
    passages: Mapping[str, Passage],
) -> list[Item]:
    """Return answers with the relevant passages of their questions.

    Args:
        answers: of a file; those to other questions are left out.
    """
    asked = {one.question_id: one for one in questions}
    items: dict[str, Item] = {}
    by_text = {folded(one.text): one.id for one in passages.values()}
    for given in answers:
        answer = _named(given, passages, by_text)
        question = asked.get(answer.question_id or "")
        if question is None:
            continue
        if question.question_id in items:
            message = f"question {question.question_id!r} has two answers; keep one."
            raise InputError(message, answer.source, answer.line, code="evaluation.invalid")
        relevant = [resolve(one) or name_of(one) for one in question.gold]
        gold = tuple(passages[key] for key in relevant if key in passages)
        answer = replace(answer, question=answer.question or question.text)
        items[question.question_id] = Item(
            question.question_id, _said(answer, passages), frozenset(relevant), gold
        )
    if not items:
        raise unusable("evaluation.invalid/other-questions", answers[0].source)
    return list(items.values())


def _named(
    answer: AnswerRecord, held: Mapping[str, Passage], by_text: Mapping[str, str]
) -> AnswerRecord:
    """Return an answer with the `ID`s of the index; files of other tools have only the texts."""

    def key_of(key: str, text: str | None) -> str:
        return key if key in held or not text else by_text.get(folded(text), key)

    cited = tuple(replace(one, id=key_of(one.id, one.text)) for one in answer.cited)
    kept = {key_of(key, text): text for key, text in answer.kept.items()}
    return replace(answer, cited=cited, kept=kept)


def _said(answer: AnswerRecord, held: Mapping[str, Passage]) -> Said:
    """Take an answer apart; the texts of its file count, and the index has those that it lacks."""
    from_index = {one.number: held[one.id] for one in answer.cited if one.id in held}
    own = {one.number for one in answer.cited if one.text is not None}
    if own >= {one.number for one in answer.cited}:
        return said_by(answer, {**passages_of(answer), **from_index})
    return said_by(answer, from_index)


def _key(answer: AnswerRecord, place: int) -> str:
    return answer.question_id or str(place)


Supports = Callable[[Said, Spoken, Sequence[int]], bool]
"""Returns whether the passages of some citations, joined, support a statement."""


def citation_quality(said: Said, supports: Supports) -> tuple[float, float | None] | None:
    """Return recall and precision of an answer's citations; None where it states nothing.

    Precision is None where nothing is cited.

    They are those of ALCE (Gao et al., EMNLP 2023, section 3). Recall is the share of statements
    that the cited passages, joined, support. Precision is the share of citations that are needed:
    the statement is supported, and either the citation alone supports it, or the others without it
    do not.
    """
    # What an answer rightly says to be absent can cite nothing.
    checked = [one for one in said.checked if one.spoken.citations or one.verdict != "supported"]
    if not checked:
        return None
    supported = cited = needed = 0
    for one in checked:
        numbers = one.spoken.citations
        known = all(number in said.sources for number in numbers)
        joined = bool(numbers) and known and supports(said, one.spoken, numbers)
        supported += joined
        cited += len(numbers)
        if joined:
            needed += sum(_is_needed(said, one.spoken, number, supports) for number in numbers)
    return supported / len(checked), needed / cited if cited else None


def _is_needed(said: Said, spoken: Spoken, number: int, supports: Supports) -> bool:
    others = [other for other in spoken.citations if other != number]
    if not others or supports(said, spoken, (number,)):
        return True
    return not supports(said, spoken, others)


def by_words(said: Said, spoken: Spoken, numbers: Sequence[int]) -> bool:
    """Return the verdict of the verifier, which compares words."""
    sources = {number: said.sources[number] for number in numbers}
    alone = replace(spoken, citations=tuple(numbers))
    return check_statement(alone, sources, folded(said.record.question)).verdict == "supported"


def by_model(model: EntailmentModel) -> Supports:
    """Return what asks an entailment model: the passages are the premise."""

    def supports(said: Said, spoken: Spoken, numbers: Sequence[int]) -> bool:
        premise = " ".join(said.sources[number].passage.text for number in numbers)
        row = model.probabilities([(premise, spoken.claim)])[0]
        return LABELS[int(row.argmax())] == "entailment"

    return supports
