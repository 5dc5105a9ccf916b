"""Measured answers as lines for a terminal, and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

from rirag_workbench.evaluation.answers.blame import STAGES
from rirag_workbench.evaluation.answers.measuring import MEASURES, Measured
from rirag_workbench.evaluation.answers.repass.lines import to_json as repass_json
from rirag_workbench.evaluation.answers.repass.lines import to_lines as repass_lines
from rirag_workbench.evaluation.significance import Comparison

SIGNIFICANT = 0.05
"""A difference with a smaller p is marked."""


ByClass = Mapping[str, Sequence[Comparison]]
"""Class of question → comparison of each measure."""


def to_table(
    measured: Measured,
    compared: Sequence[Comparison] = (),
    by_class: ByClass = MappingProxyType({}),
) -> str:
    """Return lines to read."""
    lines = [f"{measured.answers:,} answers"]
    width = max(map(len, (*MEASURES, *measured.values)))
    for name, values in measured.values.items():
        mean = measured.mean(name)
        lines.append(f"{name:{width}}  {_figure(name, mean)}  ({len(values):,} answers)")
    lines += ["", *totals] if (totals := _totals(measured)) else []
    if measured.shows("blame") and measured.blame is not None:
        lines += ["", *_blame_lines(measured)]
    if measured.repass is not None:
        lines += ["", *repass_lines(measured.repass.title, measured.repass.lines)]
    if compared:
        lines += ["", *_comparison_lines("compared with the other answers", compared, width)]
    for name, rows in by_class.items():
        lines += ["", *_comparison_lines(f"questions with {name}", rows, width)]
    return "\n".join(lines)


def to_json(
    measured: Measured,
    compared: Sequence[Comparison] = (),
    by_class: ByClass = MappingProxyType({}),
    *,
    per_question: bool = False,
) -> dict[str, Any]:
    """Return plain JSON values; `per_question` adds question → measure → value and its nuggets."""
    form: dict[str, Any] = {
        "answers": measured.answers,
        "measures": {
            name: {"mean": measured.mean(name), "answers": len(values)}
            for name, values in measured.values.items()
        },
        "citations_not_in_index": measured.lost_citations,
    }
    if measured.shows_obligations:
        form |= {
            "obligations": measured.nuggets,
            "vital_obligations": measured.vital,
            "obligations_covered": measured.coverage,
        }
    if measured.shows("words per covered obligation"):
        form["words_per_covered_obligation"] = measured.words_per_obligation
    if measured.shows("refusals"):
        form["refusals"] = asdict(measured.refusals)
    if measured.shows("blame"):
        form |= {"blame": measured.blame, "blame_vital": measured.blame_vital}
    if measured.repass is not None:
        form["repass"] = repass_json(measured.repass.title, measured.repass.lines)
    if compared:
        form["comparison"] = [row.to_json() for row in compared]
        form["comparison_by_class"] = {
            name: [row.to_json() for row in rows] for name, rows in by_class.items()
        }
    if per_question:
        form["per_question"] = _per_question(measured)
    return form


def _per_question(measured: Measured) -> dict[str, Any]:
    questions = dict.fromkeys(key for values in measured.values.values() for key in values)
    graded = measured.graded or {}
    return {
        question: {
            "measures": {
                name: values[question]
                for name, values in measured.values.items()
                if question in values
            },
            "nuggets": [
                {**asdict(one.nugget), "coverage": one.coverage} for one in graded.get(question, ())
            ],
        }
        for question in questions
    }


def _totals(measured: Measured) -> list[str]:
    lines = []
    if measured.nuggets and measured.shows_obligations:
        whole, partly, missed = measured.coverage.values()
        lines += [
            f"{measured.nuggets:,} obligations of the relevant passages, {measured.vital:,} vital",
            f"{whole:,} covered, {partly:,} partly, {missed:,} not",
        ]
    if measured.words_per_obligation is not None and measured.shows("words per covered obligation"):
        lines.append(f"{measured.words_per_obligation:.1f} words per covered obligation")
    if measured.shows("refusals"):
        lines += _refusal_lines(measured)
    if measured.lost_citations:
        lines.append(
            f"note: {measured.lost_citations:,} cited passages are not in the index; they count as "
            "not relevant"
        )
    return lines


def _refusal_lines(measured: Measured) -> list[str]:
    refusals = measured.refusals
    if refusals.unknown:
        return [f"{refusals.unknown:,} refusals"]
    if measured.blame is None:
        return []
    return [
        f"refusals: {refusals.right:,} right, {refusals.wrong:,} wrong; "
        f"{refusals.missed:,} unanswerable questions answered"
    ]


def _blame_lines(measured: Measured) -> list[str]:
    every, vital = measured.blame or {}, measured.blame_vital or {}
    lines = ["obligations not covered, by stage             all   vital"]
    return lines + [
        f"  {STAGES[stage]:58} {count:7,} {vital.get(stage, 0):7,}"
        for stage, count in every.items()
    ]


def _comparison_lines(title: str, compared: Sequence[Comparison], width: int) -> list[str]:
    lines = [f"{title:{width}}   other  difference  better  worse        p"]
    return lines + [
        f"{row.measure:{width}}  {_figure(row.measure, row.other)}  {row.difference:+10.4f}  "
        f"{row.better:6,}  {row.worse:5,}  {row.p_value:7.4f}"
        f"{'*' if row.p_value < SIGNIFICANT else ''}"
        for row in compared
    ]


def _figure(name: str, value: float | None) -> str:
    if value is None:
        return f"{'-':>6}"
    return f"{value:6.1f}" if name in ("words", "reading grade") else f"{value:6.4f}"
