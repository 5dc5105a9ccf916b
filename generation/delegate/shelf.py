"""The documents of one answer: their parts, their definitions, the numbers of what was read."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from generation.delegate.part_index import PartIndex
from generation.delegate.parts import PartFinder
from generation.library import Library
from search.errors import InputError
from search.provisions.terms.definitions import Definition, by_key, definitions_in, terms_used
from search.records import DocumentSummary, Passage

if TYPE_CHECKING:
    from generation.mode import Request

T = TypeVar("T")

MOST_UNASKED = 3
"""Documents that are taken where none is named: those that the search finds first."""

MOST_DEFINITIONS = 10
"""Definitions that a conclusion is held against: more of them hide the ones that decide."""

_DEFINING = re.compile("mean|definition", re.IGNORECASE)
"""What every form of a definition holds; most passages do not, and need not be read closely."""


class Shelf:
    """What an answer may read; passages get a number when they are first shown to a model."""

    def __init__(self, library: Library, documents: Sequence[DocumentSummary]) -> None:
        self.documents = tuple(documents)
        self.passages = {one.document_id: library.passages(one.document_id) for one in documents}
        self._library = library
        self.finder = PartFinder(self.documents, self.worked_out(PartIndex))
        self._numbers: dict[str, int] = {}
        self._shown: list[Passage] = []

    def name(self, document_id: str) -> str:
        """Return what models call a document."""
        return self.finder.names[document_id]

    def number(self, passage: Passage) -> int:
        """Return the number of a passage in this answer, from 1."""
        if passage.id not in self._numbers:
            self._shown.append(passage)
            self._numbers[passage.id] = len(self._shown)
        return self._numbers[passage.id]

    def shown(self) -> tuple[Passage, ...]:
        """Return all passages that have a number, by their numbers."""
        return tuple(self._shown)

    def definitions_for(self, text: str) -> tuple[Definition, ...]:
        """Return the definitions that a text rests on.

        First those of the terms that it uses, in the order of their first use; then those that
        these rest on themselves, and those that rest on them: what is not an online platform may
        still be an intermediary service.
        """
        used = self._used(text)
        inner = (one for definition in used for one in self._rests_on(definition))
        wider = (one for one in self._definitions.values() if self._is_wider(one, used))
        found: dict[str, Definition] = {}
        for definition in chain(used, inner, wider):
            found.setdefault(definition.term, definition)
            if len(found) == MOST_DEFINITIONS:
                break
        return tuple(found.values())

    def _used(self, text: str) -> tuple[Definition, ...]:
        return terms_used(Passage("", "", "", text), self._definitions)

    def _rests_on(self, definition: Definition) -> list[Definition]:
        return [one for one in self._used(_definition_text(definition)) if one != definition]

    def _is_wider(self, definition: Definition, used: Sequence[Definition]) -> bool:
        text = _definition_text(definition).casefold()
        if not any(one.term.casefold() in text for one in used if one != definition):
            return False
        return any(one in used for one in self._rests_on(definition))

    @cached_property
    def _definitions(self) -> dict[str, Definition]:
        return by_key(chain.from_iterable(self.worked_out(_definitions_of).values()))

    def worked_out(self, work: Callable[[Sequence[Passage]], T]) -> dict[str, T]:
        """Return what a function makes of the passages of each document."""
        return {key: self._library.worked_out(key, work) for key in self.passages}


def _definitions_of(passages: Sequence[Passage]) -> tuple[Definition, ...]:
    likely = (passage for passage in passages if _DEFINING.search(passage.text))
    return tuple(one for passage in likely for one in definitions_in(passage))


def _definition_text(definition: Definition) -> str:
    passage = definition.passage
    return passage.text if passage.kind == "definition" else definition.text


def shelf_for(request: Request) -> Shelf:
    """Return the documents that a request names, or else those of its best hits.

    Raises:
        InputError: there is no library, a document is unknown or empty, or none can be chosen.
    """
    if request.context.library is None:
        raise InputError(
            "Mode delegate reads whole documents; give it a library that contains them.",
            code="mode.needs-library",
        )
    known = {one.document_id: one for one in request.context.library.documents()}
    wanted = request.context.documents or _of_hits(request, known)
    unknown = [key for key in wanted if key not in known]
    if unknown:
        raise InputError(
            f"The library has no document {unknown[0]!r}; choose another one.",
            code="document.unknown",
        )
    shelf = Shelf(request.context.library, [known[key] for key in dict.fromkeys(wanted)])
    for key, passages in shelf.passages.items():
        if not any(passage.text.strip() for passage in passages):
            raise InputError(
                f"The document {key!r} has no text; choose another one.", code="document.empty"
            )
    return shelf


def _of_hits(request: Request, known: dict[str, DocumentSummary]) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(hit.document_id for hit in request.hits))[:MOST_UNASKED]
    chosen = found or (tuple(known) if len(known) <= MOST_UNASKED else ())
    if not chosen:
        raise InputError(
            "Mode delegate reads whole documents, but the search did not find any; "
            "name the documents to read.",
            code="mode.needs-document",
        )
    return chosen
