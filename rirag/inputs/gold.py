"""From the passages that a question file names to the passages of an index; answered questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from rirag.inputs.questions import GoldReference, Question, read_questions
from rirag.refusals import unusable
from search.answered_questions.questions import AnsweredQuestion
from search.records import Passage

if TYPE_CHECKING:
    from search.engines.servers import ServerOptions

Resolve = Callable[[GoldReference], str | None]
"""Returns the `ID` of the passage meant, or None when the index does not hold it."""


@dataclass(frozen=True, slots=True)
class JudgedQuestions:
    """Questions with the IDs of their relevant passages."""

    texts: Mapping[str, str]
    """question_id → question, in the order of the file."""
    relevant: Mapping[str, frozenset[str]]
    """question_id → IDs. Gold that the index lacks stays in, so that it counts as not found."""
    references: int
    """How many references to passages the file holds."""
    missing: int
    """How many of them are not in the index."""


def resolver(passages: Iterable[Passage]) -> Resolve:
    """Return a `Resolve` over passages in index order.

    A (document, number) pair that occurs more than once means its first occurrence.
    """
    ids: set[str] = set()
    first: dict[tuple[str, str], str] = {}
    for passage in passages:
        ids.add(passage.id)
        first.setdefault((passage.document_id, passage.passage_id), passage.id)

    def resolve(reference: GoldReference) -> str | None:
        if reference.id is not None:
            return reference.id if reference.id in ids else None
        return first.get((reference.document_id, reference.passage_id))

    return resolve


def noting_unknown(resolve: Resolve, unknown: set[str]) -> Resolve:
    """Return a `Resolve` that adds the name of each passage that it does not find to a set."""

    def noted(reference: GoldReference) -> str | None:
        found = resolve(reference)
        if found is None:
            unknown.add(name_of(reference))
        return found

    return noted


def resolve_gold(
    questions: Sequence[Question], resolve: Resolve, source: object | None = None
) -> JudgedQuestions:
    """Look up every gold passage in the index."""
    relevant: dict[str, frozenset[str]] = {}
    references = missing = 0
    for question in questions:
        found = {reference: resolve(reference) for reference in question.gold}
        references += len(found)
        missing += sum(passage is None for passage in found.values())
        relevant[question.question_id] = frozenset(
            passage if passage is not None else name_of(reference)
            for reference, passage in found.items()
        )
    if references == missing:
        raise unusable("evaluation.invalid", source, references=references)
    texts = {question.question_id: question.text for question in questions}
    return JudgedQuestions(texts, relevant, references, missing)


def name_of(reference: GoldReference) -> str:
    """Return what stands for a passage that the index lacks."""
    return reference.id or f"{reference.document_id} {reference.passage_id}"


def missing_notes(count: int) -> list[str]:
    """Return what to know where relevant passages are not in the index; nothing if all are."""
    if count == 1:
        return ["1 relevant passage is not in the index; it counts as not found"]
    several = f"{count} relevant passages are not in the index; they count as not found"
    return [several] if count else []


def read_answered_questions(
    files: Sequence[Path], index_url: str, server: ServerOptions | None = None
) -> list[AnsweredQuestion]:
    """Read question files, as `rirag evaluate` reads them.

    Args:
        files: each question of them must name a passage; one that is in several files must
            be the same in all.
        index_url: of the index that holds the passages; looked into for those that a file names
            by document and number.
        server: how to reach an index on a server; None: the environment's `RIRAG_SERVER_*`.
    """
    read = {file: read_questions(file) for file in files}
    resolve = resolver_of(index_url, server)
    known: dict[str, AnsweredQuestion] = {}
    first: dict[str, Path] = {}
    for file, questions in read.items():
        for question in questions:
            one = _known(question, resolve)
            if known.setdefault(one.id, one) != one:
                raise unusable("answered-question.duplicate", file, id=one.id, first=first[one.id])
            first.setdefault(one.id, file)
    return list(known.values())


def _known(question: Question, resolve: Resolve) -> AnsweredQuestion:
    passages = (resolve(gold) or name_of(gold) for gold in question.gold)
    text = " ".join(question.text.split())
    return AnsweredQuestion(question.question_id, text, tuple(dict.fromkeys(passages)))


def resolver_of(index_url: str, server: ServerOptions | None = None) -> Resolve:
    """Return what takes IDs as they are, and looks for documents and numbers in an index.

    The index is opened for the first passage that is named by document and number.
    """

    from search.engines import locate
    from search.records import Filters

    @cache
    def by_number() -> Resolve:
        with closing(locate(index_url, server).open(index_url)) as engine:
            return resolver(passage for _, passage in engine.find(Filters()))

    return lambda gold: gold.id if gold.id is not None else by_number()(gold)
