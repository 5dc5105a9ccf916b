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


_MONTH = vocabulary.alternatives(
    name for code in ("en", "de") for name in vocabulary.words("months", code) if len(name) > 2
)
_CODE = f"(?-i:{vocabulary.any_of('money.codes', 'common')}|(?:US|HK)[$])"
_SOURCES: Mapping[ValueKind, str] = {
    # A period, a frequency, or a word for haste.
    "time": rf"\b(?:\d[\d., ]*|{_any('counts')})(?:\s*\(\d+\))?[\s-]+{_any('times')}\b"
    rf"|\b{_any('each')}\s+{_any('times')}\b|\b{_any('haste')}\b",
    "date": rf"\b\d{{1,2}}\.? (?-i:{_MONTH})\b|\b(?-i:{_MONTH}) \d{{1,2}}\b"
    r"|\b\d{4}-\d{2}-\d{2}\b",
    "money": rf"[$€£¥]\s?\d|\b{_CODE}(?:\s?|\)?: )\d"
    rf"|\d[\d., ]*\s?(?:{_any('sizes')}\s)?(?:{_any('currencies')}|{_CODE}|[$€£¥])(?!\w)",
    "percent": rf"\d\s?(?:%|{_any('shares')})",
    "number": rf"\b\d[\d.,]*\b|\b{_any('numbers')}\b",
    "actor": rf"(?-i:\b{_any('actors')}\b|\b[A-Z]{{3,}}\b)",
    "negation": rf"\b{_any('negations')}\b",
    "permission": rf"\b{_any('permissions')}\b",
}
PATTERNS = {kind: re.compile(one, re.IGNORECASE) for kind, one in _SOURCES.items()}
KINDS: frozenset[ValueKind] = frozenset(PATTERNS)

_PART = "|".join(
    one.word if not one.short else rf"{one.word}\."
    for code in ("en", "de")
    for one in vocabulary.languages()[code].spellings
    if one.word.isalpha()
)
REFERENCE = re.compile(
    rf"(?:\b(?:{_PART}|directives?|No\.?|Nos\.?|Nr\.)|§+)\s*\*?(?-i:[\dA-Z(]|[a-z]{{1,3}}(?!\w))[\w./()*-]*"
    r"(?:(?:,| and| or| to| und| bis|;)\s*\*?\(?\d[\w./()*-]*)*"
    r"|\(\w{1,4}\)|^\W*[\dA-Za-z.]{1,9}[.)]\s",
    re.IGNORECASE,
)
ACRONYM = re.compile(r"[A-Z][A-Za-z]*[A-Z]\w*|[A-Z]{2,}\w*")
"""Acronyms and names with a capital inside, such as FinCEN, GDPR and MiFID."""


def has_other_figure(text: str) -> bool:
    """Return whether a text has a figure that is of no known unit: `40 złoty`, `8 characters`."""
    for pattern in (REFERENCE, *(PATTERNS[kind] for kind in ("time", "date", "money", "percent"))):
        text = pattern.sub(" ", text)
    return PATTERNS["number"].search(text) is not None


def values_in(text: str, kinds: Collection[ValueKind] = KINDS) -> frozenset[ValueKind]:
    """Return the kinds of value that a text states, of those that are looked for.

    A figure that is part of a reference or a list marker is no number.
    """
    found = {kind for kind in kinds if PATTERNS[kind].search(text)}
    if "number" in found and not PATTERNS["number"].search(REFERENCE.sub(" ", text)):
        found.remove("number")
    return frozenset(found)
