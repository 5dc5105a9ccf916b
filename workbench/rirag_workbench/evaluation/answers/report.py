"""Measured answers as lines for a terminal, as JSON, and as a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

from rirag_workbench.evaluation.answers.measuring import UNITS, Measured
from rirag_workbench.evaluation.answers.nuggets import STAGES
from rirag_workbench.evaluation.answers.repass import notes_on
from rirag_workbench.evaluation.answers.repass import to_json as repass_json
from rirag_workbench.evaluation.answers.repass import to_table as repass_table
from rirag_workbench.evaluation.statistics import Comparison, comparison_table
from rirag_workbench.reports.tables import Table, to_page, to_text

ByClass = Mapping[str, Sequence[Comparison]]
"""Class of question → comparison of each measure."""

NONE: ByClass = MappingProxyType({})


def to_table(
    measured: Measured, compared: Sequence[Comparison] = (), by_class: ByClass = NONE
) -> str:
    """Return lines to read."""
    return to_text(
        _tables(measured, compared, by_class), after=_totals(measured), notes=_notes(measured)
    )


def to_html(
    measured: Measured,
    compared: Sequence[Comparison],
    by_class: ByClass,
    about: Sequence[tuple[str, str]],
    command: str,
) -> str:
    """Return the report as the text of a file.

    Args:
        compared: with other answers; empty: with none.
    """
    tables = _tables(measured, compared, by_class)
    notes = [*_totals(measured), *_notes(measured)]
    return to_page("What the answers cover, cite and omit", tables, about, command, notes)


def _tables(measured: Measured, compared: Sequence[Comparison], by_class: ByClass) -> list[Table]:
    means = [(name, _mean(measured, name), len(one)) for name, one in measured.values.items()]
    lead = "Each mean is over the answers for which the measure is defined."
    tables = [Table(f"{measured.answers:,} answers", ("mean", "answers"), means, lead, ("mean",))]
    if measured.shows("blame") and measured.blame is not None:
        tables.append(_blame_table(measured.blame, measured.blame_vital or {}))
    if measured.repass is not None:
        tables.append(repass_table(measured.repass.title, measured.repass.lines))
    if compared:
        tables.append(comparison_table("compared with the other answers", compared))
    return tables + [comparison_table(f"questions with {one}", by_class[one]) for one in by_class]


def _mean(measured: Measured, name: str) -> str | float | None:
    mean = measured.mean(name)
    return mean if mean is None or name not in UNITS else f"{mean:.1f}"


def _blame_table(every: Mapping[str, int], vital: Mapping[str, int]) -> Table:
    rows = [(STAGES[stage], count, vital.get(stage, 0)) for stage, count in every.items()]
    lead = "Obligations that the answers do not cover fully."
    columns = ("all", "vital")
    return Table("obligations not covered, by stage", columns, rows, lead, columns)


def _notes(measured: Measured) -> list[str]:
    lines = [] if measured.repass is None else notes_on(measured.repass.lines)
    if measured.lost_citations and measured.shows("refusals"):
        lines.append(
            f"{measured.lost_citations:,} cited passages are not in the index; they count as "
            "not relevant"
        )
    return lines


def to_json(
    measured: Measured,
    compared: Sequence[Comparison] = (),
    by_class: ByClass = NONE,
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
