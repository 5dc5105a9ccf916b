"""Figures: targets in both directions, what is printed, what is written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.figures import Figure, number, read_figures, report


def test_a_target_is_met_from_the_right_side() -> None:
    assert Figure("time", 1.0, "s", 1.0).met
    assert Figure("time", 1.1, "s", 1.0).met is False
    assert Figure("share", 97.0, "%", 97.0, higher_is_better=True).met
    assert Figure("share", 96.9, "%", 97.0, higher_is_better=True).met is False
    assert Figure("count", 3).met is None


def test_a_target_of_zero_is_a_target() -> None:
    assert Figure("encoded again", 0, "", 0).met
    assert Figure("encoded again", 1, "", 0).met is False


def test_a_line_tells_target_and_verdict() -> None:
    line = Figure("share", 90.0, "%", 97.0, higher_is_better=True).line(10)
    assert line.split() == ["share", "90", "%", "≥", "97", "MISSED"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(13732, "13,732"), (215.04, "215.0"), (12.345, "12.3"), (0.04567, "0.0457"), (3.0, "3")],
)
def test_numbers_keep_the_digits_that_mean_something(value: float, text: str) -> None:
    assert number(value) == text


def test_a_report_can_be_read_back_and_names_its_machine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = [Figure("a", 1.5, "ms", 2.0), Figure("b", 2.0, higher_is_better=True)]
    report("title", figures, tmp_path / "out.json", extra=[1, 2])
    assert read_figures(tmp_path / "out.json") == figures
    content = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert content["extra"] == [1, 2]
    assert content["machine"]["cores"] >= 1
    assert content["figures"][0]["met"] is True
    assert "title" in capsys.readouterr().out
