"""Records of a JSON list, of lines of JSON, or one alone, each with the line on which it is.

A file is refused with every problem in it at once, so that it can be repaired in one go.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from rirag.files import read_text
from search.errors import InputError

T = TypeVar("T")

Problem = tuple[int, str]
"""1-based line, and a sentence."""

MOST_SHOWN = 20
"""Problems of a file that are listed."""

_BEYOND_JSON = (ValueError, RecursionError)
"""What decoding raises on numbers that are too long and on lists that are nested too deep."""

_OVER_LINES = "{\n "
"""How a record begins whose fields are on indented lines of their own."""


def read_records(
    path: Path,
    parse: Callable[[Any, int], T],
    records: Callable[[str, list[Problem]], Iterator[tuple[int, Any]]] | None = None,
) -> list[T]:
    """Read the records of a file.

    Args:
        path: of the file.
        parse: takes a decoded record and its 1-based line; a ValueError says what is wrong with it.
        records: `json_lines` where a list cannot be used; None: `json_records`.
    """
    problems: list[Problem] = []
    found = []
    for line, record in (records or json_records)(read_text(path), problems):
        try:
            found.append(parse(record, line))
        except ValueError as error:
            problems.append((line, str(error)))
    refuse_if_any(problems, path)
    return found


def refuse_if_any(problems: Sequence[Problem], path: Path) -> None:
    """Raise one `InputError` that lists the problems in order of line, if there are any."""
    if not problems:
        return
    first, *more = sorted(problems)
    shown = [f"{path}:{line}: {text}" for line, text in more[: MOST_SHOWN - 1]]
    if len(problems) > MOST_SHOWN:
        shown.append(f"and {len(problems) - MOST_SHOWN} more problems")
    raise InputError("\n".join([first[1], *shown]), path, first[0], code="file.invalid")


def json_records(text: str, problems: list[Problem]) -> Iterator[tuple[int, Any]]:
    """Yield (1-based line, decoded record); what is not JSON goes to `problems`."""
    content = text.strip()
    if content.startswith("["):
        yield from _list_items(text, problems)
    elif content.startswith(_OVER_LINES) or _is_json(content):
        yield from _decoded(content, _line(text, _skip(text, 0)), problems)
    else:
        yield from json_lines(text, problems)


def json_lines(text: str, problems: list[Problem]) -> Iterator[tuple[int, Any]]:
    """Yield what `json_records` does, of a text that is not a list but lines.

    Of a text without any record, such as a file of another format, one problem is enough.
    """
    before, found = len(problems), False
    for line, content in enumerate(text.split("\n"), start=1):
        if content.strip():
            for record in _decoded(content, line, problems):
                found = True
                yield record
    if not found:
        del problems[before + 1 :]


def refuse_half_characters(text: str, name: str) -> None:
    """Refuse a text of a record that no file can hold; a ValueError says what is wrong with it.

    Args:
        text: to be looked at.
        name: what it is, such as `field 'question'`.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(
            f"{name} contains half a character (a lone \\ud… escape); remove it."
        ) from None


def _decoded(text: str, line: int, problems: list[Problem]) -> Iterator[tuple[int, Any]]:
    """Yield the record that a text is, which begins on a line."""
    try:
        yield line, json.loads(text)
    except json.JSONDecodeError as error:
        problems.append((line + error.lineno - 1, f"this is not valid JSON: {error.msg}."))
    except _BEYOND_JSON as error:
        problems.append((line, _beyond(error)))


def _beyond(error: ValueError | RecursionError) -> str:
    deep = isinstance(error, RecursionError)
    reason = "it is nested too deep" if deep else "a number has too many digits"
    return f"this JSON cannot be read: {reason}."


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except _BEYOND_JSON:
        return False
    return True


def _list_items(text: str, problems: list[Problem]) -> Iterator[tuple[int, Any]]:
    # The list is decoded item by item, because only so is the line of each record known.
    decoder = json.JSONDecoder()
    place = _skip(text, text.index("[") + 1)
    line, counted = 1, 0
    closed = text[place : place + 1] == "]"
    while not closed:
        line, counted = line + text.count("\n", counted, place), place
        try:
            record, end = decoder.raw_decode(text, place)
        except json.JSONDecodeError as error:
            problems.append((error.lineno, f"this is not valid JSON: {error.msg}."))
            return
        except _BEYOND_JSON as error:
            problems.append((line, _beyond(error)))
            return
        yield line, record
        place = _skip(text, end)
        closed = text[place : place + 1] == "]"
        if not closed and text[place : place + 1] != ",":
            problems.append(
                (_line(text, end), "this is not valid JSON: a comma or ']' is missing.")
            )
            return
        if not closed:
            place = _skip(text, place + 1)
    if text[place + 1 :].strip():
        problems.append(
            (_line(text, place), "this is not valid JSON: there is text after the list.")
        )


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def _skip(text: str, place: int) -> int:
    while text[place : place + 1].isspace():
        place += 1
    return place
