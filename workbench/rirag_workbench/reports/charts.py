"""Small charts as SVG, drawn by hand: they print well, and need no library and no script."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

INK, QUIET, GRID = "#1c2430", "#5b6675", "#dfe4ea"
BLUE, TEAL, AMBER, RED, GREY = "#1f5fa8", "#2a8f8a", "#c9821a", "#b23a3a", "#6f7b88"

LABEL = 170
"""Pixels for the names on the left."""
LINE = 26
"""Pixels between two rows."""
DOTS_WIDTH, BARS_WIDTH = 560, 760
"""Pixels of a whole chart."""


@dataclass(frozen=True, slots=True)
class Dot:
    """A row of a dot plot."""

    label: str
    value: float
    note: str
    """Beside the dot."""
    colour: str = BLUE


@dataclass(frozen=True, slots=True)
class Bar:
    """A row of bars that lie beside one another."""

    label: str
    values: Sequence[float]
    note: str = ""


def dot_plot(title: str, rows: Sequence[Dot], reference: float) -> str:
    """Return a dot a row on one axis, with a line at a reference value.

    The axis does not begin at zero: dots show differences, and not amounts.
    """
    values = [row.value for row in rows] + [reference]
    low, high = min(values), max(values)
    margin = (high - low) * 0.06 or 0.01
    low, high = low - margin, high + margin
    left, right = LABEL, DOTS_WIDTH - 120

    def x(value: float) -> float:
        return left + (value - low) / (high - low) * (right - left)

    height = LINE * len(rows) + 46
    parts = [_axis(x, _ticks(low, high), height, ".2f")]
    parts.append(_line(x(reference), 8, x(reference), height - 34, BLUE, dashed=True))
    for place, row in enumerate(rows):
        y = 22 + LINE * place
        parts.append(_text(left - 12, y + 4, row.label, anchor="end"))
        parts.append(_line(x(reference), y, x(row.value), y, GRID, width=3))
        parts.append(f'<circle cx="{x(row.value):.1f}" cy="{y}" r="5" fill="{row.colour}"/>')
        parts.append(_text(right + 12, y + 4, row.note, colour=QUIET))
    return _svg(title, DOTS_WIDTH, height, parts)


def grouped_bars(title: str, rows: Sequence[Bar], series: Sequence[tuple[str, str]]) -> str:
    """Return bars from zero, one of each series a row; values may be negative.

    Args:
        title: what the chart shows, for those who cannot see it.
        rows: with a value for each series.
        series: (name, colour) of each.
    """
    values = [value for row in rows for value in row.values] + [0.0]
    low, high = min(values), max(values)
    high = high if high > low else low + 1
    left, right = LABEL, BARS_WIDTH - 190

    def x(value: float) -> float:
        return left + (value - low) / (high - low) * (right - left)

    step = 12 * len(series) + 14
    height = step * len(rows) + 68
    parts = [_legend(series, LABEL, 12), _axis(x, _ticks(low, high), height, "g", top=24)]
    for place, row in enumerate(rows):
        y = 34 + step * place
        parts.append(_text(left - 12, y + 6 * len(series) + 4, row.label, anchor="end"))
        parts.append(_text(right + 12, y + 6 * len(series) + 4, row.note, colour=QUIET))
        for number, (value, (_, colour)) in enumerate(zip(row.values, series, strict=True)):
            start, end = sorted((x(0), x(value)))
            parts.append(_rectangle(start, y + 12 * number, end - start, 10, colour))
    parts.append(_line(x(0), 24, x(0), height - 34, INK))
    return _svg(title, BARS_WIDTH, height, parts)


def _svg(title: str, width: int, height: int, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" xmlns="http://www.w3.org/2000/svg" '
        f'font-family="sans-serif" font-size="12" style="max-width:{width}px">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )


def _axis(
    x: Callable[[float], float], ticks: Sequence[float], height: int, form: str, top: int = 8
) -> str:
    return "".join(
        _line(x(tick), top, x(tick), height - 34, GRID)
        + _text(x(tick), height - 16, f"{tick:{form}}", anchor="middle", colour=QUIET)
        for tick in ticks
    )


def _ticks(low: float, high: float) -> list[float]:
    """Return round values within a range, three to seven of them."""
    size = 10.0 ** math.floor(math.log10(high - low))
    step = next(
        one for one in (size / 5, size / 2, size, 2 * size) if (high - low) / one <= 7
    )  # fmt: skip
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(place * step, 6) for place in range(first, last + 1)]


def _legend(series: Sequence[tuple[str, str]], x: float, y: float) -> str:
    parts = []
    for name, colour in series:
        parts.append(_rectangle(x, y - 9, 10, 10, colour) + _text(x + 15, y, name))
        x += 32 + 7 * len(name)
    return "".join(parts)


def _text(x: float, y: float, text: str, *, anchor: str = "start", colour: str = INK) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">'
        f"{escape(text)}</text>"
    )


def _rectangle(x: float, y: float, width: float, height: float, colour: str) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(0.0, width):.1f}" height="{height}" '
        f'fill="{colour}"/>'
    )


def _line(
    x1: float, y1: float, x2: float, y2: float, colour: str, *, width: int = 1,
    dashed: bool = False,
) -> str:  # fmt: skip
    dashes = ' stroke-dasharray="4 3"' if dashed else ""
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
        f'stroke-width="{width}"{dashes}/>'
    )


SIZE, MARGIN, LEGEND = 300, 46, 150
"""Pixels of the square of a reliability diagram, around it, and for the names on its right."""

COLOURS = (BLUE, "#c2571a", "#2e7d4f")
"""Told apart by people who do not see red and green, too, as they differ in lightness."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Predictions of about one size, and what came true of them."""

    predicted: float
    observed: float
    weight: float
    """Share of all predictions."""


