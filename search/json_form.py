"""The JSON of records, for `--json`, the HTTP API and its description (docs/json.md).

A record writes all its fields, or what its `json_form` lists, parted by blanks:

- `text`, `passage.id`, `place.0`: an attribute by its path, under the last name of the path; of a
  tuple, that of each item; a method is called;
- `passage=text`: the same under another name;
- `passage.*`: the fields of that value among those of the record; `*`: all its own;
- `target(id document_id)`: what is written of that value.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields
from functools import cache
from typing import Any, ClassVar, NamedTuple

PLACE = "id document_id passage_id document_title"
"""Where a passage is, without its text."""

ALL = "*"

PLAIN = (str, int, float)


class Record:
    """A frozen dataclass that is given out as JSON."""

    __slots__ = ()

    json_form: ClassVar[str] = ""
    """What is written; empty: all fields."""

    def to_json(self) -> dict[str, Any]:
        """Return the stable JSON form."""
        written: dict[str, Any] = to_json(self)
        return written


class Key(NamedTuple):
    """A part of a form."""

    name: str
    """In the JSON; `*`: the value is an object whose names are those of the record."""
    path: tuple[str, ...]
    form: tuple[Key, ...] = ()
    """What is written of the value; empty: its own form."""


def to_json(value: Any, form: str = "") -> Any:
    """Return plain JSON values.

    Args:
        value: a record, or a collection of records and plain values.
        form: what is written of a record; empty: its own form.
    """
    return _plain(value, parsed(form))


@cache
def form_of(kind: type) -> tuple[Key, ...]:
    """Return the form of a class of records, dataclasses or named tuples; () for others."""
    return parsed(getattr(kind, "json_form", "")) or own_fields(kind)


@cache
def own_fields(kind: type) -> tuple[Key, ...]:
    """Return all fields of a class."""
    if hasattr(kind, "__dataclass_fields__"):
        return tuple(Key(one.name, (one.name,)) for one in fields(kind))
    return tuple(Key(name, (name,)) for name in getattr(kind, "_fields", ()))


@cache
def parsed(form: str) -> tuple[Key, ...]:
    """Return the parts of a form."""
    return _keys(iter(re.findall(r"[^\s()]+|[()]", form)))


def _keys(words: Iterator[str]) -> tuple[Key, ...]:
    found: list[Key] = []
    for word in words:
        if word == ")":
            break
        if word == "(":
            found[-1] = found[-1]._replace(form=_keys(words))
            continue
        name, _, path = word.rpartition("=")
        parts = tuple(filter(None, path.split(".")))
        found.append(Key(name or parts[-1], parts))
    return tuple(found)


def _plain(value: Any, form: tuple[Key, ...]) -> Any:
    if value is None or isinstance(value, PLAIN):
        return value
    if isinstance(value, Mapping):
        return {name: _plain(one, form) for name, one in value.items()}
    if own := form_of(value.__class__):
        return _object(value, form or own)
    if isinstance(value, Collection):
        return [_plain(one, form) for one in value]
    return value.to_json() if hasattr(value, "to_json") else value


def _object(value: Any, form: tuple[Key, ...]) -> dict[str, Any]:
    """Return a JSON object; a name that occurs twice has the later value in the earlier place."""
    found: dict[str, Any] = {}
    for key in form:
        if key.name != ALL:
            found[key.name] = _plain(_at(value, key.path), key.form)
        elif key.path == (ALL,):
            found |= _object(value, own_fields(value.__class__))
        else:
            found |= _plain(_at(value, key.path[:-1]), key.form)
    return found


def _at(value: Any, path: tuple[str, ...]) -> Any:
    for place, name in enumerate(path):
        if isinstance(value, tuple) and not hasattr(value, "_fields"):
            if not name.isdecimal():
                return tuple(_at(one, path[place:]) for one in value)
            value = value[int(name)]
            continue
        value = getattr(value, name)
        value = value() if callable(value) else value
    return value
