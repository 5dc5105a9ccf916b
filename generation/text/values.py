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

_COUNT = (
    r"(?:\d[\d.,  ]*|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|"
    r"twenty|thirty|sixty|ninety|twenty-four|forty-five|eighteen|hundred|few|"
    r"einen?|eine[mr]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|dreißig)"
)
_UNIT = (
    r"(?:(?:calendar |business |working |banking |trading |consecutive |additional |full )?"
    r"(?:seconds?|minutes?|hours?|days?|weeks?|fortnights?|months?|quarters?|years?|half-years?)"
    r"|(?:Kalender|Werk|Arbeits|Bank|Geschäfts)?(?:stunden?|tage?n?|wochen?|monate?n?|jahre?[ns]?)"
    r"|Quartale?n?)"
)
TIME = re.compile(
    rf"\b{_COUNT}(?:\s*\(\d+\))?[\s-]+{_UNIT}\b"
    rf"|\b(?:each|every|per|once an?|a|one|pro|jede[nsmr]?)\s+{_UNIT}\b"
    r"|\b(?:immediately|forthwith|promptly|without (?:undue |unreasonable |further )?delay|"
    r"as soon as|at the (?:latest|first|earliest)|no later than|not later than|at least annually|"
    r"annually|yearly|half-yearly|semi-annually|quarterly|monthly|weekly|daily|"
    r"on an ongoing basis|continuously|periodically|at all times|at regular intervals|"
    r"unverzüglich|sofort|spätestens|jährlich|halbjährlich|vierteljährlich|monatlich|wöchentlich|"
    r"täglich|fortlaufend|ohne schuldhaftes Zögern)\b",
    re.IGNORECASE,
)
"""A period, a frequency, or a word for haste."""

_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|"
    r"Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember)"
)
_DATE = re.compile(rf"\b\d{{1,2}}\.? {_MONTH}\b|\b{_MONTH} \d{{1,2}}\b|\b\d{{4}}-\d{{2}}-\d{{2}}\b")

CURRENCY = r"(?:EUR|USD|GBP|AED|CHF|HKD?\$?|CAD|JPY|SGD|AUD|SEK|DKK|US\$)"
CURRENCY_WORDS = r"euros?|dollars?|pounds?|yen|dirhams?|francs?|Franken"
MONEY = re.compile(
    rf"[$€£¥]\s?\d|\b{CURRENCY}\s?\d|\b{CURRENCY}\)?: \d"
    r"|\d[\d.,  ]*\s?(?:(?:million|billion|thousand|Millionen|Milliarden|Mio\.?)\s)?"
    rf"(?:{CURRENCY_WORDS}|EUR|USD|AED|Deutsche Mark|[$€£¥])(?!\w)",
    re.IGNORECASE,
)
PERCENT = re.compile(
    r"\d\s?(?:%|per ?cent\b|percent\b|Prozent\b|vom Hundert\b|basis points\b)", re.IGNORECASE
)
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
_NUMBER = re.compile(
    r"\b\d[\d.,]*\b|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|fifty|"
    r"hundred|half|third|quarter|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|Hälfte|Drittel|"
    r"Viertel)\b",
    re.IGNORECASE,
)
_ACTOR = re.compile(
    r"\b(?:authorit(?:y|ies)|commission(?:er)?|agency|office(?:r|rs)?|board|committee|council|"
    r"court|tribunal|regulator|registrar|minister|secretary|director(?:s|ate)?|manager|head|"
    r"auditors?|chair\w*|department|team|group|member states?|provider|holder|controller|"
    r"supervisor|central bank|person|undertaking|firm|bank|"
    r"Behörde|Aufsichtsbehörde|Gericht|Vorstand|Aufsichtsrat|Bundes\w+|Beauftragte[rn]?|"
    r"Geschäftsführ\w+|Kommission|Gesellschafter|Verpflichtete[rn]?)\b"
    r"|\b(?:[A-Z]{3,})\b"
)
_NEGATION = re.compile(
    r"\b(?:not|no|never|neither|nor|cannot|without|nicht|kein\w*|weder|unzulässig|prohibited|"
    r"unlawful|void|exempt\w*|except)\b",
    re.IGNORECASE,
)
_PERMISSION = re.compile(
    r"\b(?:may|can|entitled|permitted|allowed|right to|kann|können|darf|dürfen|berechtigt|zulässig)"
    r"\b",
    re.IGNORECASE,
)


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
