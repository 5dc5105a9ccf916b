"""From the outline of a formatted document to its passages, the same way for every format."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from indexer.blocks import TABLE_OF_CONTENTS, TITLE_PAGE, Block, LeftOut
from indexer.hierarchy.passage_ids import make_id
from indexer.problems import Problems
from indexer.readers.frontmatter import FrontMatter
from indexer.readers.labels import control_fault
from indexer.readers.protocol import WholeDocument
from indexer.structuring.acts.granularity import DEFAULT_GRANULARITY
from indexer.structuring.acts.passages import passages_of
from indexer.structuring.acts.provisions import Act
from indexer.structuring.labels.units import MARKED
from indexer.structuring.outline import Outline, outline
from indexer.structuring.outline.tree import fenced
from indexer.structuring.pages.line import RANKS, Line
from indexer.structuring.pages.title import title_line
from indexer.structuring.pages.tree import PageTree
from indexer.structuring.units.readings import Way, best
from indexer.structuring.units.series import Numbers
from search.records import Passage

NO_FRONT_MATTER = FrontMatter("")


class OutlinedReader(WholeDocument):
    """Implements the part of `Reader` that formatted documents share."""

    name: str
    suffixes: frozenset[str]

    def __init__(self, *, footnotes: bool = False) -> None:
        """Prepare.

        Args:
            footnotes: whether each is a passage; else they are left out.
        """
        self._footnotes = footnotes

    def read(self, path: Path, source: str, problems: Problems) -> Iterator[Passage]:
        """Yield the passages of the file, by its look or as a law, as its numbers bear out."""
        blocks, left_out, place = self.blocks(path)
        found = outline(blocks, left_out, footnotes=self._footnotes)
        contents = {one.place for one in found.left_out if one.reason == TABLE_OF_CONTENTS}
        lines = [line for one in blocks if one.place not in contents and (line := _line(one))]
        marked = {at for at, line in enumerate(lines) if line.marked}
        numbers = Numbers([line.text for line in lines], marked)
        counted = numbers.counted()

        def as_outline(own: Problems) -> Iterator[Passage]:
            return outlined_passages(found, path, source, own)

        def as_law(own: Problems) -> Iterator[Passage]:
            first = min(counted, default=0)
            front = {one.place for one in found.left_out if one.reason == TITLE_PAGE}
            kept = {line.place for line in lines[first:]}
            left = [one for one in found.left_out if one.place not in front & kept]
            act = Act(path.stem, found.title, dict(found.metadata), left_out=left)
            body = [line for at, line in enumerate(lines) if at >= first or line.place not in front]
            if not act.title and (title := title_line(lines, first)):
                act.title = title.text
                act.leave_out(title.text, TITLE_PAGE)
                body = [line for line in body if line is not title]
            PageTree(act).build(body)
            own.leave_out(source, act.left_out)
            return passages_of(act, DEFAULT_GRANULARITY, source)

        ways: dict[str, Way] = {"outline": as_outline}
        if lines and not control_fault("", path.stem):
            worded = (unit.form != MARKED and at in counted for at, unit in numbers.units.items())
            are_units = 2 * sum(worded) > len(counted)
            ways["law"] = as_law
            ways = dict(reversed(ways.items())) if are_units else ways
        words = {lines[at].place: words for at, words in counted.items()}
        for one in best(ways, words, source, problems):
            name, _, at = one.source.rpartition(":")
            yield replace(one, source=f"{name}:{place(int(at))}") if name and at.isdigit() else one

    @abstractmethod
    def blocks(self, path: Path) -> tuple[Sequence[Block], Sequence[LeftOut], Callable[[int], int]]:
        """Return the blocks of a file, what is left out, and what is shown of a place in it.

        Raises:
            InputError: the file cannot be used.
        """


def _line(block: Block) -> Line | None:
    """Return a block as a line of a law; None for a footnote and for one without text."""
    text = " ".join(f"{block.label} {block.text}".split())
    if block.kind == "footnote" or not text:
        return None
    if block.kind != "paragraph":
        return Line(block=fenced(block), place=block.place)
    rank = 0 if block.heading_level is None else min(block.heading_level + 1, RANKS)
    return Line(text, rank, marked=bool(block.bold or block.label or rank), place=block.place)


def outlined_passages(
    outline: Outline,
    path: Path,
    source: str,
    problems: Problems,
    place: Callable[[int], int] = int,
    front: FrontMatter = NO_FRONT_MATTER,
) -> Iterator[Passage]:
    """Yield the passages of a document, and note what is in none of them.

    Args:
        outline: of the document.
        path: its file; its name without the suffix is the document's ID.
        source: the file's name as passages show it.
        problems: told where there is nothing to number, or the name cannot be an ID.
        place: what is shown of a place in the outline, as the number of its page; the place itself
            unless given.
        front: what the file says of itself.
    """
    document_id = front.document_id or path.stem
    if not outline.passages:
        problems.refuse(
            "contains no number and no heading; number the passages", path, code="source.empty"
        )
        return
    if fault := control_fault("the name of the file", document_id):
        problems.refuse(f"{fault}, or rename it", path)
        return
    problems.leave_out(source, outline.left_out)
    occurrences: Counter[str] = Counter()
    for numbered in outline.passages:
        number = " ".join(numbered.number.split())
        occurrences[number] += 1
        yield Passage(
            id=make_id(document_id, number, occurrences[number]),
            document_id=document_id,
            passage_id=number,
            text=numbered.text.strip(),
            document_title=front.title or outline.title,
            metadata={**outline.metadata, **front.metadata},
            source=f"{source}:{place(numbered.place)}",
        )
