"""Reports: pages that need nothing from outside, and results side by side."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from rirag.reports.page import page, section, table
from rirag_workbench.reports.side_by_side import figures_of, side_by_side

ONE = {"answers": 3, "measures": {"noise": {"mean": 0.25, "answers": 3}}, "per_question": {"q": 1}}
OTHER = {"answers": 4, "measures": {"noise": {"mean": 0.5, "answers": 4}}, "κ": 0.1, "note": "x"}


def test_figures_are_named_by_their_path_and_single_cases_left_out() -> None:
    assert figures_of(ONE) == {
        "answers": 3, "measures › noise › mean": 0.25, "measures › noise › answers": 3,
    }  # fmt: skip


def test_rows_of_a_list_are_named_by_their_measure() -> None:
    found = figures_of({"comparison": [{"measure": "noise", "p_value": 0.5}, {"p_value": 1}]})
    assert found == {"comparison › noise › p_value": 0.5, "comparison › 2 › p_value": 1}


def test_results_stand_in_columns_and_what_one_lacks_is_a_dash() -> None:
    root = ET.fromstring(side_by_side({"a": ONE, "b": OTHER}).split("\n", 1)[1])
    rows = [["".join(cell.itertext()) for cell in row] for row in root.iter("tr")]
    assert ["noise › mean", "0.2500", "0.5000"] in rows
    assert ["κ", "-", "0.1000"] in rows


def test_a_page_escapes_what_it_shows_and_needs_nothing_from_outside() -> None:
    hostile = '<script>alert(1)</script>"&'
    made = page(hostile, hostile, [section(hostile, hostile, table("t", (hostile,), [(hostile,)]))])
    assert "<script" not in made
    assert "http" not in made.replace("http://www.w3.org/2000/svg", "")
    ET.fromstring(made.split("\n", 1)[1])
