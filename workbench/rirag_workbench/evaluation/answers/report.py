"""Measured answers as lines for a terminal, as JSON, and as a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

from rirag.reports.page import facts, figure, page, section, table
from rirag_workbench.evaluation.answers.measuring import MEASURES, SHARES, Measured
from rirag_workbench.evaluation.answers.nuggets import STAGES
from rirag_workbench.evaluation.answers.repass import mean_of
from rirag_workbench.evaluation.answers.repass import to_json as repass_json
from rirag_workbench.evaluation.answers.repass import to_lines as repass_lines
from rirag_workbench.evaluation.statistics import Comparison
from rirag_workbench.reports import charts

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


WORST = 20
"""Questions that are listed: those of which most vital obligations are lost."""


def to_html(
    measured: Measured, compared: Sequence[Comparison], about: Sequence[tuple[str, str]],
    command: str, texts: dict[str, str],
) -> str:  # fmt: skip
    """Return the report as the text of a file.

    Args:
        measured: the answers.
        compared: with other answers; empty: with none.
        about: name and value of what was measured: files, models, hashes.
        command: that made it.
        texts: question ID → question.
    """
    sections = [
        facts([*about, *_counts(measured)], command), _means(measured), _compared(compared),
        _blame(measured), _repass(measured), _worst(measured, texts),
    ]  # fmt: skip
    return page("Answers measured", "What the answers cover, cite and omit", sections)


def _counts(measured: Measured) -> list[tuple[str, str]]:
    refusals = measured.refusals
    each = measured.words_per_obligation
    told = (
        f"{refusals.right:,} right, {refusals.wrong:,} wrong, {refusals.missed:,} missed, "
        f"{refusals.unknown:,} not known"
    )
    obligations = ("obligations", f"{measured.nuggets:,}, {measured.vital:,} vital")
    rows = [
        ("words per covered obligation", "-" if each is None else f"{each:.1f}"),
        ("refusals", told),
    ]
    return [
        ("answers", f"{measured.answers:,}"),
        *([obligations] if measured.shows_obligations else []),
        *(row for row in rows if measured.shows(row[0])),
    ]


def _means(measured: Measured) -> str:
    bars = [
        charts.Bar(name, (measured.mean(name) or 0.0,), f"{measured.mean(name):.3f}")
        for name in measured.values
        if name in SHARES
    ]
    rows = [
        (name, f"{measured.mean(name):.4f}", f"{len(values):,}", MEASURES.get(name, ""))
        for name, values in measured.values.items()
    ]
    chart = charts.grouped_bars("Means of the measures", bars, (("mean", charts.BLUE),))
    return section(
        "Means", "Each mean is over the answers for which the measure is defined.", figure(chart),
        table("means", ("", "mean", "answers", "meaning"), rows),
    )  # fmt: skip


def _compared(compared: Sequence[Comparison]) -> str:
    if not compared:
        return ""
    rows = [
        (row.measure, f"{row.value:.4f}", f"{row.other:.4f}", f"{row.difference:+.4f}",
         f"{row.better:,}", f"{row.worse:,}", f"{row.p_value:.4f}")
        for row in compared
    ]  # fmt: skip
    return section(
        "Compared with the other answers",
        "Over the questions that have a value in both files; p by a two-sided paired randomisation "
        "test.",
        table("compared", ("", "these", "other", "difference", "better", "worse", "p"), rows),
    )


def _blame(measured: Measured) -> str:
    if measured.blame is None or measured.blame_vital is None or not measured.shows("blame"):
        return ""
    vital = measured.blame_vital
    rows = [
        (STAGES[stage], f"{count:,}", f"{vital.get(stage, 0):,}")
        for stage, count in measured.blame.items()
    ]
    bars = [
        charts.Bar(stage, (float(count), float(vital.get(stage, 0))))
        for stage, count in measured.blame.items()
    ]
    series = (("all obligations", charts.GREY), ("vital ones", charts.RED))
    chart = charts.grouped_bars("Obligations lost at each stage", bars, series)
    return section(
        "Where obligations were lost", "Obligations that the answers do not cover fully, by stage.",
        figure(chart), table("blame", ("", "all", "vital"), rows),
    )  # fmt: skip


def _repass(measured: Measured) -> str:
    if measured.repass is None or not measured.repass.lines:
        return ""
    rows = []
    for line, scores in measured.repass.lines.items():
        mean = mean_of(list(scores.values()))
        figures = (mean.entailment, mean.contradiction, mean.coverage, mean.composite)
        rows.append((line, *(f"{value:.5f}" for value in figures), f"{len(scores):,}"))
    return section(
        measured.repass.title,
        (
            "Answers without passages and copied passages score close to good answers, "
            "so the composite alone does not rank systems."
        ),
        table("repass", ("", "Es", "Cs", "OCs", "composite", "answers"), rows),
    )


def _worst(measured: Measured, texts: dict[str, str]) -> str:
    lost = {
        key: [one.nugget.text for one in graded if one.nugget.vital and one.coverage != "whole"]
        for key, graded in (measured.graded or {}).items()
    }
    worst = sorted((key for key in lost if lost[key]), key=lambda key: -len(lost[key]))[:WORST]
    if not worst:
        return ""
    rows = [(texts.get(key, key), f"{len(lost[key])}", lost[key][0]) for key in worst]
    return section(
        "Questions with most omissions",
        "Vital obligations not covered, with the first of each question.",
        table("worst", ("question", "lost", "the first"), rows),
    )  # fmt: skip
