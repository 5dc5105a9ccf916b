"""What a passage cites, what cites it, and where its defined terms are defined."""

from __future__ import annotations

from dataclasses import dataclass

from search.engines.protocol import Engine
from search.json_form import PLACE, Record
from search.law_in_time import in_their_day
from search.lookup.references import ReferenceResolver
from search.provisions.documents.names import DocumentNames
from search.provisions.grammar.keys import FIRST_PARTS
from search.provisions.links.find import find_cross_references
from search.provisions.links.keys import DEFINES, citing
from search.provisions.numbering import lookup_keys
from search.provisions.terms.definitions import (
    Definition,
    by_key,
    definitions_in,
    is_glossary,
    terms_used,
)
from search.records import JURISDICTION, DocumentSummary, Filters, Passage

FIRST_WITH_LINKS = 2
"""The first `SCHEMA_VERSION` whose indexes know what cites a passage, and what defines a term."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A rule that a passage names, and the passage that it means."""

    text: str
    """The words that name it."""
    target: Passage | None
    """None: the index has no such rule."""
    outside: str | None = None
    """The document it is in by the passage's words, if the index does not hold it."""
    relative: bool = False
    """Whether it is named from where the passage is, as "this Chapter" is."""


@dataclass(frozen=True, slots=True)
class Links(Record):
    """All links of one passage."""

    cites: tuple[Citation, ...]
    """In the order of its text, each target once."""
    cited_by: tuple[Passage, ...]
    """The passages that name it, in the order of the index."""
    terms: tuple[Definition, ...]
    """The defined terms that it uses, in the order of its text."""
    complete: bool = True
    """False where an older rirag made the index, which did not note what cites and defines."""

    json_form = (
        f"cites(text relative outside target({PLACE})) cited_by({PLACE}) "
        f"terms(term text target=passage({PLACE})) complete"
    )


class LinkFinder:
    """Finds links in one opened index; what it looks up is remembered between passages."""

    def __init__(self, engine: Engine, names: DocumentNames) -> None:
        self._engine = engine
        self._names = names
        self._resolver = ReferenceResolver(engine, names)
        self._documents = engine.documents()
        self._complete = engine.describe().schema_version >= FIRST_WITH_LINKS
        self._definitions: dict[str, dict[str, Definition]] = {}

    def links(self, passage: Passage, inward: bool = True) -> Links:
        """Return what a passage is linked with; without `inward`, not what cites it."""
        cited_by = self.cited_by(passage) if inward else ()
        return Links(self.cites(passage), cited_by, self.terms(passage), self._complete)

    def cites(self, passage: Passage) -> tuple[Citation, ...]:
        """Return the rules that a passage names, each target once."""
        references = find_cross_references(passage, self._names)
        targets = self._resolver.resolve([(passage, one) for one in references])
        found: dict[str, Citation] = {}
        for one, target in zip(references, targets, strict=True):
            if one.relative and (target is None or target.id == passage.id):
                continue  # "(a)" may be many things, and here it is not a passage
            key = target.id if target else f"{one.outside} {one.text}"
            found.setdefault(key, Citation(one.text, target, one.outside, one.relative))
        return tuple(found.values())

    def cited_by(self, passage: Passage) -> tuple[Passage, ...]:
        """Return the passages that name a passage, but not those that say "this Rule"."""
        keys = keys_that_may_mean(passage)
        found = self._engine.find(Filters({"number": citing(keys)}))
        candidates = [one for one in in_their_day(p for _, p in found) if one.id != passage.id]
        named = [
            (candidate, reference)
            for candidate in candidates
            for reference in find_cross_references(candidate, self._names)
            if not reference.around and not keys.isdisjoint(reference.keys)
        ]
        targets = self._resolver.resolve(named)
        return tuple(
            {
                candidate.id: candidate
                for (candidate, _), target in zip(named, targets, strict=True)
                if target is not None and target.id == passage.id
            }.values()
        )

    def terms(self, passage: Passage) -> tuple[Definition, ...]:
        """Return the definitions of the terms that a passage uses.

        They are in its own document, or in a glossary of the same law.
        """
        document = passage.document_id
        if document not in self._definitions:
            self._definitions[document] = self._defined_for(passage)
        return terms_used(passage, self._definitions[document])

    def _defined_for(self, passage: Passage) -> dict[str, Definition]:
        own = passage.document_id
        glossaries = [
            one.document_id
            for one in self._documents
            if one.document_id != own and is_glossary(one) and _same_law(one, passage)
        ]
        fields = {"document_id": (own, *glossaries), "number": (DEFINES,)}
        passages = list(in_their_day(one for _, one in self._engine.find(Filters(fields))))
        passages.sort(key=lambda one: one.document_id != own)
        return by_key(definition for one in passages for definition in definitions_in(one))


def keys_that_may_mean(passage: Passage) -> set[str]:
    """Return the keys of references that the passage may be the target of."""
    keys = set(lookup_keys(passage.passage_id))
    ends = tuple(f"/{first}" for first in FIRST_PARTS)
    return keys | {key.rsplit("/", 1)[0] for key in keys if key.endswith(ends)}


def _same_law(glossary: DocumentSummary, passage: Passage) -> bool:
    one, other = glossary.metadata.get(JURISDICTION), passage.metadata.get(JURISDICTION)
    return one is None or other is None or one == other
