"""The structure of whole regulations as a Markdown outline that a planner can read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generation.delegate.part_index import heading_of
from generation.delegate.shelf import Shelf
from generation.llm.protocol import estimate_tokens
from generation.text.sanitize import one_line
from search.provisions.numbering import container_kind, segments
from search.records import Passage

LONGEST_HEADING = 90
"""Characters of a heading that are shown; the longest of the CRR say it in their first words."""


@dataclass(frozen=True, slots=True)
class _Line:
    level: int
    """How deep it is in the outline, from 0."""
    name: str
    heading: str
    tokens: int
    """Of the part with all that is below it."""


def outline(shelf: Shelf, most_tokens: int) -> str:
    """Return the outlines of all documents, one below the other.

    Every part has the name by which it can be asked for and about how many tokens it has. What does
    not fit is left out from the inside: paragraphs first, then articles, then sections. The top
    level is kept in any case.
    """
    lines = shelf.worked_out(_lines)
    deepest = max((line.level for each in lines.values() for line in each), default=0)
    for depth in range(deepest, -1, -1):
        text = "\n\n".join(_document(shelf.name(key), lines[key], depth) for key in lines)
        if depth == 0 or estimate_tokens(text) <= most_tokens:
            break
    return text


def part_names(shelf: Shelf) -> tuple[str, ...]:
    """Return the names by which the parts of all documents can be asked for, each once."""
    lines = shelf.worked_out(_lines)
    return tuple(dict.fromkeys(line.name for each in lines.values() for line in each))


def sizes(passages: Sequence[Passage]) -> int:
    """Return about how many tokens passages have together."""
    return sum(estimate_tokens(passage.text) for passage in passages)


def _document(name: str, lines: Sequence[_Line], depth: int) -> str:
    shown = [line for line in lines if line.level <= depth]
    body = "\n".join(f"{'  ' * line.level}- {_written(line)}" for line in shown)
    left_out = "" if len(shown) == len(lines) else "\n(deeper parts are left out here)"
    return f"# {name}\n{body}{left_out}"


def _written(line: _Line) -> str:
    heading = f" {line.heading}" if line.heading else ""
    return f"{line.name}{heading} (~{line.tokens} tokens)"


def _lines(passages: Sequence[Passage]) -> list[_Line]:
    """Return the parts of a document that have a name of their own, in its order."""
    named = [passage for passage in passages if _is_part(passage)]
    known = {passage.id: passage for passage in passages}
    keys = {passage.id for passage in named}
    tokens = dict.fromkeys(keys, 0)
    for passage in passages:
        own = estimate_tokens(passage.text)
        for above in _upwards(passage, known):
            if above.id in keys:
                tokens[above.id] += own
    return [
        _Line(
            level=sum(above.id in keys for above in _upwards(passage, known)) - 1,
            name=one_line(passage.passage_id),
            heading=one_line(heading_of(passage))[:LONGEST_HEADING],
            tokens=tokens[passage.id],
        )
        for passage in named
    ]


def _upwards(passage: Passage, known: dict[str, Passage]) -> Iterator[Passage]:
    one: Passage | None = passage
    seen = set[str]()
    while one is not None and one.id not in seen:
        seen.add(one.id)
        yield one
        one = known.get(one.parent or "")


def _is_part(passage: Passage) -> bool:
    """Return whether a passage is a part that a plan names: a heading, an article, an annex."""
    way = segments(passage.passage_id)
    return (
        passage.kind == "heading"
        or bool(way and len(way) == 1 and container_kind(way[0]))
        or (passage.depth <= 1 and passage.kind != "footnote")
    )
