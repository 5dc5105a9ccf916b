"""Which XML a file holds, by its beginning."""

from __future__ import annotations

import re

_SKIPPED = re.compile(
    r"(?:\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>)", re.DOTALL | re.IGNORECASE
)
_ELEMENT = re.compile(r"<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)")


def root_name(beginning: str) -> str:
    """Return the name of the first element, without its prefix; "" if there is none."""
    place = 0
    while skipped := _SKIPPED.match(beginning, place):
        place = skipped.end()
    found = _ELEMENT.match(beginning, place)
    return found.group(1) if found else ""
