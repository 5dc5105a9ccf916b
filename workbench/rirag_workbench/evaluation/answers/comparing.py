"""Two files of answers side by side, over the questions that both answer."""

from __future__ import annotations

from rirag_workbench.evaluation.answers.measuring import Measured
from rirag_workbench.evaluation.significance import Comparison, compare_values
from search.errors import InputError


def compare(measured: Measured, other: Measured) -> list[Comparison]:
    """Compare measure by measure, over the answers that have a value in both files.

    Raises:
        InputError: they have no question in common.
    """
    rows = _rows(measured, other, None)
    if not rows:
        raise InputError(
            "the two files of answers have no question in common.", code="evaluation.invalid"
        )
    return rows


def compare_by_class(measured: Measured, other: Measured) -> dict[str, list[Comparison]]:
    """Compare within each class of question; classes without a common question are left out."""
    names = dict.fromkeys(measured.classes.values())
    found = {name: _rows(measured, other, name) for name in sorted(names)}
    return {name: rows for name, rows in found.items() if rows}


def _rows(measured: Measured, other: Measured, of_class: str | None) -> list[Comparison]:
    rows = []
    for name, values in measured.values.items():
        others = other.values.get(name, {})
        common = [
            question
            for question in values
            if question in others
            and (of_class is None or measured.classes.get(question) == of_class)
        ]
        if common:
            ours = {question: values[question] for question in common}
            theirs = {question: others[question] for question in common}
            rows.append(compare_values(name, ours, theirs))
    return rows
