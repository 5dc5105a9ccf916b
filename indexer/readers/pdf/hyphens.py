"""Words that the end of a line has cut in two."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

SOFT = "\u00ad"
"""Shown only where a line ends."""

FEW = 0.25
"""Cut words known only as a whole for each known only with its hyphen, from which a document cuts
words: the latter end lines in every document."""

ENOUGH = 2
"""Words cut at their own hyphen from which a document without other cuts is taken to cut none."""

SELDOM = 0.02
"""Part of the lines that end with a hyphen in a document that cuts no words; where words are cut it
is three in a hundred and more."""

_HYPHENS = ("-", "\u2010", SOFT)
_LAST = re.compile(r"([^\W\d_]+)[-\u2010\u00ad]$")
_ADDRESS = re.compile(r"[/@.]\S*$")
"""The end of a line inside an address of the web, of which nothing is known."""

_FIRST = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*")


def is_cut(line: str) -> bool:
    """Return whether a line ends inside a word."""
    return bool(_LAST.search(line))


class Vocabulary:
    """The words of a document that are within its lines, by which cut ones are repaired."""

    def __init__(self, lines: Iterable[str]) -> None:
        """Count the words of lines in order; halves of cut words are not counted."""
        self._words: Counter[str] = Counter()
        cuts: list[tuple[str, str]] = []
        head, count = "", 0
        for line in lines:
            count += 1
            first = _FIRST.match(line) if head else None
            if first:
                cuts.append((head, first[0].lower()))
            last = _LAST.search(line)
            head = last[1].lower() if last else ""
            inner = line[first.end() if first else 0 : last.start() if last else len(line)]
            self._words.update(word.lower() for word in _WORD.findall(inner))
        known = [(self._words[one + two], self._words[f"{one}-{two}"]) for one, two in cuts]
        wholes = sum(whole > 0 == hyphenated for whole, hyphenated in known)
        hyphenated = sum(hyphenated > 0 == whole for whole, hyphenated in known)
        seldom = len(cuts) < SELDOM * count
        self._cuts_words = not seldom and wholes > 0 and wholes >= FEW * hyphenated
        """Whether lines end inside words, and not only at the hyphens that words have."""
        self._keeps_words = not self._cuts_words and (hyphenated >= ENOUGH or seldom)

    def join(self, before: str, after: str) -> str:
        """Return two lines as one, a word that was cut repaired."""
        last, first = _LAST.search(before), _FIRST.match(after)
        if not before.endswith(_HYPHENS):
            return f"{before} {after}" if before and after else before + after
        if before.endswith(SOFT):
            return before.removesuffix(SOFT) + after
        kept = (
            not (last and first)
            or _ADDRESS.search(before)
            or self._is_hyphenated(last[1], first[0])
        )
        return before + after if kept else before[:-1] + after

    def _is_hyphenated(self, head: str, tail: str) -> bool:
        """Return whether a word that is cut at a hyphen has that hyphen anywhere.

        The document tells by writing it so, or without it; else by what it does with other words;
        else the hyphen stays where both halves are words of their own.
        """
        if not tail[0].islower():
            return True
        one, other = head.lower(), tail.lower()
        whole, hyphenated = self._words[one + other], self._words[f"{one}-{other}"]
        if whole != hyphenated:
            return hyphenated > whole
        if self._cuts_words or self._keeps_words:
            return self._keeps_words
        return bool(self._words[one] and self._words[other])
