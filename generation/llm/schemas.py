"""The JSON that a model is asked for: its shape, and how it is read out of what was written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from search.errors import LLMError

MOST_STARTS = 200
"""Braces that may turn out to open no JSON object: a reply has few, hostile text has many."""

_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "object": Mapping,
    "array": list,
    "string": str,
    "number": (int, float),
    "integer": int,
    "boolean": bool,
    "null": type(None),
}
"""Types of JSON Schema → those of Python; a boolean is not a number."""


TEXT: Mapping[str, Any] = {"type": "string"}
INTEGER: Mapping[str, Any] = {"type": "integer"}
"""JSON Schemas of any text and whole number."""


def one_of(texts: Iterable[str]) -> dict[str, Any]:
    """Return the JSON Schema of one of some texts."""
    return {**TEXT, "enum": list(texts)}


def list_of(items: Mapping[str, Any], most: int | None = None) -> dict[str, Any]:
    """Return the JSON Schema of a list, of at most so many items."""
    return {"type": "array", "items": items, **({} if most is None else {"maxItems": most})}


def strict_object(**properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON Schema of an object with these fields, all of them and no others.

    Servers that hold a model to a shape refuse any other object in it.
    """
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def read_json(text: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON object in a reply, which may be in a fence or between sentences.

    The last object that fits is taken: a model may write drafts first. Of the schema `type`,
    `required`, `properties`, `items` and `enum` are looked at.

    Raises:
        LLMError: there is no object, or none that fits; the message says what is wrong with the
            last.
    """
    reason = "it contains no JSON object"
    found: dict[str, Any]
    for place, found in enumerate(reversed(list(objects_in(text)))):
        problem = misfit(found, schema)
        if not problem:
            return found
        reason = reason if place else problem
    raise LLMError(f"The model's reply is not the requested JSON: {reason}.")


def objects_in(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects of a text in order, those inside of others left out."""
    decoder, start, wrong = json.JSONDecoder(), text.find("{"), 0
    while start >= 0 and wrong < MOST_STARTS:
        try:
            found, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            end, wrong = start + 1, wrong + 1
        else:
            yield found
        start = text.find("{", end)


def misfit(value: object, schema: Mapping[str, Any], at: str = "the reply") -> str:
    """Return what is wrong with a value under a schema; empty: it fits."""
    kind = schema.get("type")
    if isinstance(kind, str) and not _is(value, kind):
        return f"{at} is not of type {kind}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{at} must be one of {', '.join(map(str, schema['enum']))}"
    if isinstance(value, Mapping):
        return next(filter(None, _misfits_of_object(value, schema, at)), "")
    if isinstance(value, list) and "items" in schema:
        found = (misfit(v, schema["items"], f"item {n} of {at}") for n, v in enumerate(value, 1))
        return next(filter(None, found), "")
    return ""


def _misfits_of_object(
    value: Mapping[str, Any], schema: Mapping[str, Any], at: str
) -> Iterator[str]:
    required: Sequence[str] = schema.get("required", ())
    yield from (f"{at} has no field {name!r}" for name in required if name not in value)
    for name, inner in schema.get("properties", {}).items():
        if name in value:
            yield misfit(value[name], inner, f"{name!r}")


def _is(value: object, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, _KINDS.get(kind, object))
