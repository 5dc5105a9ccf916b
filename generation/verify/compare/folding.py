"""Makes two texts comparable: what differs only in type setting becomes the same."""

from __future__ import annotations

import unicodedata

_MARKS = {
    **dict.fromkeys(map(ord, '“”„‟«»"‘’‚‛`´′″'), "'"),
    **dict.fromkeys(map(ord, "‐‑‒–—―−"), "-"),
    ord("|"): " ",
    **dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"), ""),
}
"""Quotation marks, dashes, bars between the cells of a table and invisible characters, with what
stands for them."""


def folded(text: str) -> str:
    """Return a text in lower case with white space, quotation marks and dashes made alike.

    Compatibility forms are resolved (NFKC: ligatures, no-break blanks, full-width letters), and
    the digits of other scripts written as 0 to 9. Marks of bold type go.
    """
    text = text.replace("**", "")
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        for digit in filter(str.isdecimal, set(text).difference("0123456789")):
            text = text.replace(digit, str(unicodedata.decimal(digit)))
    return " ".join(text.translate(_MARKS).casefold().split())
