"""Reading `rirag.toml`: flat `setting = value` lines, each known by its line number."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rirag.files import read_text
from rirag.refusals import unusable
from search.errors import InputError
from search.messages.refusals import unknown_name

CONFIG_FILE = "rirag.toml"
CONFIG_VARIABLE = "RIRAG_CONFIG"


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """What the settings file says."""

    path: Path | None
    """None: there is no such file."""
    values: Mapping[str, object]
    lines: Mapping[str, int]
    """Setting → 1-based line."""


def read_config_file(known: Sequence[str], secrets: Mapping[str, str]) -> ConfigFile:
    """Read the file that `RIRAG_CONFIG` names, or `rirag.toml` in the working directory.

    Args:
        known: names that settings may have.
        secrets: those that must not be in a file → what to do instead.
    """
    named = os.environ.get(CONFIG_VARIABLE)
    path = Path(named or CONFIG_FILE)
    if not named and not path.is_file():
        return ConfigFile(None, {}, {})
    text, values = _load(path)
    lines = {key: _line_of(key, text) for key in values}
    for key, line in lines.items():
        if key in secrets:
            raise secret_refused(key, secrets[key], path, line)
        if key not in known:
            allowed = [name for name in known if name not in secrets]
            raise InputError(
                unknown_name("setting", key, allowed), path, line, code="setting.unknown"
            )
    return ConfigFile(path, values, lines)


def secret_refused(
    name: str, instead: str, path: Path | None = None, line: int | None = None
) -> InputError:
    """Return the error for a secret that is in a flag or file; `instead` says what to do."""
    return unusable("setting.secret", path, line, name=name, instead=instead)


def _load(path: Path) -> tuple[str, dict[str, Any]]:
    text = read_text(path, may_be_empty=True)
    try:
        return text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        line = int(place[1]) if place else text.rstrip().count("\n") + 1  # "at end of document"
        raise InputError(
            f"this is not valid TOML: {error}.", path, line, code="setting.invalid"
        ) from None


def _line_of(key: str, text: str) -> int:
    quoted = rf"[\"']?{re.escape(key)}[\"']?\s*"
    found = re.search(rf"^[ \t]*(?:\[\[?\s*{quoted}[\].]|{quoted}[=.])", text, re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found else 1
