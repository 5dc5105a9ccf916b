"""What sorts the numbers of units: 4, 4 a, 4b, 5; and which comes next."""

from __future__ import annotations

import re

Key = tuple[int | str, ...]

_DIGITS = re.compile(r"\d+|[a-zA-Z]+")


def key_of(number: str) -> Key:
    """Return what sorts numbers: 4, 4 a, 4b, 5; Roman numerals by their value."""
    from search.provisions.roman import roman_value

    parts = _DIGITS.findall(number)
    if len(parts) == 1 and parts[0].isalpha():
        value = roman_value(parts[0].lower())
        return (value if value is not None else 1,)
    if parts and parts[-1].lower() in {"er", "re"}:
        parts = parts[:-1]
    return tuple(int(p) if p.isdigit() else p.lower() for p in parts)


def ordered(key: Key) -> tuple[tuple[int, int, str], ...]:
    """Return a key that can be compared with others: integers before letters."""
    return tuple((0, part, "") if isinstance(part, int) else (1, 0, part) for part in key)


def comes_next(one: Key, other: Key) -> bool:
    """Return whether a number is next: 5 after 4, 4a after 4, 5 after 4b, 59.1-576 after -575."""
    if other[: len(one)] == one or one[:-1] == other[: len(one) - 1] == other[:-1]:
        last, new = one[-1], other[-1]
        if isinstance(last, int) and isinstance(new, int) and len(one) == len(other):
            return new - last in {1, 2}
        return True
    head, new_head = one[0], other[0]
    return isinstance(head, int) and isinstance(new_head, int) and new_head - head in {1, 2}
