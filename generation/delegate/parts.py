"""Finds the parts of regulations by the names that a model gives them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from generation.delegate.part_index import PartIndex
from generation.delegate.part_reading import read_parts
from generation.text.sanitize import one_line
from search.language import vocabulary
from search.provisions.act_numbers import SHORT_NAMES, act_number, act_numbers
from search.provisions.documents.names import DocumentNames
from search.provisions.documents.titles import document_code
from search.records import DocumentSummary, Passage

_CAPITALS = re.compile(r"\b[A-Z]{2,}[A-Za-z]*\b")
_LAST_CODE = re.compile(r"\(([A-Z][A-Z0-9&-]{1,11})\)\s*$")


class NamedDocuments:
    """The documents of a question, found by their names in the names of parts."""

    def __init__(self, documents: Sequence[DocumentSummary], names: Mapping[str, str]) -> None:
        self._known = DocumentNames(documents)
        self._names = names
        self._aliases = {key: _aliases(name) for key, name in names.items()}

    def called(self, name: str) -> tuple[str, ...]:
        """Return the documents that a whole name means; none for an unknown one."""
        called = tuple(key for key in self._known.called(name) if key in self._names)
        return called or tuple(ids[0] for _, _, ids in self.mentions(name))

    def mentions(self, text: str) -> list[tuple[int, int, tuple[str, ...]]]:
        """Return (start, end, documents) of each document that a text names, in its order."""
        found = [
            (one.start, one.end, tuple(key for key in one.document_ids if key in self._names))
            for one in self._known.mentions(text)
        ]
        for key, aliases in self._aliases.items():
            for match in aliases.finditer(text) if aliases else ():
                start, end = match.span()
                if all(end <= a or start >= b for a, b, _ in found):
                    found.append((start, end, (key,)))
        return sorted(one for one in found if one[2])

    def foreign(self, text: str) -> str:
        """Return the name of a document that is known, but not among those at hand."""
        for _, _, number in act_numbers(text):
            if all(act_number(name) != number for name in self._names.values()):
                return number
        here = " ".join(self._names.values()).upper()
        for word in _CAPITALS.findall(text):
            codes = {code.upper() for short in SHORT_NAMES.values() for code in short}
            if word.upper() in codes and word.upper() not in here:
                return str(word)
        return ""


def short_name(document: DocumentSummary) -> str:
    """Return what people call a document: `AI Act`, `COBS`, or its title."""
    number = act_number(document.title)
    known = SHORT_NAMES.get(number, ()) if number else ()
    code = document_code(document.title) or next(iter(_LAST_CODE.findall(document.title)), None)
    return (known[0] if known else code) or document.title or document.document_id


def _aliases(name: str) -> re.Pattern[str] | None:
    """Return what finds the parts of a short name that stand for it: LCR of "LCR … Regulation"."""
    words = [word for word in _CAPITALS.findall(name) if len(word) > 2]
    alternatives = "|".join(re.escape(word) for word in dict.fromkeys([name, *words]))
    return (
        re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)(?: (?:DR|DA)\b)?") if alternatives else None
    )


MOST_NEAR = 6
"""Headings that a message names: enough to choose from, few enough to be read."""

LONGEST_NAME = 400
"""Characters of a name that are looked at; models write some dozens."""

_JOINING = re.compile(rf"\b{vocabulary.any_of('parts.joining', 'en')}\b", re.IGNORECASE)


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
        self.names = {one.document_id: short_name(one) for one in documents}
        """`document_id` → the name that is shown to models, in the order given."""
        self._documents = NamedDocuments(documents, self.names)
        self._indices = indices

    def find(self, name: str, document: str = "") -> list[Part | MissingPart]:
        """Return the parts that a name means; several for a list, one for a range.

        The document is what the parts belong to where the name does not say.
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
        headings = [heading for key in documents for heading in self._indices[key].headings]
        near = get_close_matches(name.casefold(), headings, MOST_NEAR, 0.5)
        hint = f" Headings like it: {'; '.join(near)}." if near else ""
        return (
            f"No part is named {name!r}; name parts by number as in the outline, such "
            f"as 'Article 3', 'Articles 8-15' or 'Annex III'.{hint}"
        )


def _hits(parts: Sequence[list[Passage] | str]) -> int:
    return sum(isinstance(part, list) for part in parts)
