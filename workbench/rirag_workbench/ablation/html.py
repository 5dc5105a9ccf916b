"""An ablation as a report in HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from rirag.reports.page import facts, figure, page, section, table
from rirag_workbench.ablation.asked import AS_ASKED
from rirag_workbench.ablation.report import Ablation, Difference, Price, Row
from rirag_workbench.ablation.variants import FULL
from rirag_workbench.reports import charts

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
