"""The function calls of a reply, whole or in pieces."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from generation.llm.openai.content import ShapeError, whole_text
from generation.llm.protocol import ToolCall, tool_call


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
        """Take the calls of a message, or the pieces in a delta.

        Raises:
            ShapeError: what is there is no call.
        """
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
        """Yield the calls; one without an ID of its own gets one.

        Raises:
            ShapeError: a call has no name.
        """
        used: set[str] = set()
        for number, one in enumerate(self._begun.values(), start=1):
            if not one.name:
                raise ShapeError
            key = one.key if one.key and one.key not in used else f"call{number:05d}"
            used.add(key)
            yield _call(key, _bare_name(one.name), one)

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


def _bare_name(name: str) -> str:
    """Return the name of a function without the marks that gpt-oss leaves around it."""
    return name.partition("<|")[0].strip().removeprefix("functions.") or name
