"""How a reading agrees with a hand-made file, for people."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from generation.text.sanitize import one_line
from indexer.load.report import count

if TYPE_CHECKING:
    from indexer.review.check import Check, Difference

SIGNS = {"missing": ("-", "red"), "extra": ("+", "green"), "text": ("~", "yellow")}
"""Kind of difference → its sign, as in a patch, and its colour."""

TEXT_CHARACTERS = 400
"""Characters of a text that are looked at for its first words."""


def check_lines(check: Check) -> Iterator[str]:
    """Yield the figures, then every difference in the order of the document."""
    yield (
        f"{check.gold:,} passages in the hand-made file, {check.read:,} read, "
        f"{check.matched:,} with the same number."
    )
    yield (
        f"precision {check.precision:.3f}, recall {check.recall:.3f}, F1 {check.f1:.3f}, "
        f"text agreement {check.text_agreement:.3f}"
    )
    if not check.differences:
        yield "Both agree."
        return
    width = shutil.get_terminal_size((88, 24)).columns
    yield ""
    yield (
        f"{count(len(check.differences), 'difference')} (- only in the hand-made "
        "file, + only read, ~ different text, with F1):"
    )
    for difference in check.differences:
        yield _line(difference, width)


def _line(difference: Difference, width: int) -> str:
    sign, colour = SIGNS[difference.kind]
    number = one_line(difference.passage_id)
    if difference.kind == "text":
        number += f"  {difference.agreement:.3f}"
    place = f"  {one_line(difference.source)}" if difference.source else ""
    columns = max(width - len(number) - len(place) - 4, 0)
    words = one_line(_what_differs(difference)[:TEXT_CHARACTERS])
    if len(words) > columns:
        words = words[: max(columns - 1, 0)] + "…"
    start = click.style(f"{sign} {number}", fg=colour)
    return f"{start}  {words}{click.style(place, dim=True)}"


def _what_differs(difference: Difference) -> str:
    """Return the text, or, where only words differ, these: first those that only people wrote."""
    if difference.kind != "text":
        return difference.text
    sides = (("-", difference.only_by_hand), ("+", difference.only_read))
    return "  ".join(f"{sign} {' '.join(words)}" for sign, words in sides if words)
