"""Write a profile as the text of a profile file."""

from __future__ import annotations

import json
import re
from dataclasses import MISSING, fields
from pathlib import Path

from search.ranking.profile_file import MODEL_FILES
from search.ranking.profiles import AlphaStep, Profile


def profile_toml(profile: Profile) -> str:
    """Return a profile in the form of `search/profiles.toml`; what has its default is left out."""
    name = profile.name
    lines = [f"[{name if re.fullmatch(r'[A-Za-z0-9_-]+', name) else _text(name)}]"]
    for field in fields(profile):
        value = getattr(profile, field.name)
        if field.name != "name" and (field.default is MISSING or value != field.default):
            shown = Path(value).name if field.name in MODEL_FILES else value
            lines.append(f"{field.name} = {_value(shown)}")
    return "\n".join(lines) + "\n"


def _value(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml_row, value))}]"
    return _text(value) if isinstance(value, str) else str(value)


def _toml_row(row: AlphaStep) -> str:
    words = "" if row.words is None else f"words = {row.words}, "
    return f"{{ {words}value = {row.value} }}"


def _text(text: str) -> str:
    # A basic string of TOML has JSON's escapes, and allows no DEL either.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
