"""Find sentences that only point elsewhere, and what these or the passages beside them state."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from generation.extract.asked import AskedKind
from generation.extract.not_stated import STATES
from generation.library import Library
from generation.text.statements.clauses import announces
from generation.text.values import ValueKind, values_in
from search.language import vocabulary
from search.records import Passage

FOLLOWED: frozenset[AskedKind] = frozenset({"time", "money", "percent"})
"""Kinds that are looked for in another rule; numbers of some sort are in nearly each."""

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

_LAST_LABEL = re.compile(r"(?:^|[.\s]+|(?=\())\(?\w+\)?\.?$")
"""The last part of a number, such as `(5)` of `142(5)`."""


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


def values_asked(kinds: Iterable[AskedKind]) -> frozenset[ValueKind]:
    """Return the kinds of value that state what is asked for, of `FOLLOWED` kinds."""
    return frozenset(value for kind in FOLLOWED.intersection(kinds) for value in STATES[kind])


def rules_that_state(
    kinds: Iterable[AskedKind], passage: Passage, quoted: str, library: Library
) -> list[Passage]:
    """Return the rules that quoted words name and that have a kind of value asked for.

    A question for a retention period is answered by "the period in Rule 3.3.2" only there.

    Args:
        kinds: asked for, and in no passage quoted.
        passage: that is quoted.
        quoted: its words.
        library: finds the rules.
    """
    wanted = values_asked(kinds)
    if not wanted:
        return []
    named = {one.id: one for one in library.cited([replace(passage, text=quoted)])}
    return [one for key, one in named.items() if key != passage.id and wanted & values_in(one.text)]


def beside_that_state(
    kinds: Iterable[AskedKind], passage: Passage, library: Library
) -> list[Passage]:
    """Return the passages beside one, in the same rule, that have a kind of value asked for.

    Args:
        kinds: asked for, and in no passage quoted.
        passage: that is quoted.
        library: has its document.
    """
    wanted = values_asked(kinds)
    rule = _rule_above(passage)
    if not wanted or not rule:
        return []
    return [
        one
        for one in library.passages(passage.document_id)
        if one.id != passage.id and _rule_above(one) == rule and wanted & values_in(one.text)
    ]


def _rule_above(passage: Passage) -> str:
    """Return the number of what encloses a passage: `142` of `142(5)`."""
    return _LAST_LABEL.sub("", passage.passage_id.strip())
