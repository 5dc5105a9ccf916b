"""An ablation as one HTML file: tables and plots, without scripts, fonts or anything from outside.

It is well-formed XML too, so that programs can read its tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from generation.text.sanitize import printable
from rirag.ablation import svg
from rirag.ablation.asked import AS_ASKED
from rirag.ablation.lost import Lost
from rirag.ablation.report import Ablation, Difference, Price, Row
from rirag.ablation.style import STYLE
from rirag.ablation.variants import FULL

LOST_SERIES = (
    ("found", svg.TEAL), ("lost in rerank", svg.AMBER), ("lost in fusion", svg.RED),
    ("in no leg", svg.GREY),
)  # fmt: skip

WAYS_LEAD = (
    "A dot is a mean over the questions; the dashed line is the whole pipeline. Beside it the "
    "difference, with * where it is hardly luck (p below .05, paired randomisation test)."
)


def to_html(ablation: Ablation) -> str:
    """Return the report as the text of a file."""
    sections = "\n".join(
        [
            _facts(ablation),
            _section(
                "Every way to search, on the questions as asked",
                WAYS_LEAD,
                _dots(ablation.rows, "R@10") + _dots(ablation.rows, "AP@10"),
                _main_table(ablation.rows),
            ),
            _section(
                "By length of the question, and by what training saw",
                "Difference from the whole pipeline in points (hundredths) of R@10 and AP@10; bold "
                "where it is hardly luck. Red: worse without the component.",
                _group_table(ablation.rows),
            ),
            _prices(ablation.prices),
            _lost(ablation.lost),
        ]
    )
    notes = "".join(f"<li>{escape(note)}</li>" for note in ablation.notes)
    to_know = f"<h2>What else to know</h2><ul>{notes}</ul>" if notes else ""
    return printable(
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
        f"<title>Ablation of search</title><style>{STYLE}</style></head>\n<body>"
        f"<h1>What each component of search is worth</h1>\n{sections}\n{to_know}"
        "</body></html>\n"
    )


def _facts(ablation: Ablation) -> str:
    rows = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>"
        for name, value in ablation.facts
    )
    command = f"<pre>{escape(ablation.command)}</pre>"
    return f'<table class="facts" id="facts"><tbody>{rows}</tbody></table>{command}'


def _section(title: str, lead: str, *content: str) -> str:
    return f"<section><h2>{escape(title)}</h2><p>{escape(lead)}</p>{''.join(content)}</section>"


def _dots(rows: Sequence[Row], measure: str) -> str:
    shown = [
        svg.Dot(row.name, found.value, _note(row, found), _colour(row))
        for row in rows
        for found in [_of(row, AS_ASKED, measure)]
    ]
    plot = svg.dot_plot(f"{measure} of every way to search", shown, shown[0].value)
    return f"<figure><figcaption>{measure}</figcaption>{plot}</figure>"


def _of(row: Row, group: str, measure: str) -> Difference:
    found = row.groups[group]
    return found.recall if measure == "R@10" else found.average_precision


def _note(row: Row, found: Difference) -> str:
    if row.name == FULL:
        return f"{found.value:.4f}"
    return f"{found.difference:+.4f}{'*' if found.significant else ''}"


def _colour(row: Row) -> str:
    if row.name == FULL:
        return svg.BLUE
    return svg.AMBER if not row.component else svg.TEAL


def _main_table(rows: Sequence[Row]) -> str:
    head = ("", "what is different", "R@10", "difference", "p", "AP@10", "difference", "p", "ms")
    body = []
    for row in rows:
        cells = []
        for measure in ("R@10", "AP@10"):
            found = _of(row, AS_ASKED, measure)
            cells += [f"{found.value:.4f}", f"{found.difference:+.4f}", f"{found.p_value:.4f}"]
        body.append((row.name, row.change, *cells, f"{row.milliseconds:.1f}"))
    return _table("ways", head, body)


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
        svg.Bar(one.component, (one.recall, one.average_precision), _price_note(one))
        for one in prices
    ]
    series = (("points of R@10", svg.BLUE), ("points of AP@10", svg.TEAL))
    rows = [
        (one.component, f"{one.recall:+.2f}", f"{one.average_precision:+.2f}",
         f"{one.milliseconds:+.1f}", _each(one))
        for one in prices
    ]  # fmt: skip
    return _section(
        "What a component gains, and what it costs",
        "Points (hundredths) gained on the questions as asked by having the component, the "
        "milliseconds that it adds to the median search, and the milliseconds for each point of "
        "both measures together.",
        f"<figure>{svg.grouped_bars('Points gained by each component', bars, series)}</figure>",
        _table("prices", ("", "R@10", "AP@10", "ms", "ms a point"), rows),
    )


def _price_note(price: Price) -> str:
    each = price.milliseconds_a_point
    tail = "" if each is None else f", {each:.1f} ms a point"
    return f"{price.milliseconds:+.1f} ms{tail}"


def _each(price: Price) -> str:
    each = price.milliseconds_a_point
    return "no gain" if each is None else f"{each:.1f}"


def _lost(rows: Sequence[Lost]) -> str:
    parts = [(one.found, one.in_rerank, one.in_fusion, one.in_no_leg) for one in rows]
    labels = [f"legs {one.depth} deep" for one in rows]
    bars = [svg.Bar(label, values) for label, values in zip(labels, parts, strict=True)]
    body = [
        (label, *(f"{value:.4f}" for value in values))
        for label, values in zip(labels, parts, strict=True)
    ]
    names = tuple(name for name, _ in LOST_SERIES)
    plot = svg.stacked_bars("Where right passages are lost", bars, LOST_SERIES)
    return _section(
        "Where the right passage is lost",
        "Shares of all right passages of the questions as asked, by how many candidates each leg "
        "proposes, without the learned step: proposed by none; proposed, but ranked too low by the "
        "fusion for the reranker to read (or, without one, for the first ten); read, but not put "
        "among the first ten.",
        f"<figure>{plot}</figure>",
        _table("lost", ("", *names), body),
    )


def _table(name: str, head: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    heads = "".join(f"<th>{escape(text)}</th>" for text in head)
    rows = "".join(
        f"<tr><th>{escape(first)}</th>"
        + "".join(f"<td>{escape(text)}</td>" for text in rest)
        + "</tr>"
        for first, *rest in body
    )
    return (
        f'<table id="{name}"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )  # fmt: skip
