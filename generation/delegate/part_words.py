"""The words in the name of a part: "Annex III, point 1", "Articles 8–15 of the AI Act"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from search.provisions.numbering import NUMBER_WORDS

Role = Literal["unit", "number", "bracket", "and", "to", "of", "comma", "ordinal", "other"]

UNITS = {
    "annex": "annex", "annexe": "annex", "schedule": "schedule", "sched": "schedule",
    "appendix": "app", "app": "app", "book": "book", "part": "part", "title": "title",
    "chapter": "chapter", "chap": "chapter", "ch": "chapter", "section": "section",
    "sec": "section", "sect": "section", "subsection": "subsection", "sub-section": "subsection",
    "article": "article", "art": "article", "rule": "rule", "recital": "recital", "rec": "recital",
    "footnote": "footnote", "paragraph": "paragraph", "para": "paragraph", "par": "paragraph",
    "§": "paragraph", "subparagraph": "sub", "sub-paragraph": "sub", "subpara": "sub",
    "sentence": "sub", "indent": "sub", "point": "point", "pt": "point", "letter": "point",
    "lit": "point", "item": "point", "clause": "point", "definition": "point", "number": "point",
    "no": "point", "nos": "point", "nr": "point",
}  # fmt: skip
"""How a model writes the word before a number → its one name; `sub` is no passage of its own."""

RANKS = {
    "annex": 0, "schedule": 0, "app": 0, "book": 1, "part": 1, "title": 2, "chapter": 3,
    "section": 4, "subsection": 5, "article": 10, "rule": 10, "recital": 10, "footnote": 10,
    "paragraph": 20, "": 21, "point": 22, "sub": 23,
}  # fmt: skip
"""How far inside a unit stands; equal ranks stand side by side. The empty unit is a bracket."""

_PLURALS = {"annexes": "annex", "appendices": "app", "§§": "paragraph", "indices": "app"}
_IGNORED = frozenset({
    "the", "this", "that", "its", "entire", "all", "whole", "full", "text", "see", "especially",
    "including", "particularly", "particular", "relevant", "only", "both", "each", "first", "also",
    "regulation", "act", "directive", "therein", "thereof", "et", "seq", "ff", "f", "following",
    "eu",
})  # fmt: skip
_ORDINALS = frozenset({"second", "third", "fourth", "fifth", "sixth", "last", "final"})
_LINKS: Mapping[str, Role] = {
    "and": "and", "or": "and", "&": "and", ";": "and", "plus": "and", "to": "to", "through": "to",
    "until": "to", "till": "to", "-": "to", "up": "to", "of": "of", "in": "of", "under": "of",
    "within": "of", "from": "of", ",": "comma", "/": "and", "+": "and", ":": "comma",
}  # fmt: skip
_TOKEN = re.compile(
    r"\(\s*(?P<bracket>\d{1,3}[a-z]{0,3}|[ivxlc]{1,7}|[a-z]{1,2})\s*\)"
    r"|(?P<dotted>[a-z]?\d{1,3}[a-z]?(?:\.\d{1,3}[a-z]?)+(?![\w]))"
    r"|(?P<number>\d{1,4}(?:[a-z]{1,3}(?![\w]))?)"
    r"|(?P<word>(?:sub-)?[^\W\d_]+|§+)"
    r"|(?P<sign>[,;&/+:-])"
)
_ROMAN_OR_LETTER = re.compile(r"[ivxlc]{1,7}|[a-z]")
_DASHES = re.compile("[‐‑‒–—−]")


@dataclass(frozen=True, slots=True)
class PartWord:
    """One word of the name of a part."""

    role: Role
    text: str
    """A unit by its one name; a number in lower case and without brackets."""


def part_words(name: str) -> Iterator[PartWord]:
    """Yield the words of a name that say which part it is; filler words are left out.

    Args:
        name: without the documents it names.
    """
    after_unit = False
    for match in _TOKEN.finditer(_DASHES.sub("-", name).lower()):
        word = _word(match, after_unit)
        if word is not None:
            after_unit = word.role in ("unit", "to", "and", "comma")
            yield word


def _word(match: re.Match[str], after_unit: bool) -> PartWord | None:
    if match["bracket"]:
        return PartWord("bracket", match["bracket"])
    if number := match["dotted"] or match["number"]:
        return PartWord("number", number)
    text = match["word"] or match["sign"]
    if text in _LINKS:
        return PartWord(_LINKS[text], text)
    return _word_of(text, after_unit)


def _word_of(text: str, after_unit: bool) -> PartWord | None:
    if unit := UNITS.get(text) or _PLURALS.get(text) or UNITS.get(text.removesuffix("s")):
        return PartWord("unit", unit)
    if after_unit and (text in NUMBER_WORDS or _ROMAN_OR_LETTER.fullmatch(text)):
        return PartWord("number", NUMBER_WORDS.get(text, text))
    if text in _ORDINALS:
        return PartWord("ordinal", text)
    return None if text in _IGNORED else PartWord("other", text)
