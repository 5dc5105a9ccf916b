"""Very long passages become parts, and glossaries one part a definition; all keep the number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from indexer.hierarchy.passage_ids import make_id
from indexer.tables import CELL_MARK, END, START
from search.provisions.terms.definitions import definitions_in
from search.records import PART, Kind, Passage

LONG_WORDS = 1_000
"""A passage with more words is split: 21 of the 13,732 hand-made passages of ObliQA have them."""

PART_WORDS = 350
"""Most words of a part: what an encoder of 512 tokens reads."""

FEWEST_DEFINITIONS = 20
"""A table with fewer terms is not a glossary."""

DEFINING_ROWS = 0.5
"""Share of a glossary's rows that define a term; notes and endless rows are the rest."""

_SENTENCE_END = re.compile(r"(?<=[.;:!?]\s)")
_WORD = re.compile(r"\s*\S+\s*")


def split_long(passage: Passage) -> list[Passage]:
    """Return a passage, or its parts where it has more than `LONG_WORDS` words.

    The parts hold all its words in their order, each of them once; a table that is cut has its
    fence in both parts. They are cut at lines, then sentences, then words, and the first has the
    passage's `id`, so that what is below its number finds it.
    """
    if len(passage.text.split()) <= LONG_WORDS:
        return [passage]
    parts = _glossary(passage) or [(passage.kind, text) for text in _cut(passage.text)]
    return [
        replace(
            passage,
            id=passage.id if number == 1 else make_id(passage.document_id, passage.id, number),
            text=text,
            kind=kind,
            metadata={**passage.metadata, PART: f"{number} of {len(parts)}"},
        )
        for number, (kind, text) in enumerate(parts, start=1)
    ]


def is_continuation(passage: Passage) -> bool:
    """Return whether a passage is a part other than the first."""
    return bool(passage.part) and not passage.part.startswith("1 of ")


def _glossary(passage: Passage) -> list[tuple[Kind, str]]:
    """Return a glossary's definitions, and what comes before them; nothing for other texts."""
    defining = {definition.opening for definition in definitions_in(passage)}
    lines = [line for line in passage.text.split("\n") if line.strip() not in (START, END)]
    rows = sum(CELL_MARK in line for line in lines)
    if len(defining) < FEWEST_DEFINITIONS or len(defining) < DEFINING_ROWS * rows:
        return []
    pieces: list[tuple[Kind, list[str]]] = [(passage.kind, [])]
    for line in lines:
        if line.strip() in defining:
            pieces.append(("definition", []))
        pieces[-1][1].append(line)
    return [(kind, text) for kind, piece in pieces for text in _short("\n".join(piece).strip())]


def _short(text: str) -> list[str]:
    if not text:
        return []
    return [text] if len(text.split()) <= LONG_WORDS else list(_cut(text))


def _cut(text: str) -> Iterator[str]:
    return _fenced([part.strip() for part in _packed(_units(text))])


def _packed(units: Iterable[str]) -> list[str]:
    """Return units joined to parts of at most `PART_WORDS` words, as few as their order allows."""
    parts: list[str] = []
    room = 0
    for unit in units:
        words = len(unit.split())
        if words > room or not parts:
            parts.append("")
            room = PART_WORDS
        parts[-1] += unit
        room -= words
    return [part for part in parts if part.strip()]


def _units(text: str) -> Iterator[str]:
    """Yield the lines of a text, of long lines the sentences, of long sentences the words.

    Each keeps the blanks behind it, so that all of them together are the text.
    """
    for line in text.splitlines(keepends=True):
        for sentence in [line] if _fits(line) else _SENTENCE_END.split(line):
            yield from [sentence] if _fits(sentence) else _WORD.findall(sentence)


def _fits(text: str) -> bool:
    return len(text.split()) <= PART_WORDS


def _fenced(texts: Sequence[str]) -> Iterator[str]:
    """Yield texts; a table that continues in the next one is closed here and opened there."""
    is_open = False
    for text in texts:
        lines = [START, *text.split("\n")] if is_open else text.split("\n")
        for line in lines[is_open:]:
            is_open = line.strip() == START or (is_open and line.strip() != END)
        yield "\n".join([*lines, END] if is_open else lines)
