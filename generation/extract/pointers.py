"""Find sentences that only point elsewhere, and state nothing themselves."""

from __future__ import annotations

import re

from generation.text.statements.clauses import announces
from search.language import vocabulary

_UNITS, _UNITS_DE = (
    vocabulary.pattern(
        vocabulary.units_of("attachment", "division", "rule", "inner"), code, short=False
    )
    for code in ("en", "de")
)
_PART = (
    rf"(?:policy|document|procedure|guidelines?|guide|guidance|rulebook|act|directive|page|"
    rf"module|standard|bill|notice|table|{_UNITS})"
)
_POINTS = re.compile(
    rf"^(?:\W*\(?\w{{1,4}}\)?[.)]?\s+)?(?:(?:this|these|the) {_PART}|{_PART} [\dA-Z][\w.()-]*) "
    r"(?:(?:also|further) )?(?:says?|sets? out|describes?|explains?|covers?|contains?|details?|"
    r"deals? with|provides? (?:guidance|an overview|details)|is intended|aims?|summari[sz]es?|"
    r"outlines?|tells?|shows?|lists?|would enact)\b"
    r"|^(?:\W*\(?\w{1,4}\)?[.)]?\s+)?dies(?:e|es|er) "
    rf"(?:Gesetz|Richtlinie|Verordnung|Dokument|Leitfaden|{_UNITS_DE}) "
    r"(?:regelt|beschreibt|enthält|erklärt)\b",
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
    """Return whether a sentence only says what its document, or another part, is about, or only
    announces what is not beside it, or only changes another law: `Section 264 is amended—`.
    """
    if announces(text) and _ANNOUNCES.match(text):
        return True
    return bool(_POINTS.match(text) or _AMENDS.search(text))
