"""Turns the lines of a response into JSON values, in whichever form the server chose to send them.

A server may stream where a whole reply was asked for, and the reverse.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

_EVENTS = ("data:", "event:", "id:", "retry:", ":")


class Wire:
    """Takes a response line by line."""

    def __init__(self) -> None:
        self._pending: list[str] = []
        self._is_open = False
        self.is_stream = False
        """Whether the values are pieces of one reply."""
        self.is_done = False
        """Whether the server said that nothing more comes."""

    @property
    def text(self) -> str:
        """What came and is not JSON yet."""
        return "\n".join(self._pending)

    def line(self, line: str) -> Iterator[Any]:
        """Take the next line, without its end; yield the values that it completes.

        Raises:
            ValueError: an event holds something else than JSON.
        """
        line = line.removeprefix("\ufeff")
        if not self._is_open and line.strip():
            self._is_open, self.is_stream = True, line.lstrip().startswith(_EVENTS)
        if not self.is_stream:
            self._pending.append(line)
            return
        if not line.strip():
            yield from self._event(complete=True)
            return
        name, _, value = line.strip().partition(":")
        if name == "data" and not self.is_done:
            value = value.removeprefix(" ")
            if value.strip() == "[DONE]":
                self.is_done = True
                return
            self._pending.append(value)
            if len(self._pending) == 1:  # most events have one line; longer ones end with a blank
                yield from self._event(complete=False)

    def end(self) -> Iterator[Any]:
        """Yield what the end of the response completes.

        Raises:
            ValueError: it is not JSON.
        """
        if self.is_stream or not self.text.strip():
            yield from self._event(complete=True)
            return
        try:
            yield json.loads(self.text)
        except ValueError:
            lines = [line for line in self._pending if line.strip()]
            if len(lines) == 1 or not all(line.lstrip().startswith("{") for line in lines):
                raise
            self.is_stream = True
            yield from [json.loads(line) for line in lines]

    def _event(self, *, complete: bool) -> Iterator[Any]:
        """Yield the value of an event; one of a single line may lack the blank line behind it."""
        text = self.text.strip()
        if not text:
            self._pending.clear()
            return
        try:
            value = json.loads(text)
        except ValueError:
            if complete:
                raise
            return
        self._pending.clear()
        yield value
