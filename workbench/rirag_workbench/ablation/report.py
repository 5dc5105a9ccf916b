"""An ablation as people and as programs read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import Any

import numpy as np

from rirag.reports.page import facts, figure, page, section, table
from rirag_workbench.ablation.measuring import AS_ASKED, Array, Measured, Members
from rirag_workbench.ablation.variants import FULL
from rirag_workbench.evaluation.statistics import randomisation_test
from rirag_workbench.reports import charts

SIGNIFICANT = 0.05


@dataclass(frozen=True, slots=True)
class Difference:
    """A mean over a group of questions, and how it differs from the whole pipeline's."""

    value: float
    """0 to 1."""
    difference: float
    """This way to search less the whole pipeline: negative where the component helps."""
    p_value: float
    """By a paired randomisation test, two-sided; 1 for the whole pipeline itself."""

    @property
    def significant(self) -> bool:
        """Whether the difference is hardly luck."""
        return self.p_value < SIGNIFICANT


@dataclass(frozen=True, slots=True)
class GroupResult:
    """One way to search, on one group of questions."""

    questions: int
    recall: Difference
    """R@10."""
    average_precision: Difference
    """AP@10."""


@dataclass(frozen=True, slots=True)
class Row:
    """One way to search."""

    name: str
    change: str
    component: str
    """What is taken away; empty for the whole pipeline and for other systems."""
    milliseconds: float
    """Time of a search, the median over the questions as asked; ways are asked in turns."""
    groups: Mapping[str, GroupResult]


@dataclass(frozen=True, slots=True)
class Price:
    """What a component gains on the questions as asked, and what it costs."""

    component: str
    recall: float
    """Points of R@10 (hundredths)."""
    average_precision: float
    """Points of AP@10 (hundredths)."""
    milliseconds: float
    """Added to the median search; may be below 0 by chance."""

    @property
    def milliseconds_a_point(self) -> float | None:
        """Milliseconds for each point of R@10 and AP@10 together; None: there is no gain."""
        gained = self.recall + self.average_precision
        return max(0.0, self.milliseconds) / gained if gained > 0 else None


@dataclass(frozen=True, slots=True)
class Ablation:
    """Everything that was measured."""

    facts: tuple[tuple[str, str], ...]
    """What was asked of what: (name, value)."""
    rows: tuple[Row, ...]
    """The whole pipeline first."""
    notes: tuple[str, ...]
    """What could not be measured, and what searches noted, a sentence each."""
    command: str
    """That made it."""

    @property
    def prices(self) -> list[Price]:
        """What each component gains and costs."""
        return [_price(self.rows[0], row) for row in self.rows if row.component]

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {
            "command": self.command,
            "facts": dict(self.facts),
            "rows": [asdict(row) for row in self.rows],
            "prices": [
                asdict(price) | {"milliseconds_a_point": price.milliseconds_a_point}
                for price in self.prices
            ],
            "notes": list(self.notes),
        }


def row_of(one: Measured, full: Measured, groups: Mapping[str, Members]) -> Row:
    """Compare one way to search with the whole pipeline."""
    asked = groups[AS_ASKED]
    return Row(
        name=one.variant.name,
        change=one.variant.change,
        component=one.variant.component,
        milliseconds=float(np.median(one.milliseconds[asked])),
        groups={
            name: GroupResult(
                questions=int(members.sum()),
                recall=_difference(one.recall[members], full.recall[members]),
                average_precision=_difference(
                    one.average_precision[members], full.average_precision[members]
                ),
            )
            for name, members in groups.items()
        },
    )


def to_table(ablation: Ablation) -> str:
    """Return lines to read."""
    lines = [f"{name}: {value}" for name, value in ablation.facts]
    for group in ablation.rows[0].groups:
        lines += ["", *_group_lines(ablation.rows, group)]
    if ablation.prices:
        lines += ["", *_price_lines(ablation.prices)]
    return "\n".join([*lines, "", *ablation.notes] if ablation.notes else lines)


def _group_lines(rows: Sequence[Row], group: str) -> list[str]:
    count = rows[0].groups[group].questions
    head = f"{group} ({count})"
    lines = [f"{head:28}    R@10    diff.       p   AP@10    diff.       p      ms"]
    for row in rows:
        found = row.groups[group]
        lines.append(
            f"  {row.name:26}  {_figures(found.recall)}  {_figures(found.average_precision)}"
            f"  {row.milliseconds:6.1f}"
        )
    return lines


def _figures(one: Difference) -> str:
    return f"{one.value:.4f}  {one.difference:+.4f}  {one.p_value:.4f}"


def _price_lines(prices: Sequence[Price]) -> list[str]:
    lines = [f"{'what it is worth':28}  points of R@10  of AP@10    ms   ms a point"]
    for price in prices:
        each = price.milliseconds_a_point
        lines.append(
            f"  {price.component:26}  {price.recall:+14.2f}  {price.average_precision:+8.2f}  "
            f"{price.milliseconds:+5.1f}  {'no gain' if each is None else f'{each:.1f}':>11}"
        )
    return lines


