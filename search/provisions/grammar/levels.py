"""Levels inside a rule that are written in words: `§ 5 Abs. 2 Satz 1` is `§ 5(2)`.

A paragraph or point behind a number becomes a bracket. A subparagraph, sentence or indent is a
piece of text that no passage has for itself, so it is left out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from search.language import vocabulary
from search.provisions.roman import roman_value

_LEVELS = vocabulary.units_of("inner")
_TEXTS = vocabulary.units_of("text")
_NUMBER = r"(?:\d{1,3}[a-z]{0,2}|[ivx]{1,5}|[a-z]{1,2}|[A-Z])"
_BEHIND = r"(?:(?<=[\d)])|(?<=\d[a-zA-Z])|(?<=\d[a-z][a-z])|(?<=\s[a-z]))"
"""Behind a number: 5, 5(2), 129b, 92ba, and the `a` of `lit. a`."""
_THE = r"(?:(?:the|la|le|el|il|het|de|der|des|dem|den|do|da)\s|l')?"
_OF = r"(?:of|in|to|de|du|del|della|dell'|der|des|do|da|van)"


def _foreign(units: Collection[str]) -> tuple[str, ...]:
    words = {
        word
        for code in vocabulary.languages()
        if code != "en"
        for word in vocabulary.spellings(units, code)
    }
    words -= set(vocabulary.spellings(units, "en")) - {"lit"}
    return vocabulary.longest_first(words | {"lit", "nr"})


_ORDINAL = rf"(?:{'|'.join(map(re.escape, vocabulary.ordinals()))}|last|final|\d(?:st|nd|rd|th))"
_TEXT = vocabulary.pattern(_TEXTS)
_PARAGRAPH = vocabulary.pattern(["paragraph"])
_COUNTED = re.compile(
    rf"{_BEHIND},?\s\(?(?P<ordinal>{_ORDINAL})\s{vocabulary.pattern(['paragraph'], 'nl')}(?!\w)",
    re.IGNORECASE,
)
"""In Dutch a counted paragraph is a numbered one: `tweede lid` is lid 2."""
_TEXT_BEHIND = re.compile(
    rf"{_BEHIND},?\s\(?{_THE}(?:{_ORDINAL}\s(?:{_TEXT}|{_PARAGRAPH})|{_TEXT}\s(?:\d{{1,2}}|{_ORDINAL})"
    r"(?:(?:,|\sand|\sor)\s\d{1,3}(?![\w(.]))*"
    r"|(?-i:S\.\s?\d{1,2}))(?![\w(])\)?",
    re.IGNORECASE,
)
_TEXT_BEFORE = re.compile(
    rf"(?<=\s){_THE}{_ORDINAL}\s{_TEXT},?\s{_OF}\s{_THE}(?=\w)", re.IGNORECASE
)
_AND, _TO = ("|".join(map(re.escape, vocabulary.link_words(role))) for role in ("and", "to"))
_WORDED = re.compile(
    rf"{_BEHIND},?\s(?:{'|'.join(map(re.escape, _foreign(_LEVELS)))})\.?"
    rf"\s?\(?(?P<value>{_NUMBER})(?!\w|/\d{{4}})\)?"
    rf"(?P<more>(?:(?:,|\s(?:{_AND}|{_TO}))\s\d{{1,2}}[a-z]?"
    rf"(?!\w|\.\w|\(|\s(?!(?:{_AND}|{_TO})\s)[^\W\d_]))*)",
    re.IGNORECASE,
)
_MEMBER = re.compile(rf"(?:,|\s(?:(?P<to>{_TO})|{_AND}))\s(?P<number>\d\w*)", re.IGNORECASE)


_ROMAN = re.compile(
    r"(?<!\w)(?P<unit>(?:§§?|Art(?:\.|ikel)?)\s?\d{1,4}[a-z]{0,2})\s(?P<roman>[IVX]{1,4})"
    r"(?:\s\d{1,2}(?!\w))?(?:,?\s(?P<point>[a-z])(?!\w))?"
    r"(?=[.,;:?!)]|\s*$|\s(?:(?:Nr|lit|Satz|S)\b|[A-ZÄÖÜ]\w*[A-Z]))"
)
"""As German lawyers count paragraphs: `§ 26 I BDSG`, `Art. 6 I f DSGVO`, `§ 6 I 2 Nr. 3 GwG`."""


def with_roman_paragraphs(text: str) -> str:
    """Return a text with brackets for paragraphs in Roman numerals behind a German number."""
    return _ROMAN.sub(_bracketed_roman, text)


def _bracketed_roman(found: re.Match[str]) -> str:
    point = f"({found['point']})" if found["point"] else ""
    return f"{found['unit']}({roman_value(found['roman'].lower())}){point}"


def _as_typed(words: Iterable[str]) -> frozenset[str]:
    """Return words as they come out of `str.split`, with what may be around them."""
    marks = ("", ".", ",", ")", ";")
    return frozenset(
        f"{left}{word}{mark}" for word in words for left in ("", "(") for mark in marks
    )


_LAST_WORDS = (
    word.split()[-1] for word in (*_foreign(_LEVELS | _TEXTS), *vocabulary.spellings(_TEXTS), "s")
)
_DECIDING = _as_typed(_LAST_WORDS)
"""Words without which a text has no level in words."""
_COUNTING = _as_typed({*vocabulary.ordinals(), "last", "final"}) | {"1st", "2nd", "3rd", "4th"}
_COUNTED_UNITS = _as_typed(vocabulary.spellings(["paragraph"], "en", short=False))


def with_bracketed_levels(text: str) -> str:
    """Return a text with brackets for levels in words, and without pieces that have no number."""
    words = set(text.lower().split())
    counted = not (_COUNTED_UNITS.isdisjoint(words) or _COUNTING.isdisjoint(words))
    if not counted and _DECIDING.isdisjoint(words):
        return text
    text = _TEXT_BEFORE.sub("", text)
    text = _COUNTED.sub(
        lambda found: f"({vocabulary.ordinals().get(found['ordinal'].lower(), found['ordinal'])})",
        text,
    )
    text = _TEXT_BEHIND.sub("", text)
    return _WORDED.sub(_bracketed, text)


def _bracketed(level: re.Match[str]) -> str:
    """Return "(1) and (3)" for "Abs. 1 und 3"."""
    more = _MEMBER.sub(
        lambda one: f" {'to' if one['to'] else 'and'} ({one['number']})", level["more"]
    )
    return f"({level['value']}){more}"
