"""Tells repetitions: rulebooks say the same rule in several places.

What differs in one content word is no repetition: it binds somebody else, or to something else.
"""

from __future__ import annotations

from search.analyzer import words

INTERCHANGEABLE = frozenset({
    "a", "an", "the", "any", "all", "each", "every", "such", "this", "that", "these", "those",
})  # fmt: skip
"""Words of which one may stand for another, or for none, in the same rule. *And* and *or*,
*before* and *after*, *by* and *to* are none: with them the law changes."""


def essence(text: str) -> tuple[str, ...]:
    """Return what two texts must have in common to say the same.

    That is their words in order, without articles and the like, without the `s` of plural and
    possessive, and without punctuation, case and white space. A text without words is its own.
    """
    bare = (word.removesuffix("'s").removesuffix("’s").removesuffix("s") for word in words(text))
    return tuple(word for word in bare if word not in INTERCHANGEABLE) or (text,)
