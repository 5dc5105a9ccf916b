"""One form of the words of a rule, by which two versions or readings of it are compared."""

from __future__ import annotations

import re
from unicodedata import category

from search.text.analyzer import words
from search.text.characters import plain_words

_MARKS = re.compile(
    r"[►▼]\s?(?:[A-Z]{1,2}\d{0,3}\b)?"  # consolidated acts of the EU: ►M1 … ◄, ▼B
    r"|\b[A-Z]\d{1,4}(?=\[)|(?<=\[)[A-Z]\d{1,4}(?![\d\]])"  # acts of the UK: F1[ … ], [F1 … ]
    r"|\[\^?\d{1,3}\]|(?:(?<=[^\W\d_]{3})|(?<=[\W_]))\(?[⁰¹²³⁴-⁹]+\)?"  # footnotes, but not km²
)
"""Marks of amendments and of footnotes."""
_COUNTED = frozenset("%‰<>≤≥±")


def bare_words(text: str) -> str:
    """Return the words of a text in small letters, without punctuation.

    Whatever is not a letter, digit or mark parts words as a blank does, an apostrophe too, however
    it is written, and what is invisible is not there.
    """
    return " ".join(words(plain_words(text).replace("'", " ")))


def wording(text: str) -> str:
    """Return what two texts have in common if no word, number or sign of an amount differs.

    White space, quotation marks, dashes and other punctuation, case, invisible characters and
    marks of amendments and footnotes make no difference.
    """
    signs = (one for one in sorted(set(text)) if one in _COUNTED or category(one) == "Sc")
    counted = (one * text.count(one) for one in signs)
    return " ".join((bare_words(_MARKS.sub(" ", text)), *counted)).strip()
