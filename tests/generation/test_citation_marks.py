"""Citations in what a model writes."""

from __future__ import annotations

import pytest

from generation.statements.answers import statements_in
from generation.text.citation_styles import cited_numbers, unified
from generation.text.labels import citation_label
from generation.verify.checks.citations import check_citations
from search.records import Passage


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("It must pay [1].", "It must pay [1]."),
        ("It must pay [1, 3].", "It must pay [1][3]."),
        ("It must pay [1-3].", "It must pay [1][2][3]."),
        ("It must pay [1–2; 5].", "It must pay [1][2][5]."),
        ("It must pay [1, 2 and 4]", "It must pay [1][2][4]"),
        ("It must pay [1, and 4]", "It must pay [1][4]"),
        ("It must pay [Passage 2] 【3】", "It must pay [2] [3]"),
        ("From [2001-2090] on", "From [2001-2090] on"),
        ("It [sic] must pay [a]", "It [sic] must pay [a]"),
        ("[3-1]", "[3-1]"),
    ],
)
def test_all_ways_of_writing_become_one(written: str, meant: str) -> None:
    assert unified(written) == meant


def test_citation_behind_the_stop_belongs_to_the_sentence_before() -> None:
    text = (
        "## Duties\nFirms must keep records. [1] They must also report it.[2][3]\n"
        "- Fees are due on time [1]."
    )
    assert [one.citations for one in statements_in(text)] == [(1,), (2, 3), (1,)]


def test_statements_without_or_with_wrong_citations_are_flagged_one_by_one() -> None:
    text = "Firms must keep records [1]. They must also report it [99]. Nobody checks any of this."
    warnings = check_citations(text, range(1, 4))
    assert [(w.kind, w.statement) for w in warnings] == [
        ("unmapped", "They must also report it [99]."),
        ("uncited", "Nobody checks any of this."),
    ]


def test_an_endless_number_is_no_citation() -> None:
    text = f"Firms must keep all records [{'1' * 5000}]."
    assert cited_numbers(unified(text)) == []
    assert [w.kind for w in check_citations(text, [1])] == ["uncited"]


def test_wrong_number_in_a_heading_is_flagged_too() -> None:
    assert [w.kind for w in check_citations("## Duties [7]", [1])] == ["unmapped"]
    assert check_citations("Duties of the firm are as follows:\n\nIn short", [1]) == []


@pytest.mark.parametrize(
    "text",
    [
        "The rule says “A firm must report. It must do so within a day.” [1]",
        "The passages do not say who pays all these fees.",
        "Within five days a firm must do the following:\n- It must report [1].",
        "**COBS 3.5.8** (1 General. Duties): “A firm must report.” [1]",
    ],
)
def test_warnings_and_verifier_part_an_answer_in_the_same_statements(text: str) -> None:
    warned = [one.statement for one in check_citations(text, [1]) if one.kind == "uncited"]
    assert warned == [one.text for one in statements_in(text) if not one.citations]


@pytest.mark.parametrize(
    ("title", "cited"),
    [("(VER7.010126)", "LR-7 1.2"), ("", "LR-7 1.2"), ("LAMP_VER7.010126", "LAMP 1.2"),
     ("Lamp Rules (VER7.010126)", "Lamp Rules 1.2")],
)  # fmt: skip
def test_a_citation_never_lacks_its_document(title: str, cited: str) -> None:
    assert citation_label(Passage("a", "LR-7", "1.2", "Lamps are lit.", title)) == cited
