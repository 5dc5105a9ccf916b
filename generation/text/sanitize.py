"""Text of others as it may be shown: passages and models may hold markup and terminal escapes."""

from __future__ import annotations

import unicodedata

from generation.text.citation_styles import defused
from generation.text.markup import without_markup

_KEPT = "\n\t\u200c\u200d"
"""White space, and joiners that Persian, Indic scripts and emoji need: they reorder no line."""
_HARMFUL = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Categories: controls; bidirectional and invisible marks; lone surrogates, which no terminal can
encode; line breaks that only some terminals take for such."""


def printable(text: str) -> str:
    """Return a text without control characters, terminal escapes and characters that reorder text.

    Only single characters go, so a text may be cleaned whole or piece by piece: of `ESC[31m`
    the harmless `[31m` remains, in sight.
    """
    for char in set(text).difference(_KEPT):
        if unicodedata.category(char) in _HARMFUL:
            text = text.replace(char, "")
    return text


def one_line(text: str) -> str:
    """Return a text fit for one line: printable, white space folded."""
    return " ".join(printable(" ".join(text.split())).split())


def as_shown(text: str) -> str:
    """Return a text as it is quoted in an answer.

    The same words, but brackets around numbers are round, tags and images have no force, and
    control characters are gone.
    """
    return without_markup(defused(printable(text)))
