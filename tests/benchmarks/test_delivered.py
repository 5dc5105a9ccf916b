"""What the check of delivered answers sees, on its own."""

from __future__ import annotations

import pytest

from benchmarks.delivered import delivered, foreign
from benchmarks.verifier_cases import Case
from search.records import Passage

PASSAGE = Passage(
    "p",
    "FEES",
    "2.1",
    "A Firm must pay USD 1,000 within \u200e30 days.\nIt must (a) report; and more.",
)


def case(text: str) -> Case:
    return Case("any", text, PASSAGE)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A Firm must pay USD 1,000 within 30 days [1].", []),
        ("Under 2.1, “a Firm” must pay [1].", ["a Firm"]),
        ("It says “A Firm must pay USD 1,000 within 30 days.” [1]", []),
        ("It says “It must […] and more.” [1]", []),
        ("A Firm must pay USD 1,000 within 31 days [1].", ["31"]),
    ],
)
def test_quotations_and_numbers_are_looked_for_in_the_passage(text: str, found: list[str]) -> None:
    assert foreign(text, case(text)) == found


def test_marks_of_tables_are_no_words_of_the_passage() -> None:
    table = "A Firm must apply:\n/Table Start\nRetail\t12%\n/Table End\nIt must report."
    text = "“A Firm must apply: Retail 12% It must report.” [1]"
    assert foreign(text, Case("any", text, Passage("p", "FEES", "2.1", table))) == []


def test_what_a_model_insists_on_is_delivered_only_if_it_is_supported() -> None:
    true = case("A Firm must pay USD 1,000 within 30 days [1].")
    assert delivered(true).startswith(true.text)
    assert not delivered(case("A Firm must pay USD 1,000 within 31 days [1]."))
