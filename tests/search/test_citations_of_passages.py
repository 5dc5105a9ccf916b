"""How a person cites a passage."""

from __future__ import annotations

import pytest

from search.records import Passage, cited_as


@pytest.mark.parametrize(
    ("document", "number", "cited"),
    [
        ("COBS", "3.5.8.(b)", "COBS 3.5.8.(b)"),
        ("GDPR", "Article 5", "GDPR Article 5"),
        ("Basel", "IV", "Basel IV"),
        ("Gifts policy", "Limits", "Gifts policy, Limits"),
        ("Gifts policy", "Gifts policy", "Gifts policy"),
        ("FIN-04 Spending", "FIN-04 Spending", "FIN-04 Spending"),
        ("", "Limits", "Limits"),
        ("", "1.1", "1.1"),
    ],
)
def test_a_heading_is_set_off_from_its_document(document: str, number: str, cited: str) -> None:
    assert cited_as(document, number) == cited


def test_a_passage_without_a_title_is_cited_by_its_document() -> None:
    assert Passage("a", "LR-7", "1.2", "Lamps are lit.").citation() == "LR-7 1.2"
