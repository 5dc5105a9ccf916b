"""A JSON list read element by element: a file of any size in little memory."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TextIO

from indexer.readers.files import unusable
from indexer.readers.json.record import REQUIRED
from indexer.readers.json.text import limit_fault, make_decoder
from search.errors import InputError

CHUNK = 1 << 20
"""Characters read at once. Twice as many are asked for whenever an element is not whole yet."""

LONGEST_ELEMENT = 1 << 26
"""Characters after which an element counts as broken: 64 million, a hundred thick books."""

_BLANK = " \t\r\n"
_TEXT = r'"(?:[^"\\]|\\.){0,2000}"'
LIST_WITHIN = re.compile(
    rf"\{{\s*(?:{_TEXT}\s*:\s*(?:{_TEXT}|-?\d[\d.eE+-]*|true|false|null)\s*,\s*){{0,50}}"
    rf"{_TEXT}\s*:\s*(?=\[\s*\{{)"
)
"""The beginning of an object whose records are in one list: `{"documents": [{`."""


class JsonList:
    """The elements of a JSON list, or of the one list in an object, each with its line."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._buffer = ""
        self._position = 0
        self._line = 1
        self._decoder = make_decoder()

    def __iter__(self) -> Iterator[tuple[int, object]]:
        """Yield (1-based line, element); nothing for a file without content.

        Raises:
            InputError: the file is not a list or not JSON; `line` says where.
        """
        first = self._next_character()
        if not first:
            return
        within = LIST_WITHIN.match(self._buffer, self._position)
        if within:
            self._advance(within.end() - self._position)
        elif first != "[":
            raise unusable(f"not a JSON list of records; {self._advice()}")
        self._advance(1)
        if self._next_character() == "]":
            self._advance(1)
        else:
            yield from self._elements()
        if within:
            self._end_object()
        if self._next_character():
            raise self._error("text after the end of the list")

    def _end_object(self) -> None:
        """Pass over the rest of the object around the list."""
        while self._next_character() == ",":
            self._advance(1)
            self._next_character()
            self._element()
            if self._next_character() != ":":
                raise self._error("expected ':'")
            self._advance(1)
            if self._next_character() in {"[", "{"}:
                raise unusable(
                    "an object with several lists or objects; give one list of records alone, as "
                    '[{"ID": …}, {"ID": …}]'
                )
            self._element()
        if self._next_character() != "}":
            raise self._error("expected '}'")
        self._advance(1)

    def _advice(self) -> str:
        """Return what to do with a file that is not a list: its first line may be a record."""
        line = self._buffer[self._position :].partition("\n")[0]
        try:
            record = self._decoder.decode(line)
        except (ValueError, RecursionError):
            record = None
        if isinstance(record, dict) and not record.keys().isdisjoint(REQUIRED):
            return "give a list, or --format jsonl"
        return 'give the list alone, as [{"ID": …}, {"ID": …}]'

    def _elements(self) -> Iterator[tuple[int, object]]:
        while True:
            self._next_character()
            line = self._line
            yield line, self._element()
            mark = self._next_character()
            if mark not in {",", "]"}:
                raise self._error("expected ',' or ']' after a record")
            self._advance(1)
            if mark == "]":
                return

    def _element(self) -> object:
        wanted = CHUNK
        while True:
            try:
                element, end = self._decoder.raw_decode(self._buffer, self._position)
            except json.JSONDecodeError as error:
                inside = error.pos - self._position  # `_fill` moves the element to the front
                if wanted > LONGEST_ELEMENT or not self._fill(wanted):
                    raise self._error(error.msg, self._position + inside) from error
                wanted *= 2
            except (ValueError, RecursionError) as error:
                raise self._error(limit_fault(error), what="JSON that cannot be used") from error
            else:
                self._advance(end - self._position)
                return element

    def _next_character(self) -> str:
        while True:
            rest = len(self._buffer)
            end = self._position
            while end < rest and self._buffer[end] in _BLANK:
                end += 1
            self._advance(end - self._position)
            if end < rest:
                return self._buffer[end]
            if not self._fill(CHUNK):
                return ""

    def _advance(self, characters: int) -> None:
        end = self._position + characters
        self._line += self._buffer.count("\n", self._position, end)
        self._position = end

    def _fill(self, characters: int) -> bool:
        more = self._file.read(characters)
        self._buffer = self._buffer[self._position :] + more
        self._position = 0
        return bool(more)

    def _error(
        self, problem: str, position: int | None = None, what: str = "not valid JSON"
    ) -> InputError:
        end = self._position if position is None else position
        error = unusable(f"{what} ({problem}); correct the file")
        error.line = self._line + self._buffer.count("\n", self._position, end)
        return error
