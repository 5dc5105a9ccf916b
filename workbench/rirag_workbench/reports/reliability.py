"""A reliability diagram as SVG: what was said against what came true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rirag_workbench.reports.charts import BLUE

SIZE, MARGIN = 300, 46
"""Pixels of the square, and around it."""

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
    """Return the diagram of several calibrations.

    Args:
        title: above the diagram; also its text for those who do not see it.
        curves: name → bins of predictions.
    """
    whole = SIZE + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole + 150} {whole}" '
        f'font-family="sans-serif" font-size="12" role="img"><title>{title}</title>',
        f'<rect width="{whole + 150}" height="{whole}" fill="white"/>',
        f'<text x="{MARGIN}" y="24" font-size="14">{title}</text>',
        *_frame(),
    ]
    for place, (name, bins) in enumerate(curves.items()):
        parts += _curve(name, bins, COLOURS[place % len(COLOURS)], place)
    return "\n".join([*parts, "</svg>\n"])


def _frame() -> list[str]:
    low, high = MARGIN, MARGIN + SIZE
    lines = [
        f'<line x1="{low}" y1="{high}" x2="{high}" y2="{low}" stroke="#999" stroke-dasharray="4"/>',
        f'<rect x="{low}" y="{low}" width="{SIZE}" height="{SIZE}" fill="none" stroke="#444"/>',
        f'<text x="{low + SIZE / 2}" y="{high + 36}" text-anchor="middle">probability said</text>',
        f'<text transform="translate(14 {low + SIZE / 2}) rotate(-90)" text-anchor="middle">'
        "share that came true</text>",
    ]
    for tenth in range(0, 11, 2):
        x, y = _place(tenth / 10, tenth / 10)
        lines.append(f'<text x="{x}" y="{high + 16}" text-anchor="middle">{tenth / 10:g}</text>')
        lines.append(f'<text x="{low - 6}" y="{y + 4}" text-anchor="end">{tenth / 10:g}</text>')
    return lines


def _curve(name: str, bins: Sequence[Bin], colour: str, place: int) -> list[str]:
    points = [(*_place(one.predicted, one.observed), one.weight) for one in bins]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in points)
    legend = MARGIN + 14 + 20 * place
    right = MARGIN + SIZE + 16
    # The area of a dot is its share of the predictions.
    dots = [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{2 + 12 * weight**0.5:.1f}" fill="{colour}" '
        'fill-opacity="0.35"/>'
        for x, y, weight in points
    ]
    return [
        f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>',
        *dots,
        f'<line x1="{right}" y1="{legend}" x2="{right + 18}" y2="{legend}" stroke="{colour}" '
        'stroke-width="3"/>',
        f'<text x="{right + 24}" y="{legend + 4}">{name}</text>',
    ]


def _place(predicted: float, observed: float) -> tuple[float, float]:
    return MARGIN + SIZE * predicted, MARGIN + SIZE * (1 - observed)
