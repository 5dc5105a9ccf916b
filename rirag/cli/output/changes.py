"""Format changes of law for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from generation.text.sanitize import printable
from rirag.cli.output.hits import WIDTH

if TYPE_CHECKING:
    from search.versions.compare import Change, Comparison
    from search.versions.difference import Difference

AROUND = 12
"""Words that are shown before and after a change."""


def comparison_text(found: Comparison, title: str) -> str:
    """Return what changed, safe to print; `[-…-]` is deleted, `{+…+}` inserted."""
    heading = f"{printable(title)}: {found.from_version} → {found.to_version}"
    lines = [click.style(heading, bold=True), found.summary()]
    for change in found.changes:
        lines += ["", click.style(printable(change.headline()), bold=True)]
        lines += _block(change)
    return "\n".join([*lines, *(f"note: {printable(one)}" for one in found.problems)])


def _block(change: Change) -> Iterator[str]:
    text = marked(change.diff) if change.diff else (change.after or change.before or "")
    if change.diff and not change.words_changed:
        return
    for paragraph in printable(text).split("\n"):
        for line in textwrap.wrap(paragraph, WIDTH - 4):
            yield f"    {line}"


def marked(difference: Difference) -> str:
    """Return a difference as one text, with what is equal shortened."""
    pieces = []
    for place, (kind, text) in enumerate(difference):
        if kind == "equal":
            pieces.append(_shortened(text, place > 0, place + 1 < len(difference)))
        else:
            before, after = ("[-", "-]") if kind == "delete" else ("{+", "+}")
            pieces.append(f"{before}{text.rstrip()}{after}{text[len(text.rstrip()) :]}")
    return "".join(pieces)


def _shortened(text: str, after: bool, before: bool) -> str:
    words = text.split(" ")
    if len(words) <= (AROUND + 1) * (after + before):
        return text
    kept = [*(words[:AROUND] if after else ()), "…", *(words[-AROUND:] if before else ())]
    return " ".join(kept)
