"""The articles that a field of a form names, in the words of whoever filled it in."""

from __future__ import annotations

import re

MOST_IN_RANGE = 20
"""`467-478` names twelve articles; a longer range names a part of the act, and no answer."""

_PARAGRAPHS = re.compile(r"\([^)]*\)")
_NUMBER = re.compile(r"(?<![\w/])(\d{1,6})([a-z]{0,3})(?:\s*[-–]\s*(\d{1,6}))?\b(?!/\d{4}\b)")
"""But not the number of an act, as in `575/2013`."""


def article_numbers(text: str) -> tuple[str, ...]:
    """Return the articles that a field such as `486, 62`, `Art. 430 (1)` or `467-478` names."""
    found: dict[str, None] = {}
    for first, letters, last in _NUMBER.findall(_PARAGRAPHS.sub(" ", text)):
        if last and 0 < int(last) - int(first) < MOST_IN_RANGE:
            following = range(int(first) + 1, int(last) + 1)
            found.update(dict.fromkeys([first + letters, *map(str, following)]))
        else:
            found[first + letters] = None
    return tuple(found)
