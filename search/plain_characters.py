"""One form of characters that look alike, so that texts from different sources can be compared."""

from __future__ import annotations

import unicodedata

_APOSTROPHES = str.maketrans(dict.fromkeys("‘’‛ʼ`´′＇", "'"))


def plain_characters(text: str) -> str:
    """Return a text with one form of each character and of the apostrophe, and nothing invisible.

    Compatibility forms are resolved (NFKC: ligatures, no-break blanks, full-width letters), and
    soft hyphens, zero-width blanks and other format characters (category Cf) dropped.
    """
    text = text.translate(_APOSTROPHES)
    if text.isascii():
        return text
    composed = unicodedata.normalize("NFKC", text)
    return "".join(one for one in composed if unicodedata.category(one) != "Cf")
