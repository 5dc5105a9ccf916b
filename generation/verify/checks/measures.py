"""What numbers count: units of time, currencies, parts of a hundred, limits."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

SAME_UNIT = {"calendar day": "day"}
"""Unit → the one that means the same: a rule that says just "days" counts all of them."""

_TEXT = (files(__package__) / "measures.toml").read_text(encoding="utf-8")
_FORMS: Mapping[str, Mapping[str, str]] = {
    kind: {form: meant for meant, forms in table.items() for form in forms}
    for kind, table in tomllib.loads(_TEXT).items()
}
"""Kind of measure → word → what it stands for."""

KINDS = ("time", "currency", "share", "limit", "often")

TIMES = frozenset(_FORMS["time"])
"""Units of time."""


@lru_cache(maxsize=32_768)  # mostly of single words, and those of a language are few
def measures_of(*words: str) -> Mapping[str, frozenset[str]]:
    """Return kind of measure → what the words say of it; empty sets where they say nothing."""
    return {
        kind: frozenset(meant[word] for word in words if word in meant)
        for kind, meant in _FORMS.items()
    }
