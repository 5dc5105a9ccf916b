"""From the outline of a formatted document to its passages, the same way for every format."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from indexer.hierarchy.passage_ids import make_id
from indexer.outline import Outline
from indexer.problems import Problems
from indexer.readers.frontmatter import FrontMatter
from indexer.readers.labels import control_fault
from indexer.readers.protocol import WholeDocument
from search.errors import InputError
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
        """Yield the passages of the file."""
        try:
            found, place = self.outlined(path)
        except InputError as error:
            problems.add(error)
            return
        yield from outlined_passages(found, path, source, problems, place)

    @abstractmethod
    def outlined(self, path: Path) -> tuple[Outline, Callable[[int], int]]:
        """Return the outline of a file, and what is shown of a place in it.

        Raises:
            InputError: the file cannot be used.
        """


def itself(place: int) -> int:
    """Return a place in an outline as it is shown where it has no page."""
    return place


def outlined_passages(
    outline: Outline,
    path: Path,
    source: str,
    problems: Problems,
    place: Callable[[int], int] = itself,
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
        problems.add(
            InputError(
                "contains no number and no heading; number the passages", path, code="source.empty"
            )
        )
        return
    if fault := control_fault("the name of the file", document_id):
        problems.add(InputError(f"{fault}, or rename it", path, code="source.invalid"))
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
