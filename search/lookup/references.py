"""From the rules that passages name to the passages that they mean, in few requests."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from search.engines.protocol import Engine
from search.law_in_time import in_their_day
from search.lookup.find import ByNumber, divisions_only, every_key
from search.provisions.documents.names import DocumentNames
from search.provisions.links.find import (
    NamedDocument,
    documents_before,
    find_cross_references,
    other_documents,
)
from search.provisions.links.relative import CrossReference
from search.records import Filters, Passage

KEYS_AT_ONCE = 500
"""Lookup keys of one request."""

FEWEST_NAMED = 2
"""Times that a document names another beside "section" before a bare "section" means that one."""

Named = tuple[Passage, CrossReference]
"""A reference with the passage whose text has it."""


class ReferenceResolver:
    """Finds the passages that references mean, and remembers what it has looked up."""

    def __init__(self, engine: Engine, names: DocumentNames) -> None:
        self._engine = engine
        self.names = names
        self._known: dict[tuple[str, str], list[Passage]] = {}
        self._usual: dict[str, dict[str, str]] = {}
        self._read: tuple[Passage, list[NamedDocument]] | None = None  # the passage read last

    def resolve(self, named: Sequence[Named]) -> list[Passage | None]:
        """Return the passage that each reference means; None where the index has none.

        A rule is looked for in the documents that are beside it, else in the passage's own, then
        in those named before it, and at last in the one whose rules the document means elsewhere.
        """
        found: list[Passage | None] = [None] * len(named)
        for scope in (_first_scope, self._named_before, self._usual_scope):
            left = [i for i, one in enumerate(found) if one is None and not named[i][1].outside]
            scoped = {i: scope(*named[i]) for i in left}
            self._fetch(
                (document, key)
                for i, documents in scoped.items()
                for document in documents
                for key in _keys(named[i][1])
            )
            for i, documents in scoped.items():
                found[i] = self._best(named[i][1], documents)
        return found

    def _best(self, reference: CrossReference, documents: Sequence[str]) -> Passage | None:
        for document in documents:
            for key in _keys(reference):
                passages = self._known[document, key]
                if reference.container:
                    passages = divisions_only(key, passages)
                if passages:
                    return passages[0]
        return None

    def _fetch(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Look up which passages of a document have a key, for all pairs that are new."""
        wanted: defaultdict[str, list[str]] = defaultdict(list)
        for document, key in dict.fromkeys(pair for pair in pairs if pair not in self._known):
            wanted[document].append(key)
        for document, every in wanted.items():
            for start in range(0, len(every), KEYS_AT_ONCE):
                keys = tuple(every[start : start + KEYS_AT_ONCE])
                fields = {"document_id": (document,), "number": keys}
                found = self._engine.find(Filters(fields))
                held = ByNumber(in_their_day(passage for _, passage in found))
                self._known.update(((document, key), held.best(key)) for key in keys)

    def _named_before(self, passage: Passage, reference: CrossReference) -> Sequence[str]:
        if reference.document_ids or reference.relative:
            return ()
        if self._read is None or self._read[0] is not passage:
            self._read = passage, other_documents(passage, self.names)
        return documents_before(self._read[1], reference)

    def _usual_scope(self, passage: Passage, reference: CrossReference) -> Sequence[str]:
        """Return the document whose sections a document means when it says just "section 92"."""
        if reference.document_ids or reference.relative or not reference.unit:
            return ()
        document = passage.document_id
        if document not in self._usual:
            self._usual[document] = self._usual_documents(document)
        usual = self._usual[document].get(reference.unit)
        return (usual,) if usual else ()

    def _usual_documents(self, document: str) -> dict[str, str]:
        """Return unit → the document that most references of this unit name, if they agree."""
        named: dict[str, Counter[str]] = {}
        filters = Filters({"document_id": (document,)})
        for _, passage in self._engine.find(filters):
            for reference in find_cross_references(passage, self.names):
                if reference.unit and reference.document_ids:
                    counts = named.setdefault(reference.unit, Counter())
                    counts[reference.document_ids[0]] += 1
        best = {unit: counts.most_common(1)[0] for unit, counts in named.items()}
        return {
            unit: name
            for unit, (name, count) in best.items()
            if name != document and count >= max(FEWEST_NAMED, named[unit].total() / 2)
        }


def _keys(reference: CrossReference) -> tuple[str, ...]:
    exact = reference.relative or reference.container
    return reference.keys if exact else every_key(reference.keys)


def _first_scope(passage: Passage, reference: CrossReference) -> Sequence[str]:
    own = passage.document_id
    if own in reference.document_ids:
        return (own,)
    return reference.document_ids or (own,)
