"""The walk through the elements of an act: text in a row is a paragraph, blocks are provisions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element

    from indexer.acts.provisions import Provision


class Walker(ABC):
    """Reads elements from top to bottom; a format says which of them are in a line of text."""

    def fill(self, element: _Element, target: Provision) -> None:
        """Add what an element holds: runs of inline text as paragraphs, blocks one by one."""
        run = [element.text or ""]
        notes: list[_Element] = []
        for child in element:
            if self.is_inline(child):
                run.append(self.inline(child, notes))
            else:
                self.paragraph("".join(run), notes, target)
                run, notes = [], []
                self.block(child, target)
            run.append(child.tail or "")
        self.paragraph("".join(run), notes, target)

    @abstractmethod
    def is_inline(self, element: _Element) -> bool:
        """Return whether an element is in a line of text."""

    @abstractmethod
    def inline(self, element: _Element, notes: list[_Element]) -> str:
        """Return the text of an inline element without its tail; `notes` receives its footnotes."""

    @abstractmethod
    def block(self, element: _Element, target: Provision) -> None:
        """Add one block."""

    @abstractmethod
    def paragraph(self, text: str, notes: list[_Element], target: Provision) -> None:
        """Add a run of text, which may be blank, and the footnotes in it."""
