"""Whether an encoder reads the language of a text, by its vocabulary."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from search.models.encoders.protocol import Encoder
from search.text.characters import LETTERS
from search.text.languages import foreign_letters

MOST_LETTERS = 3.3
"""Letters for each piece of a text that is hardly read. English passages have 4.8 at least, German
ones half the time 2.6; of German questions 99 in a hundred have less, of English ones of four words
and fewer three in a hundred ("T2 deductions")."""

MOST_FOREIGN_LETTERS = 4.0
"""The same for a text with letters that English lacks: Romanian ones have up to 3.6. An encoder of
several languages has more."""

MOST_WORDS = 100
"""Words of a text that are looked at."""


@runtime_checkable
class CountsPieces(Protocol):
    """An encoder that tells how its vocabulary cuts a text."""

    def pieces(self, text: str) -> int:
        """Return the number of pieces of a text, without markers."""


def hardly_reads(encoder: Encoder, text: str) -> bool | None:
    """Return whether an encoder knows the words of a text only in small pieces.

    None where it does not tell.
    """
    if not isinstance(encoder, CountsPieces):
        return None
    # Acronyms are cut into small pieces in any language.
    found = [one for one in LETTERS.findall(text) if not one.isupper()][:MOST_WORDS]
    most = MOST_FOREIGN_LETTERS if foreign_letters(text) else MOST_LETTERS
    pieces = encoder.pieces(" ".join(found))
    for word in found:
        # An unknown word is one piece, however long it is; nothing of it is read.
        if not word.isascii() and encoder.pieces(word * 2) == 1:
            pieces += len(word) - 1
    return bool(found) and sum(map(len, found)) <= most * pieces
