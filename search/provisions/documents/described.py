"""What the title, the DocumentID and the metadata of one document say about it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from search.language import vocabulary
from search.provisions.act_numbers import NAMES, SHORT_NAMES, act_number
from search.provisions.documents.titles import (
    abbreviations,
    bracketed_code,
    codes_in_id,
    content_words,
    document_code,
    initials_of_law,
    kinds_of,
    normalised,
    one_word_names,
    references,
)
from search.records import DocumentSummary
from search.text.plain_words import plain_text

ANY_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")

_ID_CODE = re.compile(r"[A-Za-z][A-Za-z0-9&-]{1,11}")
_YEAR_OF_LAW = re.compile(
    rf"(?:{vocabulary.kinds_of_law()}|Order)\b"
    r"(?:,?\s(?:No\.?\s?\d{1,3}\s)?(?:of\s)?|\s\()((?:19|20)\d\d)(?!\d)"
)
_ABBREVIATION_FIELDS = ("jurabk", "abbreviation", "short_title", "short_name")
"""Fields of the metadata in which publishers give a law its abbreviation, such as `GwG 2017`."""


@dataclass(frozen=True, slots=True)
class Described:
    """One document by its names."""

    title: str
    written_out: tuple[str, ...]
    """The names whose words may mean it: its title, unless that is a mere code, and others."""
    code: str
    """The short code that its title begins with, or ""."""
    act: str
    """The number of the EU act that it is, or ""."""
    codes: tuple[str, ...]
    """Its own short names."""
    references: frozenset[str]
    """Those by which a firm files it, and its number in a series of laws."""
    initials: frozenset[str]
    """What people may call a law of this title."""
    called: frozenset[str]
    """What the name of its file calls a law."""
    before_kind: frozenset[str]
    """What is short for it before a word such as "rulebook"."""
    words: frozenset[str]
    kinds: frozenset[str]
    years: frozenset[str]
    years_of_law: frozenset[str]
    """Those of its years that are part of the name of a law."""


def described(document: DocumentSummary) -> Described:
    """Return what a document is called."""
    title, document_id = plain_text(document.title), document.document_id
    code = document_code(title)
    act = act_number(title) or ""
    of_act = SHORT_NAMES.get(act, ())
    used_as_name = document_id.upper() if _ID_CODE.fullmatch(document_id) else None  # COND
    own = (code, bracketed_code(title), used_as_name)
    codes = dict.fromkeys([*filter(None, own), *_official_abbreviations(document)])
    words = content_words(title)[0]
    codes |= {c: None for c, n in NAMES["initials"].items() if content_words(n)[0] == words}
    single = (name.upper() for name in of_act if " " not in name)
    return Described(
        title=title,
        written_out=(*(() if code else (title,)), *of_act),
        code=code or "",
        act=act,
        codes=tuple(dict.fromkeys([*codes, *one_word_names(title), *single])),
        references=references(title, document_id) | {act for _ in ANY_YEAR.findall(act)},
        initials=initials_of_law(title),
        called=codes_in_id(document_id, title),
        before_kind=abbreviations(title, codes),
        words=normalised_words(title),
        kinds=kinds_of(title),
        years=frozenset(ANY_YEAR.findall(f"{title} {document_id}")),
        years_of_law=frozenset(_YEAR_OF_LAW.findall(title)),
    )


def normalised_words(text: str) -> frozenset[str]:
    """Return the words of a text in the form in which titles are compared."""
    return frozenset(normalised(word) for word in WORD.findall(text))


def grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Return name → the documents that have it, each once, of pairs of a name and a document."""
    found: dict[str, dict[str, None]] = {}
    for name, document_id in pairs:
        found.setdefault(name, {})[document_id] = None
    return {name: tuple(ids) for name, ids in found.items()}


def _official_abbreviations(document: DocumentSummary) -> list[str]:
    given = (document.metadata.get(field) for field in _ABBREVIATION_FIELDS)
    names = {re.split(r"\s(?=\d{4}$)", str(name))[0].strip() for name in given if name}
    single = {name for name in names if WORD.fullmatch(name) and len(name) > 1}
    return sorted({name.upper() for name in single} | {n for n in single if not n.islower()})
