"""Every word that the page says, one file for each language, so that a translation is a file.

It holds words alone, and no markup.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGE = "en"


@cache
def catalogue(language: str = LANGUAGE) -> Mapping[str, str]:
    """Return name → text; a name is that of its table and its own, such as `form.search`."""
    source = files(__name__).joinpath(f"{language}.toml").read_text(encoding="utf-8")
    return dict(_flat(tomllib.loads(source)))


def _flat(table: Mapping[str, Any], before: str = "") -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for name, value in table.items():
        if isinstance(value, Mapping):
            found += _flat(value, f"{before}{name}.")
        else:
            found.append((before + name, str(value)))
    return found
