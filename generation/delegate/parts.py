"""Finds the parts of regulations by the names that a model gives them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from generation.delegate.document_mentions import NamedDocuments, short_name
from generation.delegate.part_index import PartIndex
from generation.delegate.part_reading import read_parts
from generation.text.sanitize import one_line
from search.records import DocumentSummary, Passage

MOST_NEAR = 6
"""Headings that a message names: enough to choose from, few enough to be read."""

LONGEST_NAME = 400
"""Characters of a name that are looked at; models write some dozens."""

_JOINING = re.compile(
    r"\b(?:in (?:conjunction|connection|combination) with|(?:read )?(?:together|along) with"
    r"|read with|as well as|and/or)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Part:
    """A part that was found."""

    name: str
    """As it was asked for."""
    document_id: str
    passages: tuple[Passage, ...]
    """In the order of the document; at least one."""


@dataclass(frozen=True, slots=True)
class MissingPart:
    """A part that was not found, and what a model can do about it."""

    name: str
    problem: str


class PartFinder:
    """The parts of several documents, by name."""

    def __init__(
        self, documents: Sequence[DocumentSummary], indices: Mapping[str, PartIndex]
    ) -> None:
        """Prepare.

        Args:
            documents: in which parts are looked for.
            indices: `document_id` → its parts.
        """
        self.names = {one.document_id: short_name(one) for one in documents}
        """`document_id` → the name that is shown to models, in the order given."""
        self._documents = NamedDocuments(documents, self.names)
        self._indices = indices

    def find(self, name: str, document: str = "") -> list[Part | MissingPart]:
        """Return the parts that a name means; several for a list, one for a range.

        Args:
            name: such as "Annex III", "Articles 8–15 of the AI Act", "Article 92(1)(a) CRR".
            document: what the parts belong to where the name does not say: a name of a document.
        """
        text = _JOINING.sub(" and ", one_line(name[:LONGEST_NAME]))
        if not any(map(str.isalnum, text)):
            return [MissingPart(name, "The name of a part is empty; use a name from the outline.")]
        asked = self._default(document)
        if isinstance(asked, str):
            return [MissingPart(name, asked)]
        found = [
            part
            for piece, documents in self._by_document(text, asked)
            for part in self._in_one_of(piece, documents, name)
        ]
        return found or [MissingPart(name, self._unknown(name, asked))]

    def _default(self, document: str) -> tuple[str, ...] | str:
        if not document.strip():
            return tuple(self.names)
        return (
            self._documents.called(document)
            or f"No document is named {document!r} here; {self._choice()}"
        )

    def _choice(self) -> str:
        return f"the documents are: {'; '.join(self.names.values())}."

    def _by_document(
        self, text: str, asked: tuple[str, ...]
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield the stretches of a name that belong to one document each."""
        mentions = self._documents.mentions(text)
        if not mentions:
            yield text, asked
            return
        behind = bool(text[: mentions[0][0]].strip(" :(the"))
        place = 0
        for number, (begins, ends, ids) in enumerate(mentions):
            after = mentions[number + 1][0] if number + 1 < len(mentions) else len(text)
            start, end = (place, begins) if behind else (ends, after)
            yield text[start:end], ids
            place = ends
        if behind and any(char.isdigit() for char in text[place:]):
            yield text[place:], asked

    def _in_one_of(
        self, text: str, documents: tuple[str, ...], name: str
    ) -> Iterator[Part | MissingPart]:
        if foreign := self._documents.foreign(text):
            yield MissingPart(name, f"{foreign} is not among the documents; {self._choice()}")
            return
        tried = {key: list(read_parts(self._indices[key], text)) for key in documents}
        good = {k: ps for k, ps in tried.items() if ps and all(isinstance(p, list) for p in ps)}
        if len(good) > 1:
            listed = ", ".join(self.names[key] for key in good)
            problem = f"{text.strip()!r} is in several documents ({listed}); say in which."
            yield MissingPart(name, problem)
            return
        chosen = next(iter(good), None) or max(tried, key=lambda key: _hits(tried[key]))
        if not _hits(tried[chosen]):
            problems = [f"{self.names[k]}: {p}" for k, ps in tried.items() for p in ps[:1]]
            yield from [MissingPart(name, " ".join(map(str, problems)))] if problems else []
            return
        for one in tried[chosen]:
            if isinstance(one, str):
                yield MissingPart(name, f"{self.names[chosen]}: {one}")
            else:
                yield Part(name, chosen, tuple(one))

    def _unknown(self, name: str, documents: Sequence[str]) -> str:
        headings = [heading for key in documents for heading in self._indices[key].headings()]
        near = get_close_matches(name.casefold(), headings, MOST_NEAR, 0.5)
        hint = f" Headings like it: {'; '.join(near)}." if near else ""
        return (
            f"No part is named {name!r}; name parts by number as in the outline, such "
            f"as 'Article 3', 'Articles 8-15' or 'Annex III'.{hint}"
        )


def _hits(parts: Sequence[list[Passage] | str]) -> int:
    return sum(isinstance(part, list) for part in parts)
