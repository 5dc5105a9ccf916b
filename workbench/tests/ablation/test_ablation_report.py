"""The report says what was measured: as lines, as JSON, and as HTML that is XML."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from rirag_workbench.ablation.measuring import AS_ASKED, Measured
from rirag_workbench.ablation.report import Ablation, Price, row_of, to_html, to_table
from rirag_workbench.ablation.variants import FULL, Variant
from search.ranking.profile_file import load_profile

EVEN = load_profile("even")
RECALL = (1.0, 1.0, 0.0, 1.0, 0.5, 1.0, 1.0, 1.0)
WORSE = (1.0, 1.0, 0.0, 0.0, 0.5, 0.0, 0.0, 1.0)
GROUPS = {AS_ASKED: range(6), "1-4 words": range(6, 8)}


def measured(variant: Variant, recall: tuple[float, ...], milliseconds: float) -> Measured:
    places = {str(place): value for place, value in enumerate(recall)}
    halves = {place: value / 2 for place, value in places.items()}
    return Measured(variant, {}, {"R@10": places, "AP@10": halves}, [milliseconds] * 8)


@pytest.fixture
def ablation() -> Ablation:
    full = measured(Variant(FULL, "as it is", EVEN), RECALL, 30.0)
    ways = [
        full,
        measured(Variant("no votes", "no <votes>", EVEN, "votes"), WORSE, 25.0),
        measured(Variant("no rerank", "fused order", EVEN, "rerank"), RECALL, 10.0),
        measured(Variant("RRF", "profile rrf", EVEN), WORSE, 9.0),
    ]
    return Ablation(
        "rirag evaluate ablation 'a & b.jsonl'",
        {"questions": "6 of a & b.jsonl", "passages": "228"},
        tuple(row_of(one, full, GROUPS) for one in ways),
        ("No index of the untrained encoder was given (--untrained-index).",),
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


def test_it_reads_as_json(ablation: Ablation) -> None:
    form = json.loads(json.dumps(ablation.to_json()))
    assert form["rows"][1]["groups"][AS_ASKED]["recall"] == {
        "value": pytest.approx(2.5 / 6), "difference": pytest.approx(-1 / 3), "p_value": 0.5,
    }  # fmt: skip
    assert form["prices"][0]["milliseconds_a_point"] == pytest.approx(0.1)
    assert form["facts"]["passages"] == "228"


def test_lines_and_page_hold_the_same_figures(ablation: Ablation) -> None:
    lines, tree = to_table(ablation).split("\n"), page(ablation)
    votes = "no votes 0.4167 -0.3333 0.5000 0.2083 -0.1667 0.5000 25.0 no <votes>"
    price = "votes 33.3333 16.6667 +5.0 0.1"
    for title, row in (("as asked (6)", votes), ("contribution", price)):
        head = next(place for place, line in enumerate(lines) if line.startswith(title))
        shown = [" ".join(line.split()) for line in lines[head + 1 :]]
        assert row in shown[: shown.index("")]
        found = tree.find(f".//table[@id='{title}']/tbody")
        assert row in [" ".join("".join(cell.itertext()) for cell in line) for line in found]
    assert lines[0] == "questions: 6 of a & b.jsonl"
    assert lines[-1] == f"note: {ablation.notes[0]}"
    assert "".join(tree.find(".//pre").itertext()) == ablation.command


def test_significant_differences_are_marked(ablation: Ablation) -> None:
    row = ablation.rows[1]
    asked = row.groups[AS_ASKED]
    sure = replace(asked, recall=replace(asked.recall, p_value=0.01))
    rows = (ablation.rows[0], replace(row, groups={**row.groups, AS_ASKED: sure}))
    assert "0.0100*" in to_table(replace(ablation, rows=rows))


def test_bars_are_drawn_to_scale(ablation: Ablation) -> None:
    plots = page(ablation).findall(".//{http://www.w3.org/2000/svg}svg")
    assert len(plots) == 3
    rows = list(plots[2].iter("{http://www.w3.org/2000/svg}rect"))
    recall, precision, *_ = (float(one.get("width")) for one in rows)
    assert recall / precision == pytest.approx(2, abs=0.05)


def page(ablation: Ablation) -> ElementTree.Element:
    """The report as XML; a document type is no part of it."""
    return ElementTree.fromstring(to_html(ablation).removeprefix("<!DOCTYPE html>\n"))
