"""Tables of contents that are typed like the text: found by what comes again."""

from __future__ import annotations

import pytest

from indexer.structuring.lines.contents import contents_lines

BODY = ["1 Scope", "1.1 Firms", "All firms.", "2 Fees", "2.1 Amount", "Ten dollars."]
ENTRIES = ["1 Scope", "1.1 Firms", "2 Fees", "2.1 Amount"]


@pytest.mark.parametrize("page", ["", " ...... 7", "\t7", " … 12", "   iv"])
def test_numbered_lines_that_all_come_again_are_the_contents(page):
    lines = ["Policy", "Contents", *(f"{entry}{page}" for entry in ENTRIES), "", *BODY]
    assert contents_lines(lines) == {1, 2, 3, 4, 5}


def test_no_heading_is_needed():
    assert contents_lines([*ENTRIES, *BODY]) == {0, 1, 2, 3}


def test_entries_may_be_items_and_go_on_in_the_next_line():
    lines = ["* 1 Scope", "", "  * 1.1 Firms", "", "* 2 Fees and", "  costs", "  * 2.1 Amount", ""]
    body = [line.replace("2 Fees", "2 Fees and costs") for line in BODY]
    assert contents_lines([*lines, *body]) == {0, 2, 4, 5, 6}


def test_the_entry_of_a_chapter_may_leave_out_its_word():
    body = [line.replace("1 Scope", "Chapter 1. Scope") for line in BODY]
    assert contents_lines([*ENTRIES, *body]) == {0, 1, 2, 3}


def test_a_chapter_may_have_its_own_contents():
    lines = ["Chapter 1. Scope", "", "Contents", "1.1 Firms", "1.2 Funds", "", "1.1 Firms", "All.",
             "1.2 Funds", "All."]  # fmt: skip
    assert contents_lines(lines) == {2, 3, 4}


def test_the_heading_of_the_contents_is_no_part_of_the_title_above_it():
    title = ["Chapter 1. Scope", "Chapter 1. Scope", "Table of Contents", "1.1 Firms", "1.2 Funds"]
    assert contents_lines([*title, "All pay.", "1.1 Firms", "All.", "1.2 Funds", "All."]) == {
        2,
        3,
        4,
    }


def test_items_that_two_forms_share_are_no_contents():
    form = ["1. Name", "2. Address", "3. Date"]
    assert contents_lines(["1 Scope", "All.", "Schedule 1", *form, "Schedule 2", *form]) == set()


def test_one_entry_in_ten_may_differ():
    entries = [f"{n} Rule {'on fees' if n == 3 else n}" for n in range(1, 12)]
    body = [line for n in range(1, 12) for line in (f"{n} Rule {n}", "Pay.")]
    assert contents_lines([*entries, *body]) == set(range(11))


@pytest.mark.parametrize(
    "lines",
    [
        BODY,
        ["Contents", "1 Scope", "2 Duties", *BODY],
        ["1 Scope", "of these rules", "1.1 Firms", *BODY],
        ["1 Scope", "2 Fees", *BODY],
        ["Policy", "", "All firms."],
        [],
    ],
)
def test_a_text_that_does_not_come_again_is_none(lines):
    assert contents_lines(lines) == frozenset()


def test_titles_may_begin_with_a_small_letter_and_be_long():
    entries = ["1. Tools", "  1.1. dpkg and", "  what it does,", "  how, and", "  why", "2. Fees"]
    body = [
        "1. Tools",
        "1.1. dpkg and what it does, how, and why",
        "It installs.",
        "2. Fees",
        "Ten.",
    ]
    assert contents_lines([*entries, "", *body]) == {0, 1, 2, 3, 4, 5}
