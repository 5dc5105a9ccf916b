"""Parts of words, for languages that join words (`Tochterunternehmen`), inflect or do not part them
by blanks.

Passages and questions that are not English are searched by the runs of `LENGTH` letters in their
words as well (McNamee and Mayfield 2004, "Character N-Gram Tokenization for European Language Text
Retrieval"): BM25 then finds `Tochtergesellschaft` for `Tochterfirma`, without a stemmer or a
dictionary for each language. Korean, whose endings stick to the word, and scripts without blanks
are searched by pairs of characters. No analysis of text changes a part, so that all
engines keep it.
"""

from __future__ import annotations

import re
from itertools import pairwise

from search.text.characters import normal_form, without_accents

LENGTH = 5

MARK = "\u01c2"
"""Ends each part, and begins those at the beginning of a word. It is a letter of no word in any
law, and behind it no stemmer finds an ending."""


_LETTER = (
    "a-z\u00e0-\u024f\u0370-\u052f\u0561-\u0587\u05d0-\u05ea\u0620-\u063f\u0641-\u064a\u10d0-\u10ff"
)
"""Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic and Georgian: scripts that analysis of text does
not part from the mark."""

_WORD = re.compile(rf"[{_LETTER}]{{{LENGTH},}}")
_PAIRED = re.compile(
    "[\uac00-\ud7a3]+|[\u0e01-\u0e3a\u0e40-\u0e4e]+|[\u0e81-\u0ece]+|[\u1000-\u103f\u1050-\u109f]+"
    "|[\u1780-\u17d3]+"
)
"""Runs of Hangul, Thai, Lao, Burmese and Khmer. Analysis would part the characters from the mark,
so the code points of a pair are written instead."""


def word_parts(text: str) -> list[str]:
    """Return the parts of the words of a text that have `LENGTH` letters, and then the pairs."""
    found = []
    for word in _WORD.findall(without_accents(text)):
        whole = MARK + word
        found += [whole[at : at + LENGTH] + MARK for at in range(len(whole) - LENGTH + 1)]
    for run in _PAIRED.findall("" if text.isascii() else normal_form(text)):
        found += [f"{MARK}{ord(one):x}{ord(other):x}{MARK}" for one, other in pairwise(run)]
    return found
