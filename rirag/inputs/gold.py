"""From the passages that a question file names to the passages of an index."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rirag.inputs.questions import GoldReference, Question
from search.errors import InputError
from search.records import Passage

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
    """Look up every gold passage in the index.

    Raises:
        InputError: the index holds none of them, so nothing could be measured.
    """
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
        raise InputError(
            f"the index has none of the {references:,} relevant passages; check that "
            "the questions belong to the indexed documents.",
            source,
            code="evaluation.invalid",
        )
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
