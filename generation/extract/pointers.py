"""Find sentences that only point elsewhere, and state nothing themselves."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from generation.text.statements.clauses import announces
from search.language import vocabulary

_WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_KINDS = vocabulary.units_of("attachment", "division", "rule", "inner")
_UNITS = {code: vocabulary.pattern(_KINDS, code, short=False) for code in _WORDS}


def _pointing(code: str) -> str:
    """Return the wording, in a language, of a sentence that says what a part is about."""
    one = {role: vocabulary.alternatives(words) for role, words in _WORDS[code].items()}
    part = f"(?:{one['parts']}|{_UNITS[code]})"
    named = rf"(?:{one['this']} {part}|{part} [\dA-Z][\w.()-]*)"
    return rf"{named} (?:{one['further']} )?{one['tells']}\b"


_POINTS = re.compile(
    r"^(?:\W*\(?\w{1,4}\)?[.)]?\s+)?(?:" + "|".join(map(_pointing, _UNITS)) + ")",
    re.IGNORECASE,
)

_ANNOUNCES = re.compile(
    r"^(?:\S+ ){0,7}?(?:Notes?|Examples?|Remarks?|Dates?|Hinweis|Remarque)\W*$", re.IGNORECASE
)
"""What announces nothing that answers by itself."""
_AMENDS = re.compile(
    r"\b(?:is|are) (?:further |hereby )?amended\s*(?:—|:|\bby\b|\bto read\b|\bas follows\b)"
    r"|^\W*(?:\(?\w{1,4}\)\W*)?by (?:striking|inserting|adding|redesignating)\b",
    re.IGNORECASE,
)
"""What only changes the words of another law."""


def points_on(text: str) -> bool:
    """Return whether a sentence only says what a part is about, announces, or changes a law."""
    announced = announces(text) and _ANNOUNCES.match(text)
    return bool(announced or _POINTS.match(text) or _AMENDS.search(text))
