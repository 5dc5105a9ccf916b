"""Numbers that carry the list labels below them: `1.1.1(1)`, `1.1.1(2)(a)`, `12(1)`."""

from __future__ import annotations

import re

_PATH = (
    r"\s*(?P<number>[A-Z]{0,2}\d{1,3}[A-Z]{0,2}(?:\.\d{1,4}[A-Z]{0,2})*)\.?\s?"
    r"(?P<labels>(?:\([0-9A-Za-z]{1,5}\)){1,4})"
)
_ALONE = re.compile(_PATH)
_JOINED = re.compile(rf"{_PATH}(?P<gap>\s+)(?=\S)")
_LABEL = re.compile(r"\(\w+\)")
_BEGINS = re.compile(r"[A-Z“\"'‘]")


def is_joined(label: str) -> bool:
    """Return whether a label is a number with labels joined to it."""
    return _ALONE.fullmatch(label) is not None


class JoinedLabels:
    """Takes such numbers apart, line by line, and names what was named before only once."""

    def __init__(self) -> None:
        self._open: list[str] = []

    def apart(self, line: str) -> str:
        r"""Return a line with only the labels that are new in it, each before a tab.

        `1.1.1(1) A firm` becomes `1.1.1\t(1)\tA firm`, and then `1.1.1(2) It` becomes `(2)\tIt`.
        `1.1.1(1) applies` is a reference, unless labels of 1.1.1 have begun lines before it.
        """
        found = _JOINED.match(line)
        if found is None:
            return line
        path = [found["number"], *_LABEL.findall(found["labels"])]
        known = 0
        while known < min(len(path), len(self._open)) and path[known] == self._open[known]:
            known += 1
        set_off = "\t" in found["gap"] or _BEGINS.match(line, found.end())
        if known == len(path) or not (set_off or known):
            return line
        self._open = path
        return "\t".join([*path[known:], line[found.end() :]])
