"""Reading profile files: TOML, one table a profile, every mistake told with its line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args

from search.errors import InputError
from search.profiles import AlphaShape, AlphaStep, Fusion, Profile

MOST_CANDIDATES = 1000
"""Deepest leg and most candidates for a reranker: servers answer no more than some thousands
in one request, and a reranker reads a thousand passages in many seconds."""

MODEL_FILES = ("learned", "relevance")
"""Fields that name a file beside the profile's."""

_WEIGHTS = ("document_weight", "heading_weight", "memory_weight", "rerank_weight")
_COUNTS = ("depth", "rerank_count")
_CHOICES = {"fusion": get_args(Fusion), "alpha_shape": get_args(AlphaShape)}


def read_profiles(path: Path) -> dict[str, Profile]:
    """Read all profiles of a file, in its order.

    Raises:
        InputError: the file cannot be read, or holds something that is no profile.
    """
    try:
        changed = path.stat().st_mtime_ns
    except OSError as error:
        raise InputError(f"the profile file cannot be read: {error.strerror}.", path) from None
    return _read(path, changed)


@lru_cache(maxsize=32)
def _read(path: Path, _changed: int) -> dict[str, Profile]:
    try:
        text = path.read_text(encoding="utf-8")
        tables = tomllib.loads(text)
    except OSError as error:
        raise InputError(f"the profile file cannot be read: {error.strerror}.", path) from None
    except UnicodeDecodeError:
        raise InputError("the profile file is not UTF-8; save it as UTF-8.", path) from None
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        line = int(place[1]) if place else None
        raise InputError(f"this is not TOML: {error}.", path, line) from None
    if not tables:
        raise InputError("the file holds no profile; a profile is a table, such as [mine].", path)
    return {name: _profile(name, table, text, path) for name, table in tables.items()}


def _profile(name: str, table: object, text: str, path: Path) -> Profile:
    try:
        if not isinstance(table, dict):
            raise _MistakeError(
                name, "a profile is a table, such as [mine], and this stands outside."
            )
        _check_names(table)
        for field, value in table.items():
            _check(field, value)
        smooth = table.get("alpha_shape") == "smooth"
        beside = {one: str(path.parent / table[one]) for one in MODEL_FILES if one in table}
        values = {**table, **beside, "alpha": _rows(table["alpha"], smooth=smooth)}
        return Profile(name=name, **values)
    except _MistakeError as mistake:
        line = _line(text, name, mistake.field)
        raise InputError(f"profile {name!r}: {mistake.problem}", path, line) from None


class _MistakeError(Exception):
    def __init__(self, field: str, problem: str) -> None:
        self.field, self.problem = field, problem


def _check_names(table: Mapping[str, Any]) -> None:
    known = [field for field in fields(Profile) if field.name != "name"]
    names = {field.name for field in known}
    for name in table:
        if name not in names:
            listed = ", ".join(sorted(names))
            raise _MistakeError(name, f"unknown field {name!r}; a profile has: {listed}.")
    for field in known:
        if field.default is MISSING and field.name not in table:
            raise _MistakeError("", f"the field {field.name!r} is missing.")


def _check(field: str, value: object) -> None:
    if field in _WEIGHTS:
        if not _is_weight(value):
            raise _MistakeError(field, f"{field} must be a number from 0 to 1, not {value!r}.")
    elif field in _COUNTS:
        if type(value) is not int or not 1 <= value <= MOST_CANDIDATES:
            problem = f"{field} must be a whole number from 1 to {MOST_CANDIDATES}, not {value!r}."
            raise _MistakeError(field, problem)
    elif field in _CHOICES:
        if value not in _CHOICES[field]:
            choices = " or ".join(_CHOICES[field])
            raise _MistakeError(field, f"{field} must be {choices}, not {value!r}.")
    elif field != "alpha" and (not isinstance(value, str) or not value.strip()):
        raise _MistakeError(field, f"{field} must be a text that is not empty, not {value!r}.")


def _rows(rows: object, *, smooth: bool) -> tuple[AlphaStep, ...]:
    if not isinstance(rows, list) or not rows:
        raise _MistakeError(
            "alpha", "alpha must be a list of rows such as { words = 4, value = 0.7 }."
        )
    for row in rows:
        if not isinstance(row, dict) or not set(row) <= {"words", "value"}:
            raise _MistakeError("alpha", f"a row of alpha has words and value, not {row!r}.")
        if not _is_weight(row.get("value")):
            raise _MistakeError(
                "alpha", f"the value of each row is a number from 0 to 1, not in {row}."
            )
    words = [row.get("words") for row in (rows if smooth else rows[:-1])]
    if not all(type(one) is int and one >= 1 for one in words) or words != sorted(set(words)):
        raise _MistakeError("alpha", "the words of the rows of alpha must be there, and rise.")
    if not smooth and "words" in rows[-1]:
        raise _MistakeError(
            "alpha", "the last row of alpha has no words: it is for all longer ones."
        )
    return tuple(AlphaStep(float(row["value"]), row.get("words")) for row in rows)


def _is_weight(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _line(text: str, name: str, field: str) -> int | None:
    """Return the line of a field of a profile, or that of the profile's head."""
    named = re.compile(rf"\s*[\"']?{re.escape(field)}\b") if field else None
    inside, head = False, None
    for number, line in enumerate(text.split("\n"), start=1):
        heading = re.match(r"\s*\[\s*[\"']?(.*?)[\"']?\s*\]\s*(#|$)", line)
        if heading:
            inside = heading[1] == name
            head = number if inside else head
        elif named and named.match(line) and (inside or field == name):
            return number
    return head
