"""The acts that a text names beside its articles: by number, by short name, or only by kind.

"Regulation (EU) No 575/2013" and "CRR" are 575/2013; "the ITS" is some other act; "that Directive"
is the one named before. People who ask in German, French or Italian name acts in theirs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from search.provisions.act_numbers import KINDS, NUMBER, SHORT_NAMES, UNION

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


_MORE_NAMES = {
    "575/2013": ("CRR2", "CRR II", "CRR 2", "CRR3", "CRR III", "CRR I", "CRR1"),
    "2013/36": ("CRD IV", "CRD4", "CRDIV", "CRD V", "CRD5", "CRD VI"),
    "2015/61": (
        "LCR DA", "LCR-DA", "LCR DR", "LCR Delegated Acts", "LCR DelVO", "DA LCR", "DR LCR",
        "Delegated Regulation on the LCR", "Delegated Act on LCR", "Delegated Act on the LCR",
        "Delegated Act for LCR", "Delegated Act for the LCR", "Liquidity Delegated Act",
        "Liquidity Coverage Delegated Act",
    ),
}  # fmt: skip
"""Names beside those of `SHORT_NAMES`. The second CRR is an amendment of the first and has its
article numbers; questions use all of these names. Source: the EBA's questions on the CRR."""

_NUMBER_OF = {
    name.lower(): number
    for table in (SHORT_NAMES, _MORE_NAMES)
    for number, names in table.items()
    for name in names
}
_KINDS = rf"(?:{KINDS}|acts?|guidelines?|standards?|agreement|convention|reglement)"
_ATTRIBUTES = (
    r"(?:(?:commission|council|european|delegated|implementing|amended|amending|final|draft"
    r"|delegierten?|durchführungs|delegato|délégué)[\s-]+)*"
)
_ACT = re.compile(
    rf"""
    (?P<by_number>
        (?:\b{_ATTRIBUTES}(?:{_KINDS}|DR|DA|RTS|ITS)
            (?:\s*+(?:{UNION}|EU|EC))?(?:\s*+,)?(?:\s*+{UNION})?\s*+
          |{UNION}\s*|\bEU[ -](?:{_KINDS}\s*)?)
        {NUMBER}(?:\s*{UNION})?)
  | (?P<short>\b(?:{"|".join(sorted(map(re.escape, _NUMBER_OF), key=len, reverse=True))})(?![\w/]))
  | (?P<bare_number>(?<![\w/.])(?:{"|".join(SHORT_NAMES)})(?![\w/]))
  | (?P<relative>\b(?P<pointing>this|that|said|same|above-?mentioned|the)\s{_ATTRIBUTES}
        {_KINDS}(?!\s+(?:\(|on\b|of\s+the\s+Eur|No\b|\d|technical|and\s+of)))
  | (?P<kind>\b(?:(?:draft|final|EBA|Commission|binding)[\s-]+)*(?:ITS|RTS|BTS)\b
        (?:[\s/-]\d[\d/-]*)?
      |\bEBA[-/](?:ITS|RTS|GL|BTS|CP|Op)[-/\d]+
      |\b{_ATTRIBUTES}{_KINDS}\s+(?:on|of)\s(?:the\s)?(?:[\w-]+\s?){{1,6}}
      |\b(?:this|that|the)\s(?:(?:published|final|draft)\s)?(?:document|letter|opinion|report
         |instructions|guidance|guidelines?)\b
      |(?-i:\b(?:[A-Z][\w-]+\s)+(?:Law|Code)\b|\b(?:Law|Code)\s(?:of|on|No)\b)
      |\b(?:the\s)?(?:civil|commercial|banking|insolvency|companies)\s(?:law|code|act)\b
      |\b(?:MiFID|CRD\sIII|CAD|UCITS|Solvency\sII|SSM|SSMR|FICOD|TFEU|Treaty|BCD|GL|Guidelines?
         |DA|DR|Delegated\sActs?|Delegated\sRegulation|Implementing\sRegulation|KWG|SolvV
         |technical\sstandards?|Accounting\sDirective|(?-i:[A-Z][a-z]+\sDirective))(?![\w/]))
    """,
    re.VERBOSE | re.IGNORECASE,
)
_EXACT_CASE = re.compile(r"MAR|DA|DR|GL|SSM|BCD|CAD")
_ANOTHER = re.compile(r"deleg|implement|directive|richtlinie|direttiv|\bacts?$|standards?")
_POINTS_BACK = frozenset({"that", "said", "same", "abovementioned", "above-mentioned"})


def act_mentions(text: str) -> list[ActMention]:
    """Return the acts that a text names, in its order."""
    return [found for match in _ACT.finditer(text) if (found := _mention(match)) is not None]


def _mention(match: re.Match[str]) -> ActMention | None:
    words, span = match.group(), match.span()
    if match["by_number"]:
        return ActMention(*span, match["number"])
    if match["short"]:
        # MAR is a regulation, "mar" is a month.
        exact = words.isupper() or not _EXACT_CASE.fullmatch(words.upper())
        return ActMention(*span, _NUMBER_OF[" ".join(words.lower().split())]) if exact else None
    if match["bare_number"]:
        return ActMention(*span, words)
    if match["relative"]:
        return ActMention(*span, "", _pointed_at(words.lower(), match["pointing"].lower()))
    if _EXACT_CASE.fullmatch(words.upper()) and not words.isupper():
        return None
    return None if words.startswith("its") else ActMention(*span, OTHER)


def _pointed_at(words: str, pointing: str) -> Which:
    if pointing in _POINTS_BACK:
        return "that"
    return "another" if _ANOTHER.search(words) else "this"
