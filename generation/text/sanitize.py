"""Text of others as it may be shown: passages and models may hold markup and terminal escapes."""

from __future__ import annotations

import unicodedata

from generation.text.citation_styles import defused
from generation.text.markup import without_markup

_KEPT = "\n\t"
_JOINERS = "\u200c\u200d"
"""Format characters that Persian, Indic scripts and emoji need; they cannot reorder a line."""


def printable(text: str) -> str:
    """Return a text without control characters, terminal escapes and characters that reorder text.

    Only single characters go, so a text may be cleaned whole or piece by piece: of `ESC[31m`
    the harmless `[31m` remains, in sight.
    """
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(char for char in text if char in _KEPT or _harmless(char))


def _harmless(char: str) -> bool:
    # Cc: controls; Cf: bidirectional and invisible marks; Cs: lone surrogates, which no terminal
    # can encode; Zl, Zp: line breaks that only some terminals take for such.
    return char in _JOINERS or unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp")


def one_line(text: str) -> str:
    """Return a text fit for one line: printable, white space folded."""
    return " ".join(printable(" ".join(text.split())).split())


def as_shown(text: str) -> str:
    """Return a text as it is quoted in an answer.

    The same words, but brackets around numbers are round, tags and images have no force, and
    control characters are gone.
    """
    return without_markup(defused(printable(text)))
