"""JSON as readers need it: no key twice, and faults in plain words."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from search.errors import InputError


class RepeatedKeys(dict[str, Any]):
    """A JSON object in which a key occurs twice; `repeated` names such keys."""

    repeated: tuple[str, ...] = ()


def make_decoder() -> json.JSONDecoder:
    """Return a decoder that gives `RepeatedKeys` for an object in which a key occurs twice."""
    return json.JSONDecoder(object_pairs_hook=_object)


def json_value(text: str, path: Path, code: str = "source.invalid") -> Any:
    """Return the value of JSON.

    Raises:
        InputError: it is not valid, or beyond what can be read.
    """
    try:
        return make_decoder().decode(text)
    except json.JSONDecodeError as error:
        problem = f"not valid JSON ({error.msg}); correct the file"
        raise InputError(problem, path, error.lineno, code=code) from error
    except (ValueError, RecursionError) as error:
        problem = f"JSON that cannot be used ({limit_fault(error)}); correct the file"
        raise InputError(problem, path, code=code) from error


def limit_fault(error: ValueError | RecursionError) -> str:
    """Return in plain words why JSON is beyond what can be read."""
    if isinstance(error, RecursionError):
        return "lists or records are nested too deep"
    return f"a number has more than {sys.get_int_max_str_digits():,} digits"


def type_name(value: object) -> str:
    """Return what a JSON value is, for a person."""
    if value is None:
        return "null"
    if isinstance(value, dict):
        return "a record"
    names = {bool: "true or false", int: "a number", float: "a number", str: "a text",
             list: "a list"}  # fmt: skip
    return names.get(type(value), type(value).__name__)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) == len(pairs):
        return record
    counts = Counter(name for name, _ in pairs)
    twice = RepeatedKeys(record)
    twice.repeated = tuple(name for name, count in counts.items() if count > 1)
    return twice
