"""Lines that a narrow page broke, and lines that end what they say."""

from __future__ import annotations

import pytest
from hits import make_hits

from generation import answer
from generation.statements.passages import statements_of

WRAPPED = (
    "The treasurer must not enter into a derivative with a notional amount above\n"
    "EUR 5 million without the consent of the Chief\n"
    "Financial Officer."
)


@pytest.mark.parametrize(
    "text",
    [
        WRAPPED,
        "A report under this chapter must be signed by the\nChief Executive Officer.",
        "A licence must be refused where the applicant has, within the last\n5 years, been "
        "convicted of an offence.",
        "A firm must keep its records:\n(a) for 6 years; and\n(b) in English or\nArabic.",
        "The treasurer must:\n(a) obtain the consent of the Board for every loan and of the Chief\n"
        "Risk Officer; and\n(b) report it.",
    ],
)
def test_a_line_that_ends_nothing_goes_on_in_the_next(text: str) -> None:
    (whole,) = statements_of(text)
    assert whole.text == " ".join(text.split())


def test_a_broken_line_is_quoted_to_the_end_of_its_sentence() -> None:
    quoted = answer("Who must consent to a derivative?", make_hits(WRAPPED)).text
    assert "the consent of the Chief Financial Officer.” [1]" in quoted


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Storage Facilities\nA firm must pay.", ["Storage Facilities", "A firm must pay."]),
        (
            "A firm must report a breach within\n10 days. A loss is told\nwithin 5 days.",
            ["A firm must report a breach within 10 days.", "A loss is told within 5 days."],
        ),
        (
            "A firm must:\n(a)\tlock them; and\nGuidance\nA lock may be electronic.",
            ["A firm must: (a) lock them; and", "Guidance", "A lock may be electronic."],
        ),
        (
            "A firm must tell:\n(a)\tits name\n(b)\tits address\nThe Authority may ask for more.",
            [
                "A firm must tell: (a) its name (b) its address",
                "The Authority may ask for more.",
            ],
        ),
    ],
)  # fmt: skip
def test_titles_and_items_that_are_complete_stay_apart(text: str, parts: list[str]) -> None:
    assert [statement.text for statement in statements_of(text)] == parts
