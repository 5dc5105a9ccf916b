"""Find repetitions: rulebooks state the same rule in several places.

What differs in one content word, in a unit or in a sign is not a repetition: it binds somebody
else, or to something else.
"""

from __future__ import annotations

import re

from search.text.analyzer import words

ARTICLES = frozenset({"a", "an", "the", "any"})
"""Words of which one may stand for another, or for none, in the same rule. *And* and *or*,
*before* and *after*, *by* and *to* are none: with them the law changes."""

ALIKE = {
    "every": "each", "such": "this", "that": "this", "these": "this", "those": "this",
}  # fmt: skip
"""Words that say the same as another one. *All* is not *any*: all directors sign, or one does."""

_SIGN = re.compile(
    r"[£$€¥%‰<>=≤≥≠±]|(?<![\w.)])[-−+](?=\s?\d)|(?<=\b[A-Z])[-−+](?![\w-])"  # A+ is a grade
)


def essence(text: str) -> tuple[str, ...]:
    """Return what two texts must have in common to say the same.

    That is their words and signs in order, without articles, without the `s` of plural and
    possessive, and without punctuation, case and white space. A text without words is its own.
    """
    spelt = _SIGN.sub(lambda sign: f" sign{ord(sign[0])} ", text)
    kept = (ALIKE.get(word, word) for word in words(spelt) if word not in ARTICLES)
    return tuple(map(_singular, kept)) or (text,)


def _singular(word: str) -> str:
    return word.removesuffix("'s").removesuffix("’s").removesuffix("s")
