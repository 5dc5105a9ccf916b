"""Citations that name a rule in place of a number: `(Rule 3.5.8)`, `[COBS 3.5.8(b)]`.

A statement without a numbered citation gets the number of the passage that it names, in brackets or
in its words: `As PIN 6.6.8 requires, …`.
Where a number is, the name is a reference that the rule itself makes, and is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from generation.text.citation_styles import MARKER
from generation.text.labels import document_label
from generation.text.sentences import sentence_pieces
from search.provisions import vocabulary
from search.records import Passage

_GROUP = re.compile(r"[(\[](?P<named>(?:[^()\[\]\n]|\([^()\[\]\n]{1,8}\)){2,200})[)\]]")
_UNIT = vocabulary.pattern(["rule", "article", "section", "paragraph"], "en", short=False)
_IN_WORDS = re.compile(
    rf"(?<![\w.(\[])(?P<named>(?:[A-Z]{{2,8}}|(?i:{_UNIT})) "
    r"\d+[a-z]?(?:\.\d+[a-z]?)*(?:\.?\(\w{1,5}\))*)(?![\w(]| of\b"
    r"| (?:[A-Z]\w*[A-Z]|Regulation\b|Directive\b))"
)
"""A rule of a document that comes before it, or of none: what "of" adds may be another one, and so
may an act that comes after it, as in "Article 5 CRD"."""
_ITEMS = re.compile(r"[;,]|\sand\s")
_WORDS = re.compile(r"[^\W_]+")
_SPELLINGS = [
    one
    for one in vocabulary.languages()["en"].spellings
    if len(one.word) > 2
    and one.unit in {"rule", "article", "section", "regulation", "paragraph", "chapter", "part"}
]
_WHOLE = {one.word: one.unit for one in _SPELLINGS}
"""Words that say that a number is one of a rule → as the number of a passage begins with it."""
_UNITS = frozenset({*_WHOLE, "guidance"})
_SEVERAL = frozenset(one.word for one in _SPELLINGS if one.plural)
"""Those that hold for the numbers behind theirs too: `Articles 2a and 5`."""
_LINKS = frozenset({"see", "cf", "under", "pursuant", "to", "in", "per", "source", "and", "also"})
"""Words that may come before those."""
_BELOW = re.compile(r"\d{1,3}|[a-z]|[ivx]{1,5}")
"""What may follow the number of a passage: a paragraph or point inside of it."""
_PLAIN_NUMBER = 3
"""A number of so many parts, `3.5.8`, is one of a rule; `10.5` may be a percentage."""

Key = tuple[str, ...]


def with_numbers(text: str, passages: Sequence[Passage]) -> str:
    """Return a text in which statements that name a passage also have its number.

    Args:
        text: with its numbered citations as `[1]`.
        passages: those that the model was given; the first has number 1.
    """
    known = _keys(passages) | _keys_of_articles(passages)
    return "".join(_numbered(piece, known) for piece in sentence_pieces(text))


def _numbered(piece: str, known: Mapping[Key, int]) -> str:
    for form in (_GROUP, _IN_WORDS):
        if MARKER.search(piece):
            break
        piece = form.sub(lambda found: _marked(found, known), piece)
    return piece


def _marked(found: re.Match[str], known: Mapping[Key, int]) -> str:
    named: dict[int, None] = {}
    several = ""
    for item in _ITEMS.split(found["named"]):
        unit, words = _parted(item)
        several = unit if unit in _SEVERAL else several if not unit else ""
        if number := _number(unit or several, words, known):
            named[number] = None
    markers = "".join(f"[{number}]" for number in named)
    return f"{found[0]} {markers}" if markers else found[0]


def _parted(item: str) -> tuple[str, Key]:
    """Return the word that says what a number is one of, if there is one, and the words behind."""
    words, unit = _folded(item), ""
    while words and words[0] in _UNITS | _LINKS:
        unit = words[0] if words[0] in _UNITS else unit
        words = words[1:]
    return unit, words


def _number(unit: str, words: Key, known: Mapping[Key, int]) -> int:
    """Return the number of the passage that words name, or of the one it is in; 0 for none."""
    whole = _WHOLE.get(unit, unit)
    for length in range(len(words), 0, -1):
        key, below = words[:length], words[length:]
        surely = unit or len(key) >= _PLAIN_NUMBER or not key[0].isdigit()
        number = known.get((whole, *key)) or known.get(key)
        if number and surely and all(map(_BELOW.fullmatch, below)):
            return number
    return 0


def _keys(passages: Sequence[Passage]) -> dict[Key, int]:
    """Return name → number; names that mean several passages, or less than one rule, are left out.

    A passage is named by its number, with or without its document before or behind it.
    """
    found: dict[Key, set[int]] = {}
    for place, passage in enumerate(passages, start=1):
        number = _folded(passage.passage_id)
        document = _folded(document_label(passage))
        for key in {number, document + number, (*number, "of", *document)}:
            found.setdefault(key, set()).add(place)
    return _of_one(found)


def _keys_of_articles(passages: Sequence[Passage]) -> dict[Key, int]:
    """Return the same for passages such as `Article 2a`: `article`, or nothing, before `2a`."""
    found: dict[Key, set[int]] = {}
    for place, passage in enumerate(passages, start=1):
        unit, *number = _folded(passage.passage_id) or ("",)
        if number and unit in _UNITS:
            for before in (_WHOLE.get(unit, unit), ""):
                found.setdefault((before, *number), set()).add(place)
    return _of_one(found)


def _of_one(found: Mapping[Key, set[int]]) -> dict[Key, int]:
    return {key: next(iter(places)) for key, places in found.items() if key and len(places) == 1}


def _folded(text: str) -> Key:
    return tuple(_WORDS.findall(text.casefold()))
