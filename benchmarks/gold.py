"""Questions with the passages that answer them, in the order in which their file names these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rirag.inputs.gold import resolver
from rirag.inputs.questions import Question
from search.records import Passage


def with_gold(
    questions: Sequence[Question], passages: Mapping[str, Passage]
) -> list[tuple[str, list[Passage]]]:
    """Return the text of each question with its passages; those that the index lacks are left out.

    Args:
        questions: as they were read.
        passages: of the index, by `ID`.
    """
    resolve = resolver(passages.values())
    found = []
    for question in questions:
        ids = (resolve(reference) for reference in question.gold)
        found.append((question.text, [passages[one] for one in ids if one is not None]))
    return found
