"""One form of characters that look alike, so that texts from different sources can be compared."""

from __future__ import annotations

import re
import unicodedata

LETTERS = re.compile(r"[^\W\d_]+")
"""A run of letters of any script."""
LAST_LATIN = "\u024f"
"""The last letter of the Latin script in Unicode's blocks up to Latin Extended-B."""
_APOSTROPHES = str.maketrans(dict.fromkeys("‘’‛ʼ`´′＇", "'"))
_IGNORABLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    "\U000e0000-\U000e0fff]"
)
"""Unicode's default-ignorable characters, but for the format characters (category Cf)."""
_COMPARED = "LNM"
"""First letters of the categories of letters, digits, and marks such as accents."""
_OTHER_SIGNS = frozenset({"<circle>", "<fraction>", "<sub>", "<super>", "<square>"})
"""Kinds of compatibility forms that are not the letters or digits they are made of: `10²`, `½`."""


class _NormalForms(dict[int, str]):
    """The normal form of each character that was met, by code point."""

    def __missing__(self, code: int) -> str:
        one, whole = chr(code), unicodedata.normalize("NFKC", chr(code))
        kind = unicodedata.decomposition(one).partition(" ")[0]
        # Of symbols only radicals and the like stand for a letter: `№` is not the word "No".
        letters = whole.isalpha() and (len(whole) == 1 or unicodedata.category(one) != "So")
        folded = kind in {"<wide>", "<narrow>"} or (letters and kind not in _OTHER_SIGNS)
        self[code] = str(unicodedata.decimal(one, whole if folded else one))
        return self[code]


_FORMS = _NormalForms()


def normal_form(text: str) -> str:
    """Return a text with one form of each letter and digit, and all other characters as they are.

    Ligatures, presentation forms, full-width characters and the digits of other scripts are
    written plainly, and letters composed with their accents (NFC). Signs keep their meaning: `10²`
    does not become 102, as it does in NFKC.
    """
    return text if text.isascii() else unicodedata.normalize("NFC", text.translate(_FORMS))


def compatible(text: str) -> str:
    """Return a text in Unicode's form NFKC, without format characters such as soft hyphens."""
    if text.isascii():
        return text
    visible = "".join(one for one in text if unicodedata.category(one) != "Cf")
    return unicodedata.normalize("NFKC", visible)


def plain_characters(text: str) -> str:
    """Return a text with one form of each character and of the apostrophe, and nothing invisible.

    Soft hyphens, zero-width blanks, variation selectors, fillers and other characters that are not
    to be seen are dropped, and compatibility forms resolved (NFKC: ligatures, no-break blanks,
    full-width letters).
    """
    return compatible(_IGNORABLE.sub("", text.translate(_APOSTROPHES)))


def plain_words(text: str) -> str:
    """Return `plain_characters` with blanks for all but letters, digits, marks and apostrophes.

    What parts words, and how, is no difference then: `complaint.How` has two words, and so has
    `director:or`, which the analysis of search takes for one.
    """
    plain = plain_characters(text)
    for one in set(plain).difference("' "):
        if unicodedata.category(one)[0] not in _COMPARED:
            plain = plain.replace(one, " ")
    return plain


def without_accents(text: str) -> str:
    """Return a text in small letters without accents, for many type it so."""
    letters = text.casefold()
    if letters.isascii():
        return letters
    letters = unicodedata.normalize("NFKD", letters)
    return "".join(one for one in letters if unicodedata.category(one) not in ("Mn", "Cf"))
