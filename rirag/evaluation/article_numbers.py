"""The articles that a field of a form names, in the words of whoever filled it in."""

from __future__ import annotations

import re

MOST_IN_RANGE = 20
"""`467-478` names twelve articles; a longer range names a part of the act, and no answer."""

_PARAGRAPHS = re.compile(r"\([^)]*\)")
_NUMBER = re.compile(r"(?<![\w/])(\d{1,6})([a-z]{0,3})(?:\s*[-–]\s*(\d{1,6}))?\b")


def article_numbers(text: str) -> tuple[str, ...]:
    """Return the articles that a field such as `486, 62`, `Art. 430 (1)` or `467-478` names."""
    found: dict[str, None] = {}
    for first, letters, last in _NUMBER.findall(_PARAGRAPHS.sub(" ", text)):
        if last and 0 < int(last) - int(first) < MOST_IN_RANGE:
            found.update(dict.fromkeys(map(str, range(int(first), int(last) + 1))))
        else:
            found[first + letters] = None
    return tuple(found)
