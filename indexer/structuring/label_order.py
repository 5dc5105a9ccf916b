"""What comes after what: numbers with suffixes, letters, Roman numerals."""

from __future__ import annotations

import re

from search.language.vocabulary import LATIN_SUFFIXES
from search.provisions.roman import roman_value

LATIN = {word: place for place, word in enumerate(LATIN_SUFFIXES, 2)} | {"nonies": 9}
"""Suffixes of articles that were put in after others: `2 bis` is between 2 and 3."""

_SUFFIX = re.compile(rf"(\d+)\s?([A-Z]{{0,2}}|[a-z]{{0,2}}|{'|'.join(LATIN)})")


def core_follows(mine: str, theirs: str) -> bool:
    """Return whether one number, letter or numeral comes right after another.

    `12A` follows `12`, and `13` follows `12A`; `2 ter` follows `2 bis`; `i` follows `h`, and is 1
    as well.
    """
    if mine[:1].isdigit() or theirs[:1].isdigit():
        return _number_follows(mine, theirs)
    if roman_value(mine.lower()) == (roman_value(theirs.lower()) or -1) + 1:
        return True
    return _letters(mine.lower()) == _letters(theirs.lower()) + 1


def core_later(mine: str, theirs: str) -> bool:
    """Return whether one number or letter comes anywhere after another: `5` after `2`."""
    one, other = _SUFFIX.fullmatch(mine), _SUFFIX.fullmatch(theirs)
    if one and other:
        return (int(one[1]), _suffix_order(one[2])) > (int(other[1]), _suffix_order(other[2]))
    return _letters(mine.lower()) > _letters(theirs.lower()) > 0


def _number_follows(mine: str, theirs: str) -> bool:
    one, other = _SUFFIX.fullmatch(mine), _SUFFIX.fullmatch(theirs)
    if not one or not other:
        return False
    same = int(one[1]) == int(other[1])
    later = _suffix_order(one[2]) > _suffix_order(other[2])
    return (same and later) or (int(one[1]) == int(other[1]) + 1)


def _suffix_order(suffix: str) -> tuple[int, str]:
    return (LATIN.get(suffix, 0), suffix)


def _letters(text: str) -> int:
    """Return the place of `a` … `z`, `aa`, `bb` …; 0 for anything else."""
    if not text.isalpha() or (len(set(text)) != 1 and len(text) > 2):
        return 0
    if len(set(text)) == 1:
        return 26 * (len(text) - 1) + ord(text[0]) - 96
    return 26 * (ord(text[0]) - 96) + ord(text[1]) - 96
