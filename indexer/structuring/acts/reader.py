"""What all readers of acts do alike: from the tree of provisions to passages."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path

from indexer.problems import Choice, Problems
from indexer.structuring.acts.granularity import DEFAULT_GRANULARITY, Granularity
from indexer.structuring.acts.passages import passages_of
from indexer.structuring.acts.provisions import Act
from indexer.structuring.units.readings import tried
from search.records import Passage


class ActReader(ABC):
    """Implements the part of `Reader` that does not depend on the format.

    Each file is one document, whose articles, paragraphs and points are marked; the granularity
    says which of them are passages.
    """

    whole_document = True

    def __init__(self, granularity: Granularity = DEFAULT_GRANULARITY) -> None:
        self.granularity = granularity

    def read(self, path: Path, source: str, problems: Problems) -> Iterator[Passage]:
        """Yield the passages of the act."""
        act = self.read_act(path, problems)
        problems.leave_out(source, act.left_out)
        passages = list(passages_of(act, self.granularity, source))
        if act.counted:
            made = tried("law", passages, act.counted)
            problems.choices.append(Choice(source, len(act.counted), (made,)))
        yield from passages

    @abstractmethod
    def read_act(self, path: Path, problems: Problems) -> Act:
        """Return the tree of the act and what was left out."""
