"""Find what limits a statement: conditions, exceptions, and sentences that lean on the one before.

Conditions are recognised in English only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from generation.statements.markers import find_marker
from search.language import vocabulary

_TAKES_BACK = re.compile(
    "|".join(
        vocabulary.forms("sentences.takes_back", code).replace(
            "UNIT", vocabulary.pattern(vocabulary.units_of("rule", "inner"), code, short=False)
        )
        for code in ("en", "de", "fr")
    ),
    re.IGNORECASE,
)
_LEANS = re.compile(vocabulary.forms("sentences.leans"))

OPENS = (
    rf"(?:{vocabulary.any_of('conditions.anywhere', 'en')}"
    rf"|(?:^|(?<=, )|(?<=\) )){vocabulary.any_of('conditions.parted', 'en')})\b(?! which\b)"
)
_BEHIND = re.compile(rf"\b{vocabulary.any_of('conditions.not_behind', 'en')}(,?) $")
_MARK = re.compile(rf"\b{OPENS}")
_EXCEPTS = frozenset(vocabulary.words("conditions.exceptions", "en"))
CONDITION = re.compile(rf"\b{vocabulary.forms('conditions.told', 'en')}\b")
"""How a statement tells that something is left open."""
_CLAUSE = re.compile(r"(?:[^,;:.]|[.,](?=\d))+")


@dataclass(frozen=True, slots=True)
class Clause:
    """A condition or exception of a sentence, folded."""

    text: str
    governs: str
    """The words that it limits."""
    rest: str
    """The sentence without it."""
    excepts: bool


def conditions_in(sentence: str) -> Iterator[Clause]:
    """Yield the conditions of a folded sentence.

    One that opens the sentence, or stands between commas behind `and`, limits what follows it;
    any other what is before it, as far as the last comma.
    """
    marker = find_marker(sentence)
    sentence = sentence[marker.end :] if marker else sentence
    for mark in _MARK.finditer(sentence):
        before, behind = sentence[: mark.start()], sentence[mark.end() :]
        unbound = _BEHIND.search(before)
        if unbound and not unbound[1]:
            continue
        clause = _CLAUSE.match(behind)
        end = mark.end() + (clause.end() if clause else 0)
        after = sentence[end:].lstrip(", ")
        ahead = not before.strip(" ()") or before.rstrip().endswith((" and,", " or,"))
        limited = _CLAUSE.match(after) if ahead else None
        governs = limited[0] if limited else re.split("[,;:]", before.rstrip(" ,;:"))[-1]
        yield Clause(sentence[mark.start() : end], governs, f"{before} {after}",
                      mark[0].split()[0] in _EXCEPTS)  # fmt: skip


def takes_back(sentence: str) -> bool:
    """Return whether a sentence makes an exception from what comes before it."""
    return _TAKES_BACK.match(sentence) is not None


def leans_back(sentence: str) -> bool:
    """Return whether a sentence speaks of what the one before it names (`Such activities …`)."""
    return _LEANS.match(sentence) is not None
