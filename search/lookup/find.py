"""Find the passages of a number, in one way for questions, cross-references, models and pages.

A number has keys, from the whole to what is around it; of each document that passage is meant which
has a key earliest among its own.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from search.candidates import Candidate
from search.engines.protocol import Engine
from search.law_in_time import left_out
from search.provisions.grammar.keys import first_part_keys, in_both_figures, lettered_keys
from search.provisions.numbering import DIVISIONS, lookup_keys, segments
from search.records import Filters, Passage

MAX_DOCUMENTS = 20
"""How many documents are offered for a number that several of them have."""

HEADING_WORDS = 2
"""A heading begins with a division's name: `PART 2 Banks`."""

_DIVISION = re.compile(rf"({'|'.join(sorted(DIVISIONS))}) (\d+[a-z]{{0,2}}|[ivxlc]+|[a-z])")
_JOINT = re.compile(r"(?<=\w)(?:\.(?=\w)|\.?\()")
_MARK = re.compile(r"\d{1,3}[a-z]{0,2}|[a-z]{1,5}")

Order = Mapping[str, int]
"""DocumentID → place of the document; those that are missing come last."""


class ByNumber:
    """Passages by the keys of their numbers."""

    def __init__(self, passages: Iterable[Passage]) -> None:
        self._held: defaultdict[str, list[tuple[int, Passage]]] = defaultdict(list)
        for passage in passages:
            for place, key in enumerate(lookup_keys(passage.passage_id)):
                self._held[key].append((place, passage))

    def having(self, key: str, *, whole: bool = False) -> list[Passage]:
        """Return the passages that have a key; with `whole`, only those whose whole number it is,
        if there are any.
        """
        held = self._held.get(key, ())
        exact = [passage for place, passage in held if whole and not place]
        return exact or [passage for _, passage in held]

    def best(
        self, key: str, written: str = "", divisions: Sequence[str] = (), order: Order | None = None
    ) -> list[Passage]:
        """Return the best passage of each document for a key, with those of the same number: the
        parts of a long one, and rules that a document has twice.

        Args:
            key: of the number.
            written: the number as it was asked for: an act may have both 10.1 and 10(1).
            divisions: in which it is, such as `part 2`.
            order: of the documents.
        """
        order, joints = order or {}, _joints(written)
        placed = sorted(
            (
                (place, order.get(passage.document_id, len(order)), *_doubts(passage, key, joints)),
                number,
            )
            for number, (place, passage) in enumerate(self._held.get(key, ()))
            if not is_in_another(passage, divisions)
        )
        best: dict[str, tuple[object, str]] = {}
        found = []
        for rank, number in placed:
            passage = self._held[key][number][1]
            this = (rank, passage.passage_id)
            if best.setdefault(passage.document_id, this) == this and len(best) <= MAX_DOCUMENTS:
                found.append(passage)
        return found


class Found(NamedTuple):
    """The passages of the first key that any has."""

    key: str = ""
    """Empty: there are none."""
    passages: Sequence[tuple[Candidate, Passage]] = ()
    past: str = ""
    """Why those that there are do not count; empty: they do."""


def find(
    engine: Engine,
    keys: Sequence[str],
    documents: Sequence[str],
    filters: Filters,
    written: str = "",
    divisions: Sequence[str] = (),
) -> Found:
    """Find the passages of a number.

    Args:
        engine: of the index.
        keys: the number itself, then what is around it.
        documents: in which it is looked for, the best first; empty: in all.
        filters: what passages must pass.
        written: the number as it was asked for.
        divisions: in which it is.
    """
    asked = every_key(keys)
    fields = {**filters.fields, "number": asked}
    if documents:
        wanted = filters.fields.get("document_id")
        fields["document_id"] = tuple(d for d in documents if wanted is None or d in wanted)
        if not fields["document_id"]:
            return Found()
    order = {name: place for place, name in enumerate(documents)}
    sources = [Filters(fields, filters.excluded)]
    sources += [Filters(fields)] if filters.excluded else []
    held = [{passage.id: (one, passage) for one, passage in engine.find(s)} for s in sources]
    numbered = [ByNumber(passage for _, passage in each.values()) for each in held]
    for key in asked:
        for each, by_number in zip(held, numbered, strict=True):
            if best := by_number.best(key, written, divisions, order):
                if each is not held[0]:
                    return Found(key, past=left_out(best[0]))
                return Found(key, [each[one.id] for one in best])
    return Found()


def every_key(keys: Sequence[str]) -> tuple[str, ...]:
    """Return the keys of a number, and those that it has where its sources write it otherwise."""
    whole = in_both_figures(keys)
    return tuple(dict.fromkeys((*whole, *first_part_keys(keys), *lettered_keys(keys))))


def divisions_only(key: str, found: Iterable[Passage]) -> list[Passage]:
    """Return the passages that a chapter or part may be: a bare 3 is one, an Article 3 is none."""
    return [
        one
        for one in found
        if not key.isdecimal()
        or (one.kind == "heading" and segments(one.passage_id)[-1:] == (key,))
    ]


def holding(keys: Sequence[str], key: str, found: Iterable[Passage]) -> list[Passage]:
    """Return the passages whose text has a number that no passage has for itself.

    3.4.2 may hold (b) in its text; where it holds no such mark, there is no 3.4.2(b).

    Args:
        keys: of the number.
        key: the one of them that the passages have.
        found: the passages.
    """
    asked = next((one for one in in_both_figures(keys) if one.startswith(f"{key}/")), key)
    marks = [part for part in asked[len(key) + 1 :].split("/") if part]
    if keys[0] == key or not marks or not all(_MARK.fullmatch(mark) for mark in marks):
        return list(found)
    return [one for one in found if _has_marks(one.text, marks)]


def _has_marks(text: str, marks: Sequence[str]) -> bool:
    """Return whether a text has these list marks in order: (a), a), a. or a heading's `1`."""
    place = 0
    for mark in marks:
        form = re.compile(rf"(?<![\w.(])\(?{re.escape(mark)}[).]", re.IGNORECASE)
        found = form.search(text, place)
        if found is None:
            return False
        place = found.end()
    return True


def is_in_another(passage: Passage, divisions: Iterable[str]) -> bool:
    """Return whether a passage is in Part 1, where Part 2 is asked for.

    Numbers of another form say nothing: Part II may be Part 2.

    Args:
        passage: its number and its headings are looked at.
        divisions: as `search.provisions.numbering.segments` writes them, such as `part 2`.
    """
    own = list(_divisions_of(passage)) if divisions else []
    for named in divisions:
        word, _, number = named.partition(" ")
        alike = [one for kind, one in own if kind == word and one.isdecimal() == number.isdecimal()]
        if alike and number not in alike:
            return True
    return False


def _divisions_of(passage: Passage) -> Iterator[tuple[str, str]]:
    headings = (" ".join(heading.split()[:HEADING_WORDS]) for heading in passage.breadcrumb)
    for text in (passage.passage_id, *headings):
        for segment in segments(text):
            if named := _DIVISION.fullmatch(segment):
                yield named[1], named[2]


def _joints(number: str) -> str:
    """Return what joins the parts of a number: an act may have both 10.1 and 10(1)."""
    return "".join(one[-1] for one in _JOINT.findall(number))


def _doubts(passage: Passage, key: str, joints: str) -> tuple[bool, bool]:
    """Return what speaks against a passage of a key: a bare number is first of all a chapter, and a
    number that is written as it was asked for comes before another.
    """
    stray = key.isdecimal() and passage.kind != "heading"
    return stray, not _joints(passage.passage_id).endswith(joints)
