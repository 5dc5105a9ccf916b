"""Draw bars as SVG: they print well, and need no library and no script."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import cycle

INK = "#1c2430"
COLOURS = ("#1f5fa8", "#2a8f8a", "#c9821a", "#b23a3a", "#6f7b88")
"""Of the series, over again where there are more."""

LABEL, BARS, FIGURE = 220, 420, 70
"""Pixels for the names on the left, for the bars, and for the figures beside them."""
THICK = 12
"""Pixels from one bar of a row to the next."""


def grouped_bars(
    title: str, rows: Sequence[tuple[str, Sequence[float]]], names: Sequence[str]
) -> str:
    """Return bars from zero, one of each series a row; values may be negative."""
    series = list(zip(names, cycle(COLOURS), strict=False))
    values = [value for _, row in rows for value in row]
    low, high = min(0.0, *values), max(0.0, *values)
    scale = BARS / (high - low or 1)
    zero = LABEL + FIGURE - scale * low
    parts = [
        _text(LABEL + FIGURE + place * BARS // len(series), 14, name, colour)
        for place, (name, colour) in enumerate(series)
    ]
    y = 26.0
    for label, row in rows:
        parts.append(_text(LABEL, y + THICK * len(row) / 2 + 3, label, INK, "end"))
        for value, (_, colour) in zip(row, series, strict=True):
            start, end = sorted((zero, zero + scale * value))
            parts.append(
                f'<rect x="{start:.1f}" y="{y:.1f}" width="{end - start:.1f}" '
                f'height="{THICK - 2}" fill="{colour}"/>'
            )
            at, anchor = (start - 4, "end") if value < 0 else (end + 4, "start")
            parts.append(_text(at, y + 9, f"{value:.4g}", INK, anchor))
            y += THICK
        y += THICK
    width, height = LABEL + BARS + 2 * FIGURE, y
    return (
        f'<svg viewBox="0 0 {width} {height:.0f}" role="img" xmlns="http://www.w3.org/2000/svg" '
        f'font-family="sans-serif" font-size="12" style="max-width:{width}px">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )


def _text(x: float, y: float, text: str, colour: str, anchor: str = "start") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">'
        f"{escape(text)}</text>"
    )
