"""The pieces of a number: figures, letters, Roman numerals, and which comes after which."""

from __future__ import annotations

from collections.abc import Sequence

from search.provisions.roman import roman_value


def sorts_of(piece: str) -> frozenset[str]:
    """Return what a piece of a number may be: `i` is a letter and a numeral; `2a` is a figure."""
    if piece[:1].isdigit():
        return frozenset({"figure"})
    letter = {"letter"} if len(piece) <= 2 else set[str]()
    return frozenset(letter | ({"numeral"} if roman_value(piece) else set[str]()))


def level_of(pieces: Sequence[str], number: Sequence[str], core: int) -> int:
    """Return where in a number pieces of a list continue: `(2)` behind 5(1)(a) goes to 5(2).

    They take the place of the innermost piece of their own sort, by preference one that they come
    directly after, so that `(i)` behind (h) is a letter.

    Args:
        pieces: of the next member of the list, without the number that it leaves out.
        number: of the member before.
        core: how many of its pieces come before the first bracket; they stay.
    """
    sorts = sorts_of(pieces[0])
    inner = range(len(number) - 1, core - 1, -1)
    alike = [place for place in inner if sorts & sorts_of(number[place])]
    next_one = (place for place in alike if _comes_after(number[place], pieces[0]))
    fallback = max(core, len(number) - len(pieces))
    return next(next_one, alike[0] if alike else fallback)


def _comes_after(one: str, other: str) -> bool:
    if one.isdecimal() and other.isdecimal():
        return int(other) == int(one) + 1
    first, second = roman_value(one), roman_value(other)
    if first and second and second == first + 1:
        return True
    return len(one) == len(other) == 1 and ord(other) == ord(one) + 1
