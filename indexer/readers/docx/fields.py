"""Fields: instructions that nobody sees, and the results that Word has written for them."""

from __future__ import annotations

import re
from collections.abc import Callable

_LIST_NUMBER = re.compile(r'\s*LISTNUM\b\s*(?:"([^"]*)"|(?!\\)(\S+))?(.*)', re.IGNORECASE)
_LIST_LEVEL = re.compile(r"\\l\s*(\d)", re.IGNORECASE)
_LISTINGS = re.compile(r"\s*(TOC|TOA|INDEX)\b", re.IGNORECASE)
"""Fields whose result repeats what is elsewhere in the document."""

ListNumber = Callable[[str, int], str]
"""Takes the name of a list ("" for none) and a 0-based level."""


class FieldStack:
    """Which complex fields are open; a table of contents stays open across paragraphs."""

    def __init__(self) -> None:
        self._open: list[list[str]] = []

    def handle(self, kind: str) -> str:
        """Take a `fldChar` (`begin`, `separate` or `end`); return the code of a field that ended.

        "" while none ended, or where the result of the field is in the text.
        """
        if kind == "begin":
            self._open.append(["", "code"])
        elif kind == "separate" and self._open:
            self._open[-1][1] = "result"
        elif kind == "end" and self._open:
            code, state = self._open.pop()
            return code if state == "code" else ""
        return ""

    def instruct(self, text: str) -> None:
        """Take a piece of the instruction of the innermost field."""
        if self._open and self._open[-1][1] == "code":
            self._open[-1][0] += text

    def close_all(self) -> None:
        """Forget open fields: the document has ended one without saying so."""
        self._open.clear()

    @property
    def in_code(self) -> bool:
        """Whether the runs are an instruction, which nobody sees."""
        return any(state == "code" for _, state in self._open)

    @property
    def in_listing(self) -> bool:
        """Whether the runs are the result of a table of contents."""
        return any(is_listing(code) for code, _ in self._open)


def is_listing(code: str) -> bool:
    """Return whether a field repeats headings or marks of the document, as `TOC` does."""
    return _LISTINGS.match(code) is not None


def list_number(code: str, next_number: ListNumber | None) -> str:
    """Return the number that Word computes for a `LISTNUM` field, which has no stored result.

    Args:
        code: the instruction of a field.
        next_number: counts in a list.
    """
    found = _LIST_NUMBER.match(code)
    if not found or next_number is None:
        return ""
    level = _LIST_LEVEL.search(found[3] or "")
    return next_number(found[1] or found[2] or "", int(level[1]) - 1 if level else 0)
