"""What a number counts may change as little as the number."""

from __future__ import annotations

import pytest

from generation.verify import verify
from search.records import Passage

RULE = (
    "A firm must keep the records for at least 6 years and send the report by 31 May each year. "
    "It must notify its clients in writing within 40 Business Days if it holds USD 25,000 or 8 % "
    "of its loans. It must tell the Regulator even if not all the facts are known. Section 5 may "
    "be waived in proceedings under subsection (2). Complaints are answered within 14 days."
)
SAID = (
    "A firm must keep the records for at least 6 years",
    "It must send the report by 31 May each year",
    "It must notify its clients in writing within 40 Business Days if its loans reach it",
    "This applies if it holds USD 25,000 or 8 % of its loans",
    "It must tell the Regulator even if not all the facts are known",
    "Section 5 may be waived in proceedings under subsection (2)",
)


def found(text: str) -> tuple[str, list[str]]:
    (one,) = verify(f"{text} [1].", {1: Passage("p", "d", "1", RULE)}, "What applies?").statements
    return one.verdict, [finding.message for finding in one.findings]


@pytest.mark.parametrize(
    "text",
    [
        *SAID,
        "A firm must keep the records for at least six years",
        "It must notify its clients in writing within 40 working days if its loans reach it",
        "Complaints are answered within 14 calendar days",
        "It must notify its clients in writing within 40 Business Days if it holds $25,000 or "
        "8 per cent of its loans",
    ],
)
def test_the_same_measure_is_supported(text: str) -> None:
    assert found(text) == ("supported", [])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("6 years", "6 months", "The statement says 6 month, but the passage says 6 year."),
        ("at least", "up to", "The statement says “up to”, but the passage says “at least”."),
        ("31 May", "31 July", "“31 july” does not appear in any cited passage."),
        ("each year", "each month", "The statement says “month”, but the passage says “year”."),
        (
            "Business Days",
            "days",
            "The statement says “days”, but the passage says “business days”.",
        ),
        (
            "Business Days",
            "months",
            "The statement says “months”, but the passage says “business days”.",
        ),
        ("USD", "EUR", "The statement says “eur”, but the passage says “usd”."),
        ("USD 25", "€25", "The statement says “€”, but the passage says “usd”."),
        ("8 %", "8", "The statement says nothing, but the passage says “%”."),
        ("in writing", "orally", "The statement says “orally”, but the passage says “writing”."),
        ("even if not", "unless", "The statement adds “unless” to the words of the passage."),
        (
            "(2)",
            "(1)",
            "The statement says “subsection (1)”, but the passage says “subsection (2)”.",
        ),
    ],
)
def test_another_measure_is_not_supported(old: str, new: str, message: str) -> None:
    (text,) = [one for one in SAID if old in one]
    verdict, messages = found(text.replace(old, new))
    assert verdict == "unsupported"
    assert message in messages


def test_the_month_of_may_permits_nothing() -> None:
    passage = Passage("p", "d", "1", "The report is due by 31 May each year.")
    text = "A firm must send the report that is due by 31 May each year [1]."
    (one,) = verify(text, {1: passage}, "What must a firm send by 31 May?").statements
    assert not [finding for finding in one.findings if finding.kind == "force"]