def reliability_svg(title: str, curves: Mapping[str, Sequence[Bin]]) -> str:
    """Return a diagram of what several calibrations said against what came true.

    Args:
        title: above the diagram; also its text for those who do not see it.
        curves: name → bins of predictions.
    """
    low, high = MARGIN, MARGIN + SIZE
    whole, middle = SIZE + 2 * MARGIN, MARGIN + SIZE / 2
    parts = [
        _rectangle(0, 0, whole + LEGEND, whole, "white"),
        _text(low, 24, title),
        f'<rect x="{low}" y="{low}" width="{SIZE}" height="{SIZE}" fill="none" stroke="{INK}"/>',
        _line(low, high, high, low, GREY, dashed=True),
        _text(middle, high + 36, "probability said", anchor="middle"),
        f'<g transform="translate(14 {middle}) rotate(-90)">'
        f"{_text(0, 0, 'share that came true', anchor='middle')}</g>",
    ]
    for tenth in range(0, 11, 2):
        shift = SIZE * tenth / 10
        parts.append(_text(low + shift, high + 16, f"{tenth / 10:g}", anchor="middle"))
        parts.append(_text(low - 6, high - shift + 4, f"{tenth / 10:g}", anchor="end"))
    for place, (name, bins) in enumerate(curves.items()):
        colour, right, y = COLOURS[place % len(COLOURS)], high + 16, low + 14 + 20 * place
        at = [(low + SIZE * one.predicted, high - SIZE * one.observed) for one in bins]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}"/>')
        # The area of a dot is its share of the predictions.
        parts += [
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{2 + 12 * one.weight**0.5:.1f}" '
            f'fill="{colour}" fill-opacity="0.35"/>'
            for (x, y), one in zip(at, bins, strict=True)
        ]
        parts.append(_line(right, y, right + 18, y, colour, width=3))
        parts.append(_text(right + 24, y + 4, name))
    return _svg(title, whole + LEGEND, whole, parts) + "\n"
