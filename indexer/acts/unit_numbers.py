"""How units are numbered: as people cite them, with the word or sign that the source prints."""

from __future__ import annotations

import re

from search.language import vocabulary

_CANONICAL = {
    one.word: one.unit.capitalize()
    for one in vocabulary.languages()["en"].spellings
    if one.unit in vocabulary.units_of("rule")
}
"""English words and abbreviations → the word that numbers are written with."""

_SIGN = re.compile(r"^(§+)\s*(?=[\w])")
_SIGN_BEHIND = re.compile(r"^([\w][\w\s.-]*?)\s*§$")
_WORDED = re.compile(
    r"^(?P<word>[^\W\d_]{1,14})\s*\.?\s*(?P<number>\d.*|[ivxlcIVXLC]+|[^\W\d_]?\d.*)$"
)
_BLANKS = re.compile(r"\s+")
_END = re.compile(r"[\s.:—–\u2011-]+$")


def unit_number(word: str, label: str) -> str:
    """Return the number of a unit as people cite it: `Section 5`, `§ 4 a`, `Artikel 12`, `3.5.8`.

    Args:
        word: what such units are called, for a number that the source prints without a word.
        label: what the source prints: `5.`, `§ 5`, `Art. 5a`, `4 a §`.
    """
    bare = _END.sub("", _BLANKS.sub(" ", label).strip().strip("[]").strip())
    if not bare:
        return ""
    if signed := _SIGN.match(bare):
        return f"{signed[1]} {bare[signed.end() :].strip()}"
    if behind := _SIGN_BEHIND.match(bare):
        return f"§ {behind[1].strip()}"
    if worded := _WORDED.match(bare):
        known = _CANONICAL.get(worded["word"].lower(), worded["word"])
        if len(worded["word"]) > 1 or worded["word"].lower() in _CANONICAL:
            return f"{_sentence_case(known)} {worded['number'].strip()}"
    return f"{word} {bare}" if word and bare[:1].isalnum() else bare


def _sentence_case(word: str) -> str:
    return word.capitalize() if word.isupper() and len(word) > 1 else word
