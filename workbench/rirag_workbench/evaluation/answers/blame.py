"""At which stage an obligation that an answer does not cover was lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from rirag_workbench.evaluation.answers.items import Item
from rirag_workbench.evaluation.answers.nuggets import Graded

STAGES = {
    "not found": "search did not find its passage",
    "refused": "its passage was found, but the question was refused",
    "filtered": "its passage was found, but the filter dropped it",
    "not cited": "its passage was kept, but the answer does not cite it",
    "not shown": "its passage is cited, but the answer omits the obligation",
    "not known": "the file does not record what was found",
}
"""Stage → what happened there."""


def stage_of(item: Item, passage: str) -> str:
    """Return the stage at which a passage of an answer was lost."""
    record = item.record
    if passage in item.said.cited and not item.refuses:
        return "not shown"
    if passage in record.kept:
        return "refused" if item.refuses else "not cited"
    if record.found is None:
        return "not known"
    if passage not in record.found:
        return "not found"
    return "refused" if item.refuses else "filtered"


def blame(graded: Iterable[tuple[Item, Sequence[Graded]]], *, vital: bool) -> dict[str, int]:
    """Return how many obligations were lost at each stage.

    Args:
        graded: each answer with its nuggets.
        vital: whether only vital ones count.
    """
    lost = Counter(
        stage_of(item, one.nugget.passage)
        for item, nuggets in graded
        for one in nuggets
        if one.coverage != "whole" and (one.nugget.vital or not vital)
    )
    return {stage: lost[stage] for stage in STAGES if lost[stage] or stage != "not known"}
