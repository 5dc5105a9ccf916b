"""Number formats of automatic numbers: 1, a, A, i, I, first, …"""

from __future__ import annotations

from collections.abc import Callable

from search.language import vocabulary
from search.provisions.roman import roman_numeral

_LARGEST = 3999
"""Largest Roman numeral in common letters; letters and words stop there too."""


def numeral(value: int, number_format: str) -> str:
    """Return a counter as Word writes it.

    Args:
        value: the counter; formats other than decimal ones need 1 to 3999.
        number_format: the `numFmt` value (ISO/IEC 29500-1, 17.18.59). One that is not known is
            written as a decimal number, as Word does.
    """
    if number_format in ("none", "bullet"):
        return ""
    if number_format.startswith("decimalZero"):
        return f"{value:02d}"
    if not 0 < value <= _LARGEST:
        return str(value)
    return _WRITERS.get(number_format, str)(value)


def _letters(value: int) -> str:
    """Return a to z, then aa, bb, cc: the letter is repeated."""
    return chr(ord("a") + (value - 1) % 26) * ((value - 1) // 26 + 1)


def _ordinal_suffix(value: int) -> str:
    if value % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")


def _words(value: int) -> str:
    for size, noun in ((1000, "thousand"), (100, "hundred")):
        if value >= size:
            rest = f" {_words(value % size)}" if value % size else ""
            return f"{_words(value // size)} {noun}{rest}"
    ones = {int(digits): word for word, digits in vocabulary.number_words("en").items()}
    if value in ones:
        return ones[value]
    ten = vocabulary.words("tens.words", "en")[value // 10 - 2]
    return f"{ten}-{ones[value % 10]}" if value % 10 else ten


def _ordinal_words(value: int) -> str:
    words = _words(value)
    cut = max(words.rfind(" "), words.rfind("-")) + 1
    last = words[cut:]
    ordinals = {digits: word for word, digits in vocabulary.ordinals("en").items()}
    regular = f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th"
    return words[:cut] + ordinals.get(vocabulary.number_words("en").get(last, ""), regular)


_WRITERS: dict[str, Callable[[int], str]] = {
    "lowerLetter": _letters,
    "upperLetter": lambda value: _letters(value).upper(),
    "lowerRoman": roman_numeral,
    "upperRoman": lambda value: roman_numeral(value).upper(),
    "ordinal": lambda value: f"{value}{_ordinal_suffix(value)}",
    "cardinalText": lambda value: _words(value).capitalize(),
    "ordinalText": lambda value: _ordinal_words(value).capitalize(),
}
