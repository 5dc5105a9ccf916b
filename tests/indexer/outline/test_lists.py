"""Which list a label goes on with, and what stands alone below a title."""

from __future__ import annotations

import pytest
from outline_samples import numbers, read

from indexer.blocks import Block


def automatic(
    label: str, text: str, level: int = 0, *, bold: bool = False, indent: int = 0
) -> Block:
    """Return a paragraph with an automatic number of one list."""
    return Block(text, label=label, level=level, list_id="1", bold=bold, indent=indent)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["1. Fees are due.", "2. Firms pay:", "(a)\tat once; or", "(b)\tlater.", "4. Funds pay.",
          "9. Banks pay."], ["1.", "2.", "4.", "9."]),
        (["**1.\tDuties", "(1)\tFirms pay.", "(2)\tFunds pay.", "(5)\tBanks pay."],
         ["1.", "1.(1)", "1.(2)", "1.(5)"]),
        (["PART 1", "GENERAL", "1.1 Fees", "(1)\tFirms pay.", "1.4 Forms", "(1)\tFirms sign.",
          "PART 2", "CONDUCT", "2.1 Care", "(1)\tFirms care."],
         ["PART 1", "1.1", "1.1.(1)", "1.4", "1.4.(1)", "PART 2", "2.1", "2.1.(1)"]),
    ],
)  # fmt: skip
def test_lists_go_on_after_a_gap(lines, expected):
    assert numbers(*lines) == expected


@pytest.mark.parametrize("again", ["1. Tell us.", automatic("1.", "Tell us.")])
def test_a_list_that_begins_again_below_a_heading_stands_beside_the_first(again):
    first = [automatic("1.", "Refuse."), automatic("2.", "Report.")]
    if isinstance(again, str):
        first = ["1. Refuse.", "2. Report."]
    assert numbers("**Gifts**", *first, "**Outside work**", again) == ["1.", "2.", "1."]


def test_a_list_completes_its_clause_wherever_it_stands():
    lines = ["**1.1\tDuties", "\t\t(1)\tA firm must:", "(a)\treport; and", "(b)\tpay."]
    assert numbers(*lines) == ["1.1", "1.1.(1)"]


def test_titled_items_of_a_guidance_box_stay_in_it():
    lines = ["1.1\tFirms pay.", "**Guidance**", "**1.\tWhen", "At once.", "**2.\tHow", "In cash."]
    assert numbers(*lines) == ["1.1", "1.1.Guidance", "1.1.Guidance.1.", "1.1.Guidance.2."]


@pytest.mark.parametrize("title", ["Application", "WHO MUST PAY", "Firms and funds"])
def test_sentences_below_a_title_that_nothing_sets_apart_stand_alone(title):
    lines = [f"1.\t{title}", "(1)\tFirms pay.", "(2)\tFunds pay."]
    assert numbers(*lines) == ["1.", "1.(1)", "1.(2)"]


@pytest.mark.parametrize(
    ("clause", "item"),
    [("A firm must", "(1)\tpay; and"), ("A firm must:", "(1)\tPay."), ("Firms", "(1)\tBanks")],
)
def test_a_clause_that_its_list_completes_is_no_title(clause, item):
    assert numbers(f"1.\t{clause}", item, "(2)\treport.") == ["1."]


def test_a_first_bracket_behind_a_rule_number_is_a_label_though_spaces_part_them():
    lines = ["1.1.1 (1) A firm must report.", "(2) A firm must pay."]
    assert numbers(*lines) == ["1.1.1", "1.1.1.(1)", "1.1.1.(2)"]


def test_the_line_below_a_bare_division_is_its_title_whatever_it_says():
    lines = ["**Article 1**", "**Definitions**", "A bank is a bank.", "**Article 2**", "**Scope**",
             "All banks."]  # fmt: skip
    assert numbers(*lines) == ["Article 1", "Article 2"]


@pytest.mark.parametrize(
    ("first", "second"),
    [("Article (1)", "Article (2)"), ("CHAPTER ONE", "CHAPTER TWO"), ("Annexure 1", "Annexure 2"),
     ("Attachment A", "Attachment B"), ("Exhibit A", "Exhibit B"), ("Appendix-1", "Appendix-2")],
)  # fmt: skip
def test_divisions_in_the_forms_of_many_countries(first, second):
    found = numbers(
        f"**{first}**", "**Scope**", "1.\tAll firms.", "2.\tAll funds.",
        f"**{second}**", "**Fees**", "1.\tFirms pay.",
    )  # fmt: skip
    assert found == [first, f"{first}.1.", f"{first}.2.", second, f"{second}.1."]


def test_brackets_that_stick_together_are_labels_of_their_own():
    lines = ["**5.\tTerms", "(a)(1) A bank is a bank.", "(2) A fund is none.", "(b)(1) Fees.",
             "(c) Forms."]  # fmt: skip
    assert numbers(*lines) == ["5.", "5.(a)", "5.(b)", "5.(c)"]


def test_an_appendix_may_be_numbered_by_its_letter():
    lines = ["**Appendix A**", "**Firms**", "A.1\tBanks report.", "A.2\tFunds report."]
    assert numbers(*lines) == ["Appendix A", "Appendix A.A.1", "Appendix A.A.2"]


def test_an_automatic_number_that_is_no_label_stays_in_the_text():
    found = read(automatic("1.", "Fees are due."), automatic("~7~", "Pay.", 1))
    assert found == [("1.", "Fees are due.\n~7~ Pay.")]


@pytest.mark.parametrize(
    ("items", "apart"),
    [
        (("Oil. Each lamp has some.", "Wicks. Each lamp has one:"), True),
        (("oil; and", "wicks."), False),
    ],
)
def test_sentences_numbered_below_a_letter_are_passages_and_halves_of_sentences_are_not(
    items, apart
):
    inner = (f"(1) {items[0]}", f"(2) {items[1]}", "(i) One of:", "(a) wool;", "(b) silk.")
    found = numbers("1.1 Lamps", "(a) The following apply:", *inner, "(b) Keepers sleep.")
    below = ["1.1.(a).(1)", "1.1.(a).(2)"] if apart else []
    assert found == ["1.1", "1.1.(a)", *below, "1.1.(b)"]
