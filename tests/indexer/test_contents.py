"""Tables of contents that are typed like the text: found by what comes again."""

from __future__ import annotations

import pytest

from indexer.contents import contents_lines

BODY = ["1 Scope", "1.1 Firms", "All firms.", "2 Fees", "2.1 Amount", "Ten dollars."]
ENTRIES = ["1 Scope", "1.1 Firms", "2 Fees", "2.1 Amount"]


@pytest.mark.parametrize("page", ["", " ...... 7", "\t7", " … 12", "   iv"])
def test_numbered_lines_that_all_come_again_are_the_contents(page):
    lines = ["Policy", "Contents", *(f"{entry}{page}" for entry in ENTRIES), "", *BODY]
    assert contents_lines(lines) == {1, 2, 3, 4, 5}


def test_no_heading_is_needed():
    assert contents_lines([*ENTRIES, *BODY]) == {0, 1, 2, 3}


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
