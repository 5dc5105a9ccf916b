"""Reading `rirag.toml`: flat `setting = value` lines, each known by its line number."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rirag.files import read_text
from rirag.refusals import unusable
from search.errors import InputError
from search.messages.refusals import unknown_name
from search.toml_file import line_of, parsed

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
    text = read_text(path, may_be_empty=True)
    values = parsed(text, path, "setting.invalid")
    lines = {key: line_of(key, text) or 1 for key in values}
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
