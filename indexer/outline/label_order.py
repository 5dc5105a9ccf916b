"""What comes after what: numbers with suffixes, letters, Roman numerals."""

from __future__ import annotations

import re

from search.roman import roman_value

_SUFFIX = re.compile(r"(\d+)([A-Z]{0,2})")


def core_follows(mine: str, theirs: str) -> bool:
    """Tell whether one number, letter or numeral comes right after another.

    `12A` follows `12`, and `13` follows `12A`; `i` follows `h`, and is 1 as well.
    """
    if mine[:1].isdigit() or theirs[:1].isdigit():
        return _number_follows(mine, theirs)
    if roman_value(mine.lower()) == (roman_value(theirs.lower()) or -1) + 1:
        return True
    return _letters(mine.lower()) == _letters(theirs.lower()) + 1


def _number_follows(mine: str, theirs: str) -> bool:
    one, other = _SUFFIX.fullmatch(mine), _SUFFIX.fullmatch(theirs)
    if not one or not other:
        return False
    same = int(one[1]) == int(other[1])
    return (same and one[2] > other[2]) or (int(one[1]) == int(other[1]) + 1)


def _letters(text: str) -> int:
    """Return the place of `a` … `z`, `aa`, `bb` …; 0 for anything else."""
    if not text.isalpha() or (len(set(text)) != 1 and len(text) > 2):
        return 0
    if len(set(text)) == 1:
        return 26 * (len(text) - 1) + ord(text[0]) - 96
    return 26 * (ord(text[0]) - 96) + ord(text[1]) - 96
