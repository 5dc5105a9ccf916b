"""Roman numerals in lower case, read and written."""

from __future__ import annotations

_DIGITS = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
"""Larger ones number no clause, and `d` and `m` are letters of lists."""
_WRITTEN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
    (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


def roman_value(text: str) -> int | None:
    """Return the value of a numeral of the digits i, v, x, l and c; None for any other text."""
    if not text or any(letter not in _DIGITS for letter in text):
        return None
    values = [_DIGITS[letter] for letter in text]
    return sum(
        -value if value < max(values[index:]) else value for index, value in enumerate(values)
    )


def roman_numeral(value: int) -> str:
    """Return the numeral of a number above 0; what exceeds some 10,000 is cut off."""
    found = ""
    for size, letters in _WRITTEN:
        times, value = divmod(value, size)
        found += letters * min(times, 10)
    return found
