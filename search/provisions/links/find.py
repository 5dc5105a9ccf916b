"""The rules that a passage names: "Rule 3.5.8(b)", "Chapter 11 of MKT", "Articles 8 to 15", …

The grammar is that of questions (`search.provisions.grammar.words` and its neighbours); what
differs is that a rule without a document beside it is one of the passage's own document.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from search.provisions.documents.names import DocumentNames
from search.provisions.grammar.keys import KEYED_UNITS
from search.provisions.grammar.words import has_number, tidy
from search.provisions.links.lines import LastNamed, LineReader
from search.provisions.links.relative import CrossReference
from search.records import Passage

_MARKER = re.compile(r"^\s*(?:\([a-zA-Z0-9]{1,5}\)|[a-zA-Z0-9]{1,4}[.)])\s+")


class NamedDocument(NamedTuple):
    """A document that a passage names."""

    end: tuple[int, int]
    """Line of the passage, and the character of it behind the name."""
    document_id: str


def find_cross_references(passage: Passage, names: DocumentNames) -> tuple[CrossReference, ...]:
    """Return the rules that a passage names, in its order, each as often as it is named."""
    return _same_rule_same_document(list(_references(passage, names, certain=True)))


def cited_keys(passage: Passage) -> tuple[str, ...]:
    """Return every lookup key that a rule named by a passage may have, whatever is loaded.

    What is called COBS, and whether it is loaded at all, may change later; so these keys are of
    the text alone, and some more than `find_cross_references` gives with any names.
    """
    found = _references(passage, DocumentNames([]), certain=False)
    return tuple(dict.fromkeys(key for one in found for key in one.keys if not one.around))


def other_documents(passage: Passage, names: DocumentNames) -> list[NamedDocument]:
    """Return the other documents that a passage names, in its order."""
    return [
        NamedDocument((number, mention.end), document_id)
        for number, text in enumerate(passage.text.split("\n"))
        for mention in names.mentions(_tidy_line(text))
        for document_id in reversed(mention.document_ids)
        if document_id != passage.document_id
    ]


def documents_before(named: Sequence[NamedDocument], reference: CrossReference) -> tuple[str, ...]:
    """Return those documents that are named before a reference, the nearest first."""
    before = bisect_right(named, reference.place, key=lambda one: one.end)
    return tuple(dict.fromkeys(one.document_id for one in reversed(named[:before])))


def _references(passage: Passage, names: DocumentNames, certain: bool) -> Iterator[CrossReference]:
    last = LastNamed()
    for number, text in enumerate(passage.text.split("\n")):
        if not (has_number(text) or "this " in text):
            continue
        line = LineReader(passage, _tidy_line(text), number, names, certain, last)
        yield from line.references()
        last = line.last


def _tidy_line(text: str) -> str:
    return tidy(_MARKER.sub("", text))


def _same_rule_same_document(found: Sequence[CrossReference]) -> tuple[CrossReference, ...]:
    """Give "section 107" the document of "section 107 of FSMR" in the same passage."""
    beside = {one.keys[0]: one.document_ids for one in found if one.document_ids and one.keys}
    whole = {key.split("/")[0]: ids for key, ids in beside.items()}
    return tuple(
        one
        if one.document_ids or one.outside or one.relative or one.unit not in KEYED_UNITS
        else replace(
            one, document_ids=beside.get(one.keys[0]) or whole.get(one.keys[0].split("/")[0], ())
        )
        for one in found
        if one.keys
    )
