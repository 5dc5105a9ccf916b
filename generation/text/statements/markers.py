"""The markers of list items in legal text: `(a)`, `(ii)`, `3)`, `b.`, `4.`, bullets."""

from __future__ import annotations

import re
from dataclasses import dataclass

from search.provisions.roman import roman_value

_BULLET = r"[•▪●◦–—-]|o(?=\t)"
BULLET = re.compile(rf"\s*(?:{_BULLET})\s+(?=\S)")
"""The sign before an item of a list that is not counted."""
_MARKER = re.compile(
    r"\s*(?:(?P<both>\((?P<b>[0-9]{1,3}[A-Z]?|[a-z]{1,5}|[A-Z]{1,4})\))"
    r"|(?P<right>(?P<r>[0-9]{1,3}|[a-z]{1,4})\))"
    r"|(?P<dot>(?P<d>[0-9]{1,3}|[a-zA-Z]|[ivx]{1,5})\.(?P<tab>(?=\t))?)"
    rf"|(?P<bullet>{_BULLET}))\s+(?=\S)"
)
_ROMAN = re.compile(r"[ivxl]+", re.IGNORECASE)

Style = tuple[str, str]
"""Form of the brackets, and what is counted with: `("both", "alpha")`."""


@dataclass(frozen=True, slots=True)
class Marker:
    """The marker at the head of a line."""

    form: str
    value: str
    """What is between the brackets; empty for a bullet."""
    end: int
    """Where the line's own text begins."""
    doubtful: bool = False
    """Whether it may as well open a sentence, as in `2. A firm must …`, or be the end of one."""

    def styles(self) -> tuple[Style, ...]:
        """Return the styles it may belong to, likeliest first: `(i)` may be a letter or a one."""
        if self.form == "bullet":
            return (("bullet", ""),)
        if self.value[0].isdigit():
            return ((self.form, "number"),)
        case = "upper" if self.value.isupper() else "lower"
        letter, roman = (self.form, f"{case} letter"), (self.form, f"{case} roman")
        if not _ROMAN.fullmatch(self.value):
            return (letter,)
        if len(self.value) > 1:
            return (roman, letter)
        return (roman, letter) if self.value in "iI" else (letter, roman)

    def is_first(self) -> bool:
        """Return whether it opens a list."""
        return self.form == "bullet" or self.value.lower() in ("1", "a", "i")

    def follows(self, before: str, style: Style) -> bool:
        """Return whether it is the very next after a value, in one of its styles."""
        return 0 < _place(before, style) == _place(self.value, style) - 1

    def goes_beyond(self, before: str, style: Style) -> bool:
        """Return whether it comes after a value, perhaps with gaps, in one of its styles."""
        return 0 < _place(before, style) < _place(self.value, style)


def _place(value: str, style: Style) -> int:
    """Return the place of a value in its list, counted from 1; 0: that cannot be told."""
    if style[1].endswith("roman"):
        return roman_value(value.lower()) or 0
    if style[1].endswith("letter") and len(value) == 1:
        return ord(value.lower()) - ord("a") + 1
    return int(value) if style[1] == "number" and value.isdecimal() else 0


def find_marker(line: str) -> Marker | None:
    """Return the marker at the head of a line, None if it has none."""
    found = _MARKER.match(line)
    if not found:
        return None
    form = next(name for name in ("both", "right", "dot", "bullet") if found[name])
    value = found["b"] or found["r"] or found["d"] or ""
    return Marker(form, value, found.end(), form == "dot" and found["tab"] is None)
