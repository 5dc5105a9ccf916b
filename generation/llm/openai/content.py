"""The text of a message, in whatever shape servers put it."""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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
    """Return what a message or a delta says.

    Raises:
        ShapeError: it is none.
    """
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
    """Yield (kind, text) of content as a text, a part, or a list of these."""
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
