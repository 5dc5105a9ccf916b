"""Tables as text: every value is in the column of its heading, however cells are merged."""

from __future__ import annotations

import pytest
from lxml import etree

from indexer.tables import MOST_REPEATED, Cell, cell_of, grid, table_text


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        (  # over rows
            [[Cell("Gift", rows=2), Cell("Clerk"), Cell("5")], [Cell("Board"), Cell("50")]],
            [["Gift", "Clerk", "5"], ["Gift", "Board", "50"]],
        ),
        (  # as Word writes it
            [[Cell("Gift"), Cell("Clerk")], [Cell("", rows=0), Cell("Board")]],
            [["Gift", "Clerk"], ["Gift", "Board"]],
        ),
        (  # headings over columns, with those below
            [[Cell("Kind", rows=2), Cell("Limit", columns=2)], [Cell("EUR"), Cell("USD")],
             [Cell("Gift"), Cell("5"), Cell("6")]],
            [["Kind", "Limit – EUR", "Limit – USD"], ["Gift", "5", "6"]],
        ),
        (  # an empty corner
            [[Cell(""), Cell("2030", columns=2)], [Cell("Kind"), Cell("low"), Cell("high")],
             [Cell("Gift"), Cell("1"), Cell("9")]],
            [["Kind", "2030 – low", "2030 – high"], ["Gift", "1", "9"]],
        ),
        (  # a value for several columns, and a row that is one cell
            [[Cell("Kind"), Cell("EUR"), Cell("USD")], [Cell("Gift"), Cell("none", columns=2)],
             [Cell("Part B", columns=3)]],
            [["Kind", "EUR", "USD"], ["Gift", "none", "none"], ["Part B"]],
        ),
        (  # spans that no other row has are layout
            [[Cell("Kind", columns=2), Cell("Limit", columns=7)],
             [Cell("Gift", columns=2), Cell("5", columns=7)]],
            [["Kind", "Limit"], ["Gift", "5"]],
        ),
        (  # more rows and columns than there are
            [[Cell("a", 65534, 65534), Cell("b")], [Cell("c")]],
            [["a", "b"], ["a", "c"]],
        ),
        ([], []),
        ([[], [Cell("a")], []], [["a"]]),
    ],
)  # fmt: skip
def test_a_merged_cell_is_in_all_that_it_covers(
    rows: list[list[Cell]], found: list[list[str]]
) -> None:
    assert grid(rows) == found


@pytest.mark.parametrize(
    "rows",
    [[[Cell("x" * 100, 65534, 65534)] * 300] * 300, [[Cell("x" * 1000, 9, 65534)]] * 3000,
     [*[[Cell("x", 1, 65534)] * 3000], *[[Cell("x")]] * 3000]],
)  # fmt: skip
def test_merged_cells_do_not_blow_a_table_up(rows: list[list[Cell]]) -> None:
    own = sum(len(cell.text) + 1 for row in rows for cell in row)
    found = sum(len(text) for row in grid(rows) for text in row)
    assert found <= 2 * own + 2 * MOST_REPEATED


def test_an_empty_first_cell_keeps_its_place() -> None:
    assert table_text([["", "Board ", "5\n0"], ["", ""]]) == (
        "\\Table Start\n\tBoard\t5 0\n\\Table End"
    )


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ("namest='b' nameend='c'", (2, 1)),
        ("namest='a' nameend='c' morerows='1'", (3, 2)),
        ("morerows='2'", (1, 3)),
        ("namest='x' nameend='y'", (1, 1)),
        ("namest='c' nameend='a' morerows='x'", (1, 2)),
    ],
)
def test_spans_of_cals_are_read(attributes: str, expected: tuple[int, int]) -> None:
    columns = "".join(f"<colspec colname='{name}'/>" for name in "abc")
    table = etree.fromstring(f"<tgroup>{columns}<row><entry {attributes}/></row></tgroup>")
    assert cell_of(table[-1][0], "")[1:3] == expected
