"""Text of others as answers show it: without citations, markup, or orders to a terminal."""

from __future__ import annotations

from generation.text.citation_styles import defused
from generation.text.markup import without_markup
from generation.text.terminal import printable


def as_shown(text: str) -> str:
    """Return a text as it is quoted in an answer.

    The same words, but brackets around numbers are round, tags and images have no force, and
    control characters are gone.
    """
    return without_markup(defused(printable(text)))
