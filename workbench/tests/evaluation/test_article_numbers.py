"""The field in which Q&As name their articles."""

from __future__ import annotations

import pytest

from rirag_workbench.evaluation.articles import article_numbers


@pytest.mark.parametrize(
    ("field", "numbers"),
    [
        ("430", ("430",)),
        ("Article 430 (1)", ("430",)),
        ("133 versus 390", ("133", "390")),
        ("486, 62", ("486", "62")),
        ("449a", ("449a",)),
        ("467-470; 481", ("467", "468", "469", "470", "481")),
        ("129a-131", ("129a", "130", "131")),
        ("article 92 of regulation (eu) no 575/2013", ("92",)),
        ("N/A", ()),
        ("Annex XV", ()),
    ],
)
def test_articles_are_read_as_people_write_them(field: str, numbers: tuple[str, ...]) -> None:
    assert article_numbers(field) == numbers
