"""Two files of answers side by side, over the questions that both answer."""

from __future__ import annotations

from rirag.evaluation.answers.measuring import Measured
from rirag.evaluation.significance import Comparison, compare_values
from search.errors import InputError


def compare(measured: Measured, other: Measured) -> list[Comparison]:
    """Compare measure by measure, over the answers that have a value in both files.

    Raises:
        InputError: they have no question in common.
    """
    rows = []
    for name, values in measured.values.items():
        others = other.values.get(name, {})
        common = [question for question in values if question in others]
        if common:
            ours = {question: values[question] for question in common}
            theirs = {question: others[question] for question in common}
            rows.append(compare_values(name, ours, theirs))
    if not rows:
        raise InputError(
            "the two files of answers have no question in common.", code="evaluation.invalid"
        )
    return rows
