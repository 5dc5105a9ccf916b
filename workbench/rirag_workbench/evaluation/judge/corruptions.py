"""Sentences made false in one known way: another number, another measure, the contrary.

What is changed is drawn from a generator, so that a run can be repeated.
"""

from __future__ import annotations

import re
from random import Random

from generation.text.statements.clauses import fold
from generation.verify.compare.words import folded
from search.provisions.documents.names import DocumentNames
from search.provisions.links.find import find_cross_references
from search.records import Passage

_NUMBERS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve", "fifteen",
    "twenty", "thirty",
)  # fmt: skip
_NUMBER = re.compile(
    r"(?<![\w.(])\d+(?:,\d{3})*(?:\.\d+)*(?=[\s%,;.)(]|$)|\b(?:" + "|".join(_NUMBERS) + r")\b"
)
_MEASURES = (
    ("minutes", "hours"), ("hours", "days"), ("days", "weeks"), ("days", "months"),
    ("months", "years"), ("business days", "days"), ("USD", "EUR"), ("US$", "€"), ("$", "€"),
    ("at least", "at most"), ("at least", "up to"), ("%", ""), ("per cent", ""),
    ("each year", "each month"), ("annually", "monthly"), ("month", "week"), ("year", "month"),
)  # fmt: skip
"""Units, currencies and limits, and what each is made; the pairs go both ways."""
MODAL = re.compile(r"\b(must|shall|may|should|is|are|will|can) (not )?(?=[a-z])")


def changed_number(text: str, passage: Passage, random: Random) -> str | None:
    """Return a sentence with one number replaced, half of the time by another of the passage.

    Numbers of rules stay: an answer with a wrong one may be right all the same.
    """
    found = _numbers(text)
    if not found:
        return None
    chosen = random.choice(found)
    own = [one[0] for one in _numbers(passage.text) if one[0] != chosen[0]]
    if own and random.random() < 0.5:
        other = random.choice(own)
    elif chosen[0].isalpha():
        other = random.choice([name for name in _NUMBERS if name != chosen[0]])
    else:
        head, _, last = chosen[0].rpartition(".")
        other_last = int(last.replace(",", "")) + random.choice([1, 2, 5, 10])
        digits = f"{other_last:,}" if "," in last else f"{other_last}"
        other = f"{head}.{digits}" if head else digits
    return unless_said(f"{text[: chosen.start()]}{other}{text[chosen.end() :]}", passage)


def _numbers(text: str) -> list[re.Match[str]]:
    """Return the numbers in a text, without those of the rules that it names."""
    end = 0
    for rule in find_cross_references(Passage("", "", "", text), DocumentNames([])):
        start = text.find(rule.text, end)
        if start >= 0:
            end = start + len(rule.text)
            text = f"{text[:start]}{'x' * len(rule.text)}{text[end:]}"
    return list(_NUMBER.finditer(text))


def changed_measure(text: str, passage: Passage, random: Random) -> str | None:
    """Return a sentence with the unit, the currency or the limit of a number replaced."""
    pairs = [*_MEASURES, *((new, old) for old, new in _MEASURES if new)]
    found = [
        (match, new)
        for old, new in pairs
        for match in re.finditer(rf"(?i)(?<![A-Za-z]){re.escape(old)}(?![A-Za-z])", text)
        if re.search(r"\d", text[max(0, match.start() - 12) : match.end() + 12])
    ]
    if not found:
        return None
    match, new = random.choice(found)
    return unless_said(f"{text[: match.start()]}{new}{text[match.end() :]}", passage)


def swapped_negation(text: str, passage: Passage, random: Random) -> str | None:
    """Return a sentence with a "not" added or taken away behind a verb."""
    found = list(MODAL.finditer(text))
    if not found:
        return None
    chosen = random.choice(found)
    verb = chosen[1] + (" " if chosen[2] else " not ")
    return unless_said(text[: chosen.start()] + verb + text[chosen.end() :], passage)


def holds(passage: Passage, text: str) -> bool:
    """Return whether a passage has the words of a text as they are."""
    return folded(text).strip(" .;,:") in folded(passage.text)


def unless_said(text: str, passage: Passage, words: str = "") -> str | None:
    """Return the text unless the passage says just this."""
    return None if holds(passage, words or fold(text)) else text
