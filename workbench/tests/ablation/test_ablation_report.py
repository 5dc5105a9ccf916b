"""The report says what was measured: as lines, as JSON, and as HTML that is XML."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from rirag_workbench.ablation.measuring import AS_ASKED, Measured
from rirag_workbench.ablation.report import Ablation, Price, row_of, to_html, to_table
from rirag_workbench.ablation.variants import FULL, Variant
from search.ranking.profile_file import load_profile

EVEN = load_profile("even")
RECALL = np.array([1.0, 1.0, 0.0, 1.0, 0.5, 1.0, 1.0, 1.0])
GROUPS = {AS_ASKED: np.arange(8) < 6, "1-4 words": np.arange(8) >= 6}


def measured(variant: Variant, recall: np.ndarray, milliseconds: float) -> Measured:
    return Measured(variant, recall, recall / 2, np.full(8, milliseconds))


@pytest.fixture
def ablation() -> Ablation:
    worse = RECALL * np.array([1, 1, 1, 0, 1, 0, 0, 1])
    full = measured(Variant(FULL, "as it is", EVEN), RECALL, 30.0)
    ways = [
        full,
        measured(Variant("no votes", "no <votes>", EVEN, "votes"), worse, 25.0),
        measured(Variant("no rerank", "fused order", EVEN, "rerank"), RECALL, 10.0),
        measured(Variant("RRF", "profile rrf", EVEN), worse, 9.0),
    ]
    return Ablation(
        facts=(("questions", "6 of a & b.jsonl"), ("passages", "228")),
        rows=tuple(row_of(one, full, GROUPS) for one in ways),
        notes=("No index of the untrained encoder was given (--untrained-index).",),
        command="rirag evaluate ablation 'a & b.jsonl'",
    )


def test_differences_are_those_of_the_group(ablation: Ablation) -> None:
    full, without = ablation.rows[:2]
    asked = without.groups[AS_ASKED]
    assert full.groups[AS_ASKED].recall.value == pytest.approx(4.5 / 6)
    assert full.groups[AS_ASKED].recall.p_value == 1.0
    assert asked.questions == 6
    assert asked.recall.difference == pytest.approx(-2 / 6)
    assert asked.average_precision.difference == pytest.approx(-1 / 6)
    assert asked.recall.p_value == 0.5, "two questions differ: half of all signs are as far apart"
    assert without.groups["1-4 words"].recall.difference == -0.5
    assert without.milliseconds == 25.0


def test_a_component_has_a_price_and_another_system_has_none(ablation: Ablation) -> None:
    votes, rerank = ablation.prices
    assert (votes.component, rerank.component) == ("votes", "rerank")
    assert votes.recall == pytest.approx(100 / 3)
    assert votes.milliseconds == 5.0
    assert votes.milliseconds_a_point == pytest.approx(5 / 50)
    assert (rerank.recall, rerank.milliseconds_a_point) == (0.0, None)
    assert Price("x", 1.0, 1.0, -3.0).milliseconds_a_point == 0.0, "a gain that costs nothing"


def test_it_reads_as_lines(ablation: Ablation) -> None:
    lines = to_table(ablation).split("\n")
    assert lines[0] == "questions: 6 of a & b.jsonl"
    assert "as asked (6)" in lines[3]
    row = next(line.split() for line in lines if line.startswith("  no votes"))
    assert row == [
        "no",
        "votes",
        "0.4167",
        "-0.3333",
        "0.5000",
        "0.2083",
        "-0.1667",
        "0.5000",
        "25.0",
    ]
    assert any(line.startswith("  rerank") and line.endswith("no gain") for line in lines)
    assert lines[-1] == ablation.notes[0]


def test_it_reads_as_json(ablation: Ablation) -> None:
    form = json.loads(json.dumps(ablation.to_json()))
    assert form["rows"][1]["groups"][AS_ASKED]["recall"]["difference"] == pytest.approx(-1 / 3)
    assert form["prices"][0]["milliseconds_a_point"] == pytest.approx(0.1)
    assert form["facts"]["passages"] == "228"


def page(ablation: Ablation) -> ElementTree.Element:
    """The report as XML; a document type is no part of it."""
    return ElementTree.fromstring(to_html(ablation).removeprefix("<!DOCTYPE html>\n"))


def rows(tree: ElementTree.Element, table: str) -> list[list[str]]:
    found = tree.find(f".//table[@id='{table}']/tbody")
    assert found is not None
    return [["".join(cell.itertext()) for cell in row] for row in found]


def test_its_tables_hold_the_numbers(ablation: Ablation) -> None:
    tree = page(ablation)
    ways = rows(tree, "ways")
    assert [row[0] for row in ways] == [FULL, "no votes", "no rerank", "RRF"]
    assert ways[1][1:] == [
        "no <votes>", "0.4167", "-0.3333", "0.5000", "0.2083", "-0.1667", "0.5000", "25.0"
    ]  # fmt: skip
    assert rows(tree, "groups")[1] == ["no votes", "-33.33", "-16.67", "-50.00", "-25.00"]
    assert rows(tree, "prices")[0] == ["votes", "+33.33", "+16.67", "+5.0", "0.1"]
    assert rows(tree, "facts")[0] == ["questions", "6 of a & b.jsonl"]
    assert "".join(tree.find(".//pre").itertext()) == ablation.command


def test_its_plots_are_drawn_to_scale(ablation: Ablation) -> None:
    plots = page(ablation).findall(".//{http://www.w3.org/2000/svg}svg")
    assert len(plots) == 3
    widths = [float(one.get("width")) for one in plots[2].iter("{http://www.w3.org/2000/svg}rect")]
    recall, precision, *_ = (width for width in widths if width != 10)  # 10: the legend
    assert recall / precision == pytest.approx(2, abs=0.05)
    dots = list(plots[0].iter("{http://www.w3.org/2000/svg}circle"))
    x = [float(dot.get("cx")) for dot in dots]
    assert x[1] == x[3] < x[0] == x[2]


def test_it_needs_nothing_from_outside_and_no_script(ablation: Ablation) -> None:
    text = to_html(ablation)
    assert "<script" not in text
    assert not re.search(r"(src|href|url\()", text)
    assert set(re.findall(r"https?://[^\"]*", text)) == {"http://www.w3.org/2000/svg"}


def test_numbers_of_all_sizes_get_round_ticks() -> None:
    from rirag_workbench.reports.charts import _ticks

    assert _ticks(0.813, 0.897) == [0.82, 0.84, 0.86, 0.88]
    assert _ticks(-1.3, 11.2) == [0, 2, 4, 6, 8, 10]
    for low, high in [(0, 1), (0.5, 0.502), (-30, 4), (0, 0.1)]:
        assert 3 <= len(_ticks(low, high)) <= 8
