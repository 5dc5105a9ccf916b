"""Words in one form, however a source writes them: `sub\u00admarine`, `15 000`, `U.S.`, `days.The`.

The same words are made of indexed texts and of questions, on every engine; what people are shown
keeps its own. Characters are in their normal form (`search.text.characters`): `ﬁrm` is firm.
"""

from __future__ import annotations

import re
import unicodedata

from search.text.characters import normal_form

_KATAKANA = r"\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_IDEOGRAPH = r"\u3040-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WITHOUT_BLANKS = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
"""Thai, Lao, Burmese and Khmer, where a zero-width blank parts words as a blank does elsewhere."""
# Accents and vowel signs that are characters of their own belong to the word they are in.
_MARKS = "".join(chr(c) for c in range(0x300, 0xFE30) if unicodedata.category(chr(c))[0] == "M")
# Fractions, superscripts and numbers in circles are neither letters nor digits to UAX #29.
SIGNS = "".join(chr(c) for c in range(0x80, 0x3300) if unicodedata.category(chr(c)) == "No")
_LETTER = rf"[^\W{_IDEOGRAPH}{_KATAKANA}{SIGNS}]"
_UNSEEN = "\u00ad\u200b-\u200d\u2060-\u2064\ufeff"
"""Soft hyphens, zero-width blanks and joiners: they say where a line may break. Direction marks do
not: they come after words and numbers."""
_BREAK = rf"(?:(?![\u200b])|(?<![{_WITHOUT_BLANKS}]))[{_UNSEEN}]+(?={_LETTER})"
_CHARACTERS = rf"{_LETTER}+(?:(?:[{_MARKS}]+|{_BREAK}){_LETTER}*)*"
_NARROW = "[\u00a0\u2009\u202f]"
_BLANK = "[ \u00a0\u2009\u202f]"
_AMOUNT = (
    rf"(?<![\w.,'’-])(?<!\d{_BLANK})[1-9]\d{{0,2}}"
    rf"(?:(?:{_NARROW}\d{{3}})+|[ ]\d{{3}}|(?:[ ]\d{{3}}){{1,2}}[ ]000)"
    rf"(?:[.,]\d{{1,2}})?(?![\w/–-]|[.,]\d|{_BLANK}\d)"
)
"""`15 000`, but nothing of a longer row of figures."""
# Inside a word UAX #29 keeps ' . : · between letters, and . , ; ' between digits.
WORD = re.compile(
    rf"[{_IDEOGRAPH}]|[{_KATAKANA}]+|{_AMOUNT}|{_CHARACTERS}"
    rf"(?:(?:(?<=[^\W\d_])['‘’＇.:·](?=[^\W\d_])|(?<=\d)[.,;'‘’＇](?=\d)){_CHARACTERS})*"
)
"""One word as a source writes it; `plain_word` gives its one form."""

_INVISIBLE = re.compile(f"[{_UNSEEN}]")
_THOUSANDS = re.compile(r"(?<![\d.,])(\d{1,3})((?:[,'‘’＇]\d{3})+)(?![\d,'‘’＇])")
_INITIALS = re.compile(r"(?<![\w.'’])[^\W\d_](?:\.[^\W\d_])+(?![\w.'’:])")
_JOINT = re.compile(r"(?<![^\W\d_])([^\W\d_]+)[.:](?=([^\W\d_]+))")
_LONG = 3
"""Letters of what comes after a full stop or colon and is a word, no initial: `10 days.the`."""


def plain_word(word: str) -> str:
    """Return the one form of what `WORD` matches; words that are glued together are parted.

    Invisible characters, marks of thousands and the stops of initials go: `submarine`, `15000`,
    `US`. What comes after a full stop or colon is a word of its own if it has three letters, or
    a capital behind small ones: `days The`, `topic zeppelins`, but `e.g`.
    """
    word = _INVISIBLE.sub("", word)
    if word[0].isdigit():
        word = re.sub(_BLANK, "", word)
    joined = _THOUSANDS.sub(lambda found: "".join(filter(str.isdigit, found[0])), word)
    parted = _JOINT.sub(_parted, joined)
    return _INITIALS.sub(lambda found: found[0].replace(".", ""), parted)


def plain_text(text: str) -> str:
    """Return a text in normal form without the invisible characters inside of its words.

    It is what models read, and how questions and titles are analysed.
    """
    text = normal_form(text)
    if text.isascii() or not _INVISIBLE.search(text):
        return text
    return WORD.sub(lambda found: _INVISIBLE.sub("", found[0]), text)


def _parted(joint: re.Match[str]) -> str:
    """Return what comes before a full stop or colon, and a blank where a new word begins."""
    before, behind = joint[1], joint[2]
    capital = behind[0].isupper() and len(before) > 1 and before[-1].islower()
    return f"{before} " if capital or len(behind) >= _LONG else joint[0]
