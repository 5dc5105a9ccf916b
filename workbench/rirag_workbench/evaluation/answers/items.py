"""Answers beside their questions and the passages that are relevant to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from generation.verify.compare.words import folded
from rirag.inputs.answer_records import AnswerRecord, passages_of
from rirag.inputs.gold import Resolve, name_of
from rirag.inputs.questions import Question
from rirag_workbench.evaluation.answers.said import Said, said_by
from search.errors import InputError
from search.records import Passage


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
        questions: with the passages that are relevant to them.
        resolve: from a reference to the `ID` of a passage.
        passages: of the index, by `ID`.

    Raises:
        InputError: no answer belongs to a question, or two belong to the same.
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
        raise InputError(
            "no answer has the QuestionID of a question; check that the files belong together.",
            answers[0].source,
            code="evaluation.invalid",
        )
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
