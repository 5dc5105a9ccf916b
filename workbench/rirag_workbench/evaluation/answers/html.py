"""Measured answers as a report in HTML."""

from __future__ import annotations

from collections.abc import Sequence

from rirag.reports.page import facts, figure, page, section, table
from rirag_workbench.evaluation.answers.blame import STAGES
from rirag_workbench.evaluation.answers.measuring import MEASURES, SHARES, Measured
from rirag_workbench.evaluation.answers.repass.arithmetic import mean_of
from rirag_workbench.evaluation.significance import Comparison
from rirag_workbench.reports import charts

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
