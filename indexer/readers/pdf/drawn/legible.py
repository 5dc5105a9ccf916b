"""Whether the letters that a font gives are those that the page shows.

A font without a map to Unicode may give other letters (`WKH` for `the`). Words of such a text have
almost no vowel, as in no language that is written in Latin letters.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

LEAST_LETTERS = 120
"""Latin letters of a page below which nothing is said: it may be a table of codes."""

LEAST_VOWELS = 0.24
"""Share of vowels among the Latin letters of a text: pages of laws in English and German have .33
to .42; letters that are moved by some places have .05 to .2."""

UNKNOWN = 0.2
"""Share of the characters that may have no meaning: a symbol here and there."""

_VOWELS = frozenset("aeiouy")


def is_legible(words: Iterable[str]) -> bool:
    """Return whether the words of a page can be words."""
    text = "".join(words)
    unknown = sum(c == "\ufffd" or "\ue000" <= c <= "\uf8ff" for c in text)
    if unknown > UNKNOWN * len(text):
        return False
    letters = [c for c in unicodedata.normalize("NFD", text.casefold()) if "a" <= c <= "z"]
    vowels = sum(letter in _VOWELS for letter in letters)
    return len(letters) < LEAST_LETTERS or vowels >= LEAST_VOWELS * len(letters)