def _price(full: Row, without: Row) -> Price:
    asked = without.groups[AS_ASKED]
    return Price(
        component=without.component,
        # Adding nothing makes of -0.0 what people write.
        recall=-100 * asked.recall.difference + 0.0,
        average_precision=-100 * asked.average_precision.difference + 0.0,
        milliseconds=full.milliseconds - without.milliseconds,
    )


def _difference(values: Array, full: Array) -> Difference:
    differences = values - full
    return Difference(
        float(values.mean()), float(differences.mean()), randomisation_test(differences)
    )


WAYS_LEAD = (
    "Each dot is a mean over the questions; the dashed line is the whole pipeline. "
    "Beside it is the difference, with * if it is significant (p below .05, paired "
    "randomisation test)."
)


def to_html(ablation: Ablation) -> str:
    """Return the report as the text of a file."""
    sections = [
        facts(ablation.facts, ablation.command),
        section(
            "All variants on the questions as asked",
            WAYS_LEAD,
            _dots(ablation.rows, "R@10") + _dots(ablation.rows, "AP@10"),
            _main_table(ablation.rows),
        ),
        section(
            "By length of the question, and by whether training saw its passages",
            (
                "Difference from the whole pipeline in points (hundredths) of R@10 and "
                "AP@10; bold if significant. Red: worse without the component."
            ),
            _group_table(ablation.rows),
        ),
        _prices(ablation.prices),
    ]
    return page(
        "Ablation of search", "What each component of search contributes", sections, ablation.notes
    )


def _dots(rows: Sequence[Row], measure: str) -> str:
    shown = [
        charts.Dot(row.name, found.value, _note(row, found), _colour(row))
        for row in rows
        for found in [_of(row, AS_ASKED, measure)]
    ]
    plot = charts.dot_plot(f"{measure} of every way to search", shown, shown[0].value)
    return figure(plot, measure)


def _of(row: Row, group: str, measure: str) -> Difference:
    found = row.groups[group]
    return found.recall if measure == "R@10" else found.average_precision


def _note(row: Row, found: Difference) -> str:
    if row.name == FULL:
        return f"{found.value:.4f}"
    return f"{found.difference:+.4f}{'*' if found.significant else ''}"


def _colour(row: Row) -> str:
    if row.name == FULL:
        return charts.BLUE
    return charts.AMBER if not row.component else charts.TEAL


def _main_table(rows: Sequence[Row]) -> str:
    head = ("", "what is different", "R@10", "difference", "p", "AP@10", "difference", "p", "ms")
    body = []
    for row in rows:
        cells = []
        for measure in ("R@10", "AP@10"):
            found = _of(row, AS_ASKED, measure)
            cells += [f"{found.value:.4f}", f"{found.difference:+.4f}", f"{found.p_value:.4f}"]
        body.append((row.name, row.change, *cells, f"{row.milliseconds:.1f}"))
    return table("ways", head, body)


def _group_table(rows: Sequence[Row]) -> str:
    groups = rows[0].groups
    head = "".join(
        f'<th colspan="2">{escape(name)} ({found.questions:,})</th>'
        for name, found in groups.items()
    )
    below = "".join("<th>R@10</th><th>AP@10</th>" for _ in groups)
    body = "".join(
        f"<tr><th>{escape(row.name)}</th>"
        + "".join(
            _cell(_of(row, group, measure), whole=row.name == FULL)
            for group in groups
            for measure in ("R@10", "AP@10")
        )
        + "</tr>"
        for row in rows
    )
    return (
        f'<table id="groups"><thead><tr><th></th>{head}</tr><tr><th></th>{below}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )


def _cell(found: Difference, *, whole: bool) -> str:
    if whole:
        return f"<td>{found.value:.4f}</td>"
    points = 100 * found.difference
    strength = min(1.0, abs(points) / 10) * 0.5
    shade = f"rgba(178,58,58,{strength:.2f})" if points < 0 else f"rgba(42,143,138,{strength:.2f})"
    text = f"<b>{points:+.2f}</b>" if found.significant else f"{points:+.2f}"
    return f'<td style="background:{shade}">{text}</td>'


def _prices(prices: Sequence[Price]) -> str:
    if not prices:
        return ""
    bars = [
        charts.Bar(one.component, (one.recall, one.average_precision), _price_note(one))
        for one in prices
    ]
    series = (("points of R@10", charts.BLUE), ("points of AP@10", charts.TEAL))
    rows = [
        (one.component, f"{one.recall:+.2f}", f"{one.average_precision:+.2f}",
         f"{one.milliseconds:+.1f}", _each(one))
        for one in prices
    ]  # fmt: skip
    return section(
        "Gain and cost of each component",
        (
            "Points (hundredths) that the component gains on the questions as asked, the "
            "milliseconds it adds to the median search, and the milliseconds per point "
            "of both measures together."
        ),
        figure(charts.grouped_bars("Points gained by each component", bars, series)),
        table("prices", ("", "R@10", "AP@10", "ms", "ms a point"), rows),
    )


def _price_note(price: Price) -> str:
    each = price.milliseconds_a_point
    tail = "" if each is None else f", {each:.1f} ms a point"
    return f"{price.milliseconds:+.1f} ms{tail}"


def _each(price: Price) -> str:
    each = price.milliseconds_a_point
    return "no gain" if each is None else f"{each:.1f}"
