"""What servers and models write, as data: `servers.toml` and `models.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from importlib.resources import files
from typing import Any


def _table(name: str) -> dict[str, Any]:
    return tomllib.loads((files(__package__) / name).read_text(encoding="utf-8"))


SERVERS = _table("servers.toml")
MODELS = _table("models.toml")


def any_of(patterns: Sequence[str]) -> re.Pattern[str]:
    """Return the pattern that any of these match, whatever their case."""
    return re.compile("|".join(patterns), re.IGNORECASE)
