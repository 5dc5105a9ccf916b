"""The protocol of all filters of replies, and the way to put several in a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class StreamFilter(Protocol):
    """Changes a text piece by piece.

    What `feed` and `finish` return, joined, is what the filter makes of the whole text, however
    that was cut into pieces. What may still change is held back.
    """

    def feed(self, text: str) -> str:
        """Take the next piece; return what may be passed on."""
        ...

    def finish(self) -> str:
        """Return what was held back; the text is complete."""
        ...


class Chain:
    """Several filters as one: each gets what the one before it passes on."""

    def __init__(self, filters: Sequence[StreamFilter]) -> None:
        self._filters = tuple(filters)

    def feed(self, text: str) -> str:
        """Take the next piece; return what may be passed on."""
        for one in self._filters:
            text = one.feed(text) if text else ""
        return text

    def finish(self) -> str:
        """Return what was held back; the text is complete."""
        left = ""
        for one in self._filters:
            left = (one.feed(left) if left else "") + one.finish()
        return left


def filtered(text: str, by: StreamFilter) -> str:
    """Return what a filter makes of a whole text."""
    return by.feed(text) + by.finish()
