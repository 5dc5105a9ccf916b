"""The text of a message, in whatever shape servers put it."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from generation.llm.protocol import ToolCall, tool_call
from generation.llm.tables import SERVERS


class Characters:
    """Joins the halves of characters piece by piece, and replaces those that stay alone.

    JSON escapes can bring in half a character, which no file, terminal or request can hold; a
    server that cuts its text carelessly sends the two halves in two chunks.
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-16-le")("replace")

    def feed(self, text: str) -> str:
        """Take the next piece; return what of it is whole."""
        return self._decoder.decode(text.encode("utf-16-le", "surrogatepass"))

    def finish(self) -> str:
        """Return what is left of half a character."""
        return self._decoder.decode(b"", final=True)


def whole_text(text: str) -> str:
    """Return a text with halves of characters joined, and those that stay alone replaced."""
    characters = Characters()
    return characters.feed(text) + characters.finish()


_FIELDS = SERVERS["content"]
_DEPTH = 4


class ShapeError(Exception):
    """A part of a reply has a shape that no server is known to send."""


@dataclass(frozen=True, slots=True)
class Content:
    """What a message, or a piece of one, says."""

    answer: str = ""
    """May hold reasoning between marks."""
    reasoning: str = ""
    """What stands apart from the answer."""
    refusal: str = ""


def content_of(message: Any) -> Content:
    """Return what a message or a delta says."""
    if message is None:
        return Content()
    if isinstance(message, str):
        return Content(message)
    if not isinstance(message, Mapping):
        raise ShapeError
    parts = list(_parts(message.get("content")))
    told = (_text(message.get(name)) for name in _FIELDS["thought_fields"])
    apart = next((one for one in told if one), "")
    refusals = [_text(message.get("refusal")), *(text for kind, text in parts if kind == "refusal")]
    return Content(
        "".join(text for kind, text in parts if kind == "answer"),
        apart + "".join(text for kind, text in parts if kind == "reasoning"),
        "".join(refusals),
    )


def _parts(content: Any) -> Iterator[tuple[str, str]]:
    if content is None:
        return
    if isinstance(content, str):
        yield "answer", content
    elif isinstance(content, Mapping):
        kind = str(content.get("type", ""))
        if kind.startswith("refusal"):
            yield "refusal", _text(content.get("refusal") or content)
        elif content.get("thought") is True or any(
            map(kind.__contains__, _FIELDS["thought_kinds"])
        ):
            yield "reasoning", _text(content)
        elif any(isinstance(content.get(name), str | list | Mapping) for name in _FIELDS["texts"]):
            yield "answer", _text(content)
        elif not kind:
            raise ShapeError
    elif isinstance(content, Sequence):
        for part in content:
            yield from _parts(part)
    else:
        raise ShapeError


def _text(value: Any, depth: int = 0) -> str:
    """Return the text of a value: itself, that of its parts, or that of its first known field."""
    if isinstance(value, str):
        return value
    if depth > _DEPTH:
        return ""
    if isinstance(value, list):
        return "".join(_text(part, depth + 1) for part in value)
    if isinstance(value, Mapping):
        found = (_text(value.get(name), depth + 1) for name in _FIELDS["texts"])
        return next(filter(None, found), "")
    return ""


@dataclass
class _Begun:
    key: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    given: Mapping[str, Any] | None = None
    """Arguments that came as an object."""


class Calls:
    """Puts the calls of a reply together."""

    def __init__(self) -> None:
        self._begun: dict[object, _Begun] = {}

    def __bool__(self) -> bool:
        return bool(self._begun)

    def add(self, message: Any, *, whole: bool) -> None:
        """Take the calls of a message, or the pieces in a delta."""
        if not isinstance(message, Mapping):
            return
        listed = message.get("tool_calls") or []
        if not isinstance(listed, list):
            raise ShapeError
        if isinstance(message.get("function_call"), Mapping):
            listed = [*listed, {"function": message["function_call"]}]
        for place, piece in enumerate(listed):
            self._add(place, piece, whole=whole)

    def made(self) -> Iterator[ToolCall]:
        """Yield the calls; one without an ID of its own gets one."""
        used: set[str] = set()
        for number, one in enumerate(self._begun.values(), start=1):
            if not one.name:
                raise ShapeError
            key = one.key if one.key and one.key not in used else f"call{number:05d}"
            used.add(key)
            # gpt-oss leaves marks around it.
            name = one.name.partition("<|")[0].strip().removeprefix("functions.") or one.name
            yield _call(key, name, one)

    def _add(self, place: int, piece: Any, *, whole: bool) -> None:
        if not isinstance(piece, Mapping):
            raise ShapeError
        function = piece.get("function", piece)
        if not isinstance(function, Mapping):
            raise ShapeError
        index = piece.get("index")
        at = place if whole or not isinstance(index, int) else index
        begun = self._begun.setdefault(at, _Begun())
        name, arguments = function.get("name"), function.get("arguments")
        if name is not None and not isinstance(name, str):
            raise ShapeError
        if not whole and name and begun.name and piece.get("id") not in (None, "", begun.key):
            # Some servers number every call 0.
            begun = self._begun.setdefault((at, len(self._begun)), _Begun())
        begun.key = begun.key or str(piece.get("id") or "")
        begun.name = begun.name or name or ""
        if isinstance(arguments, str):
            begun.arguments.append(arguments)
        elif isinstance(arguments, Mapping):
            begun.given = arguments
        elif arguments is not None:
            begun.arguments.append(json.dumps(arguments))


def _call(key: str, name: str, begun: _Begun) -> ToolCall:
    if begun.given is not None:
        return tool_call(key, name, dict(begun.given))
    try:
        arguments = json.loads(whole_text("".join(begun.arguments)).strip() or "{}")
        if isinstance(arguments, str):  # encoded twice
            arguments = json.loads(arguments)
    except (ValueError, RecursionError):
        return ToolCall(key, name, {}, "the arguments are not valid JSON")
    return tool_call(key, name, arguments)
