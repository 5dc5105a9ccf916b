"""Splits legal prose into sentences, where abbreviations and rule numbers are full of stops."""

from __future__ import annotations

import re
from itertools import accumulate

from search.language import vocabulary

_ABBREVIATIONS = frozenset({
    *vocabulary.words("stops.abbreviations"),
    *(
        one.word.lower()
        for language in ("en", "de", "fr")
        for one in vocabulary.languages()[language].spellings
        if one.short
    ),
})  # fmt: skip
"""Words after which a stop does not end a sentence, lower case and without the last stop."""

_ENDS_ANYWAY = frozenset(vocabulary.words("stops.ends_anyway"))
"""Abbreviations that often are the last word: a sentence ends there if a word follows that opens
one. Any other capital may belong to a name, as in `the U.A.E. Dirham`."""

_OPENERS = frozenset(vocabulary.words("stops.openers"))
"""Words that a sentence opens with and no name does, lower case."""

_STOP = re.compile(r"(?<![.!?])[.!?]+[\"'”’)\]]*(?=\s{1,50}[\"'“‘(\[]{0,9}[A-Z0-9])")
"""Tried once in a run of stops: hostile text has a million of them."""
_LAST_WORD = re.compile(r"[\"'“‘(\[]*(\S*)$")
_FIRST_WORD = re.compile(r"\W*([^\W\d_]*)")
_NUMBERING = re.compile(r"(?>(?:\(?[A-Za-z0-9]{1,4}\)?\.?)+)")

_ORDINAL = re.compile(
    rf"\b{vocabulary.any_of('stops.before_ordinals')}\s+\d{{1,3}}$", re.IGNORECASE
)
"""A German ordinal has a stop: `bis zum 1. März`, `im 2. Halbjahr`."""

_LONGEST_WORD = 60
"""Characters before a stop that are read: longer words are neither abbreviations nor numbers."""
_LONGEST_ASIDE = 300
"""Characters to the bracket before a stop, and to the one behind it; a longer aside is cut."""
_BRACKET = re.compile(r"([(\[])|[)\]]")


def split_sentences(text: str) -> list[str]:
    """Return the sentences of one paragraph, each stripped; joined by blanks they are the text.

    A stop ends a sentence when white space and a capital or a digit follow, unless it belongs to
    an abbreviation (`e.g.`, `No. 5`), to an initial (`J. Smith`), or to the number that opens the
    sentence (`3.5.8. An Authorised Person …`), or is inside brackets (`the desk (ext. 5)`).
    """
    sentences, start = [], 0
    for stop in _STOP.finditer(text):
        before = text[max(start, stop.start() - _LONGEST_WORD) : stop.start()]
        opened = _depths(text, max(start, stop.end() - _LONGEST_ASIDE), stop.end())
        closed = _depths(text, stop.end(), stop.end() + _LONGEST_ASIDE)
        if opened[-1] > min(opened) and min(closed) < 0:
            continue
        if _ends(before, text[stop.end() : stop.end() + _LONGEST_WORD], stop[0]):
            sentences.append(text[start : stop.end()].strip())
            start = stop.end()
    sentences.append(text[start:].strip())
    return [sentence for sentence in sentences if sentence]


def _depths(text: str, start: int, end: int) -> list[int]:
    """Return how deep in brackets a stretch of text is after each of them, from 0 at its start."""
    steps = (1 if bracket[1] else -1 for bracket in _BRACKET.finditer(text, start, end))
    return list(accumulate(steps, initial=0))


def sentence_pieces(text: str) -> list[str]:
    """Return the sentences of each line with white space: joined, they are the text.

    The white space before a sentence belongs to it; what ends a line is a piece of its own.
    """
    pieces = []
    for line in text.splitlines(keepends=True):
        at = 0
        for sentence in split_sentences(line):
            end = line.index(sentence, at) + len(sentence)
            pieces.append(line[at:end])
            at = end
        pieces += [line[at:]] if line[at:] else []
    return pieces


def _ends(before: str, after: str, stop: str) -> bool:
    if stop[0] != ".":
        return True
    if _NUMBERING.fullmatch(before.strip()) and not before.strip().isalpha():
        return False
    if _ORDINAL.search(before):
        return False
    found = _LAST_WORD.search(before)
    word = found[1].lower() if found else ""
    following = after.lstrip()[:1]
    if word in _ABBREVIATIONS:
        first = _FIRST_WORD.match(after)
        return word in _ENDS_ANYWAY and first is not None and first[1].lower() in _OPENERS
    if len(word) == 1 and word.isalpha():
        return False
    # "is 5. 7 days": a digit after a stop opens a sentence only when the stop ends a word.
    return not following.isdigit() or not word[-1:].isdigit()
