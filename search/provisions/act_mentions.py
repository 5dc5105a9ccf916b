"""The acts that a text names beside its articles: by number, by short name, or only by kind.

"Regulation (EU) No 575/2013" and "CRR" are 575/2013; "the ITS" is some other act; "that Directive"
is the one named before. People who ask in German, French or Italian name acts in theirs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from search.language import vocabulary
from search.provisions.act_numbers import KINDS, NAMES, NUMBER, SHORT_NAMES, UNION

OTHER = "other"
"""An act that the text names without a number by which it could be known."""

Which = Literal["this", "that", "another", "named"]
"""The act that is spoken of anyway, the one named last, the last one that is not the act spoken of
("the Delegated Act", "the Directive"), or one named here."""


@dataclass(frozen=True, slots=True)
class ActMention:
    """An act at one place of a text."""

    start: int
    end: int
    act: str
    """Its number, `OTHER`, or "" where `which` has to be followed."""
    which: Which = "named"


_NUMBER_OF = {
    name.lower(): number
    for table in (SHORT_NAMES, NAMES["more_names"])
    for number, names in table.items()
    for name in names
}


def _any(words: Iterable[str]) -> str:
    longest = "|".join(map(re.escape, vocabulary.longest_first(words)))
    return rf"(?:{longest})".replace("\\ ", r"\s")


_WORDS: Mapping[str, Sequence[str]] = NAMES["words"]
_KINDS = rf"(?:{KINDS}|{_any(_WORDS['kinds'])})"
_ATTRIBUTES = rf"(?:{_any(_WORDS['attributes'])}[\s-]+)*"
_CODES = _any(_WORDS["codes"])
_STANDARDS = _any(_WORDS["standards"])
_ACT = re.compile(
    rf"""
    (?P<by_number>
        (?:\b{_ATTRIBUTES}(?:{_KINDS}|{_any(_WORDS["short_kinds"])})
            (?:(?>\s*)(?:{UNION}|EU|EC))?(?:(?>\s*),)?(?:(?>\s*){UNION})?(?>\s*)
          |{UNION}\s*|\bEU[ -](?:{_KINDS}\s*)?)
        {NUMBER}(?:\s*{UNION})?)
  | (?P<short>\b{_any(_NUMBER_OF)}(?![\w/]))
  | (?P<bare_number>(?<![\w/.]){_any(SHORT_NAMES)}(?![\w/]))
  | (?P<relative>\b(?P<pointing>{_any(_WORDS["pointing"])})\s{_ATTRIBUTES}
        {_KINDS}(?!\s+(?:\(|of\s+the\s+Eur|\d|{_any(_WORDS["describing"])}\b)))
  | (?P<kind>\b(?:{_any(_WORDS["drafts"])}[\s-]+)*{_STANDARDS}\b
        (?:[\s/-]\d[\d/-]*)?
      |\b{_any(_WORDS["publisher"])}[-/]{_any(_WORDS["documents"])}[-/\d]+
      |\b{_ATTRIBUTES}{_KINDS}\s+(?:on|of)\s(?:the\s)?(?:[\w-]+\s?){{1,6}}
      |\b{_any(_WORDS["pointing"])}\s(?:{_any(_WORDS["drafts"])}\s)?{_any(_WORDS["papers"])}\b
      |(?-i:\b(?:[A-Z][\w-]+\s)+{_CODES}\b|\b{_CODES}\s(?:of|on|No)\b)
      |\b(?:the\s)?{_any(_WORDS["subjects"])}\s(?:law|code|act)\b
      |\b(?:{_any(_WORDS["others"])}|(?-i:[A-Z][a-z]+\sDirective))(?![\w/]))
    """,
    re.VERBOSE | re.IGNORECASE,
)
_EXACT_CASE = frozenset(_WORDS["exact"])
_ANOTHER = re.compile(rf"{_any(_WORDS['another'])}|\bacts?$|standards?")
_POINTS_BACK = frozenset(_WORDS["back"])


def act_mentions(text: str) -> list[ActMention]:
    """Return the acts that a text names, in its order."""
    return [found for match in _ACT.finditer(text) if (found := _mention(match)) is not None]


def _mention(match: re.Match[str]) -> ActMention | None:
    words, span = match.group(), match.span()
    if match["by_number"]:
        return ActMention(*span, match["number"])
    if match["short"]:
        exact = words.isupper() or words.upper() not in _EXACT_CASE
        return ActMention(*span, _NUMBER_OF[" ".join(words.lower().split())]) if exact else None
    if match["bare_number"]:
        return ActMention(*span, words)
    if match["relative"]:
        return ActMention(*span, "", _pointed_at(words.lower(), match["pointing"].lower()))
    if words.upper() in _EXACT_CASE and not words.isupper():
        return None
    return None if words.startswith("its") else ActMention(*span, OTHER)


def _pointed_at(words: str, pointing: str) -> Which:
    if pointing in _POINTS_BACK:
        return "that"
    return "another" if _ANOTHER.search(words) else "this"
