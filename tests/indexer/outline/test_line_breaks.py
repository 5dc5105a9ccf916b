"""Numbers that line breaks alone part from one another."""

import pytest
from outline_samples import read

from indexer.structuring.lines.line_breaks import numbered_lines


@pytest.mark.parametrize(
    "lines",
    [
        ["1.1\tA firm must be fit.", "1.2\tA firm must be proper."],
        ["2.4 A firm must pay.", "2.4.1 It pays at once.", "2.4.2 It pays in full."],
        ["A firm must:", "(a) be fit;", "(b) be proper."],
        ["The steps are", "1. One thing.", "2. Another."],
    ],
)
def test_lines_whose_numbers_count_are_apart(lines):
    assert numbered_lines(lines) == lines


def test_an_automatic_number_counts_as_the_first():
    lines = ["A firm must be fit.", "1.2 A firm must be proper."]
    assert numbered_lines(lines, label="1.1") == lines


def test_the_rows_of_a_fenced_table_stay_with_its_paragraph():
    table = "It includes:\n\\Table Start\n(a)\tFees\n(b)\tFines\n\\Table End"
    assert numbered_lines(table.split("\n")) == [table]


def test_lines_without_a_number_go_on_with_the_one_before():
    assert numbered_lines(["(a) Fees", "are due.", "(b) Fines"]) == [
        "(a) Fees\nare due.",
        "(b) Fines",
    ]


@pytest.mark.parametrize(
    "lines",
    [
        ["4 High Street", "5 Low Town"],
        ["as rule 3.1 and", "3.2 of this Part say"],
        ["1.1 A firm must do what", "3.5 Other Rules say"],
        ["A firm must", "(a) be fit."],
        ["Fees are", "• 100", "• 200"],
    ],
)
def test_numbers_that_do_not_count_part_nothing(lines):
    assert numbered_lines(lines) == ["\n".join(lines)]


def test_each_numbered_line_of_a_paragraph_is_a_passage():
    paragraph = "1.1\tA firm must be fit.\n1.2\tA firm must be proper.\nAlways."
    assert read("**1\tFITNESS**", paragraph, "1.3\tThe end.") == [
        ("1", "FITNESS"),
        ("1.1", "A firm must be fit."),
        ("1.2", "A firm must be proper.\nAlways."),
        ("1.3", "The end."),
    ]
