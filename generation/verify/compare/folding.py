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
        text = unicodedata.normalize("NFKC", text).translate(_MARKS)
        text = "".join(map(_plain_digit, text))
    else:
        text = text.translate(_MARKS)
    return " ".join(text.casefold().split())


def _plain_digit(char: str) -> str:
    if char.isascii() or not char.isdecimal():
        return char
    return str(unicodedata.decimal(char))
