"""Load fusion profiles from TOML files; a mistake is reported with its line."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import MISSING, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from search.errors import InputError
from search.messages.arguments import text_or_path
from search.ranking.profiles import (
    NAMED,
    AlphaStep,
    Profile,
    problem_of,
    problem_of_alpha,
)
from search.toml_file import changed_at, line_of, read_toml

PROFILES_FILE = Path(__file__).with_name("profiles.toml")

DEFAULT_PROFILE = "default"
"""The general profile, and the name that stands for the one fitted for an index's encoder."""

FILE_SUFFIX = ".toml"
WHAT = "the profile file"

MODEL_FILES = ("learned", "relevance")
"""Fields that name a file beside the profile's."""


def load_profile(
    name: str | os.PathLike[str],
    encoder_revision: str | None = None,
    documents: Collection[str] | None = None,
) -> Profile:
    """Return a profile by its name, or from a file.

    Args:
        name: of a profile that comes with rirag, or a TOML file with a single profile in it.
            `default` means the profile that was fitted for the encoder, if there is one.
        encoder_revision: of the index's encoder, if it is known.
        documents: `title_hash` of those of the index, if they are known: over others than a fitted
            profile was fitted on, `default` means the one that it names for elsewhere.

    Raises:
        InputError: there is none of this name, or the file cannot be used.
    """
    name = text_or_path(name, "a profile")
    if name.endswith(FILE_SUFFIX):
        file = Path(name)
        profiles = read_profiles(file)
        if len(profiles) > 1:
            names = ", ".join(profiles)
            raise InputError(
                f"the file must contain a single profile, not {names}.",
                file,
                code="profile.invalid",
            )
        return next(iter(profiles.values()))
    profiles = read_profiles(PROFILES_FILE)
    if name not in profiles:
        raise InputError(
            f"unknown profile {name!r}; choose one of {', '.join(profiles)}, or name a file that "
            f"ends in {FILE_SUFFIX}",
            code="profile.unknown",
        )
    fitted = (one for one in profiles.values() if one.encoder_revision == encoder_revision)
    if name == DEFAULT_PROFILE and encoder_revision is not None:
        chosen = next(fitted, profiles[name])
        at_home = documents is None or not chosen.elsewhere or _knows(chosen, documents)
        return chosen if at_home else profiles[chosen.elsewhere]
    return profiles[name]


def _knows(profile: Profile, documents: Collection[str]) -> bool:
    from search.ranking.learned.learned_fusion import load_learned_fusion  # brings numpy

    return load_learned_fusion(profile.learned).fitted_for.knows(documents)


def read_profiles(path: Path) -> dict[str, Profile]:
    """Read all profiles of a file, in its order.

    Raises:
        InputError: the file cannot be read, or holds something that is not a profile.
    """
    return _read(path, changed_at(path, WHAT, "profile.invalid"))


@lru_cache(maxsize=32)
def _read(path: Path, _changed: int) -> dict[str, Profile]:
    text, tables = read_toml(path, WHAT, "profile.invalid")
    if tables:
        return {name: _profile(name, table, text, path) for name, table in tables.items()}
    problem = "the file contains no profile; a profile is a table, such as [mine]."
    raise InputError(problem, path, code="profile.invalid")


def _profile(name: str, table: object, text: str, path: Path) -> Profile:
    try:
        if not isinstance(table, dict):
            raise _MistakeError(
                name, "a profile is a table, such as [mine], but this line is outside any table."
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
        raise InputError(
            f"profile {name!r}: {mistake.problem}", path, line, code="profile.invalid"
        ) from None


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
    is_text = field not in {*NAMED, "alpha"}
    problem = _problem_of_text(field, value) if is_text else problem_of(field, value)
    if problem:
        raise _MistakeError(field, problem)


def _problem_of_text(field: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        return f"{field} must be a non-empty text, not {value!r}."
    return f"{field} must be a text without NUL, not {value!r}." if "\0" in value else ""


def _rows(rows: object, *, smooth: bool) -> tuple[AlphaStep, ...]:
    if not isinstance(rows, list) or not rows:
        raise _MistakeError(
            "alpha", "alpha must be a list of rows such as { words = 4, value = 0.7 }."
        )
    for row in rows:
        if not isinstance(row, dict) or not {"value"} <= set(row) <= {"words", "value"}:
            raise _MistakeError("alpha", f"a row of alpha has words and value, not {row!r}.")
    steps = tuple(AlphaStep(row["value"], row.get("words")) for row in rows)
    if problem := problem_of_alpha(steps, smooth=smooth):
        raise _MistakeError("alpha", problem)
    return steps


def _line(text: str, name: str, field: str) -> int | None:
    """Return the line of a field of a profile, or that of the profile's head."""
    head = line_of(name, text)
    begin = len("\n".join(text.split("\n")[:head])) if head else 0
    return (field and line_of(field, text, begin)) or head
