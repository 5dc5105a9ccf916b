"""Paragraphs whose whole number is on a line of its own: `4.7.1` below `4.7 Principle 7`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from indexer.acts.provisions import Provision

_DOTTED = re.compile(r"(\d{1,3}(?:\.\d{1,3})+)\.?\s+(?=\S)")
_FEWEST = 2


def dotted_heading(heading: str) -> str:
    """Return the whole number that a heading begins with, or ""."""
    found = _DOTTED.match(heading)
    return found[1] if found else ""


def set_dotted_apart(provision: Provision) -> None:
    """Give each paragraph whose number counts on below that of a heading a provision of its own."""
    for child in provision.children():
        set_dotted_apart(child)
    number = provision.number.removeprefix(".")
    if provision.level != "section" or dotted_heading(provision.heading) != number or not number:
        return
    starts = _starts(provision.parts, number)
    if len(starts) < _FEWEST:
        return
    ends = [*starts[1:], len(provision.parts)]
    paragraphs = [
        Provision("section", f".{count}", parts=provision.parts[start:end])
        for count, (start, end) in enumerate(zip(starts, ends, strict=True), 1)
    ]
    provision.parts[starts[0] :] = paragraphs


def _starts(parts: Sequence[str | Provision], number: str) -> list[int]:
    """Return the places of `4.7.1`, `4.7.2` and so on, up to the first that is missing."""
    starts: list[int] = []
    for at, part in enumerate(parts):
        if isinstance(part, str) and part.strip(" .") == f"{number}.{len(starts) + 1}":
            starts.append(at)
    return starts
