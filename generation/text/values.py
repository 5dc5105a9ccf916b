"""Recognise the kinds of value that a question may ask for: a time, an amount, a share, a date.

The words are English and German; a figure and its unit are read in any language that writes them
in digits.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Literal

from search.language import vocabulary

ValueKind = Literal["time", "date", "money", "percent", "number", "actor", "negation", "permission"]


def _any(name: str) -> str:
    return vocabulary.forms(f"values.{name}")


_UNIT = _any("times")
TIME = re.compile(
    rf"\b(?:\d[\d., ]*|{_any('counts')})(?:\s*\(\d+\))?[\s-]+{_UNIT}\b"
    rf"|\b{_any('each')}\s+{_UNIT}\b|\b{_any('haste')}\b",
    re.IGNORECASE,
)
"""A period, a frequency, or a word for haste."""

_MONTH = vocabulary.alternatives(
    name for code in ("en", "de") for name in vocabulary.words("months", code) if len(name) > 2
)
_DATE = re.compile(rf"\b\d{{1,2}}\.? {_MONTH}\b|\b{_MONTH} \d{{1,2}}\b|\b\d{{4}}-\d{{2}}-\d{{2}}\b")

CURRENCY = r"(?:EUR|USD|GBP|AED|CHF|HKD?\$?|CAD|JPY|SGD|AUD|SEK|DKK|US\$)"
CURRENCY_WORDS = _any("currencies")
MONEY = re.compile(
    rf"[$€£¥]\s?\d|\b{CURRENCY}\s?\d|\b{CURRENCY}\)?: \d"
    rf"|\d[\d., ]*\s?(?:{_any('sizes')}\s)?"
    rf"(?:{CURRENCY_WORDS}|EUR|USD|AED|Deutsche Mark|[$€£¥])(?!\w)",
    re.IGNORECASE,
)
PERCENT = re.compile(rf"\d\s?(?:%|{_any('shares')})", re.IGNORECASE)
_PART = "|".join(
    one.word if not one.short else rf"{one.word}\."
    for code in ("en", "de")
    for one in vocabulary.languages()[code].spellings
    if one.word.isalpha()
)
REFERENCE = re.compile(
    rf"(?:\b(?:{_PART}|directives?|No\.?|Nos\.?|Nr\.)|§+)\s*\*?[\dA-Z(][\w./()*-]*"
    r"(?:(?:,| and| or| to| und| bis|;)\s*\*?\(?\d[\w./()*-]*)*"
    r"|\(\w{1,4}\)|^\W*[\dA-Za-z.]{1,9}[.)]\s",
    re.IGNORECASE,
)
ACRONYM = re.compile(r"[A-Z][A-Za-z]*[A-Z]\w*|[A-Z]{2,}\w*")
"""Acronyms and names with a capital inside, such as FinCEN, GDPR and MiFID."""
_NUMBER = re.compile(rf"\b\d[\d.,]*\b|\b{_any('numbers')}\b", re.IGNORECASE)
_ACTOR = re.compile(rf"\b{_any('actors')}\b|\b(?:[A-Z]{{3,}})\b")
_NEGATION = re.compile(rf"\b{_any('negations')}\b", re.IGNORECASE)
_PERMISSION = re.compile(rf"\b{_any('permissions')}\b", re.IGNORECASE)


def has_number(text: str) -> bool:
    """Return whether a text has a figure that is not part of a reference or a list marker."""
    any_number = _NUMBER.search(text) is not None  # quick, and most sentences have none
    return any_number and _NUMBER.search(REFERENCE.sub(" ", text)) is not None


_PLAIN: Mapping[ValueKind, re.Pattern[str]] = {
    "time": TIME, "date": _DATE, "money": MONEY, "percent": PERCENT, "actor": _ACTOR,
    "negation": _NEGATION, "permission": _PERMISSION,
}  # fmt: skip
KINDS: frozenset[ValueKind] = frozenset({*_PLAIN, "number"})


def values_in(text: str, kinds: Collection[ValueKind] = KINDS) -> frozenset[ValueKind]:
    """Return the kinds of value that a text states, of those that are looked for."""
    found = {kind for kind, pattern in _PLAIN.items() if kind in kinds and pattern.search(text)}
    return frozenset(found | {"number"} if "number" in kinds and has_number(text) else found)
