"""Nest the items of lists by their labels alone, where the source does not mark the nesting.

`(a)`, `(b)`, `(i)`, `(ii)`, `(c)` are two levels: an item is the sibling of the innermost open
item that it can follow, and a first number, letter or numeral opens a list below.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from indexer.structuring.acts.provisions import Provision
from indexer.structuring.labels.order import Label, readings

_WITHIN = re.compile(r"(?:^|(?<=\.\s)|(?<=—\s)|(?<=—))(\((?:1|a|A|i|I)\))(?=\s)")


@dataclass(slots=True)
class ListLabels:
    """The open items of one list and of those within it."""

    _open: list[tuple[Label, Provision]] = field(default_factory=list)
    _depths: dict[tuple[str, str], int] = field(default_factory=dict)
    """How many items enclosed the last list of a look."""

    def place(self, item: Provision, outside: Provision, below: bool = False) -> Provision:
        """Return what an item is below, and keep it open.

        Args:
            item: a point with its label.
            outside: what holds the outermost list.
            below: whether the text before ends with a colon or the list before goes on later, so
                that a first label opens a list within the innermost item.
        """
        found = readings(item.label)
        first = next((reading for reading in found if reading.first), None)
        label, depth = self._announced(first) if below and first else self._depth(found)
        del self._open[depth:]
        parent = self._open[-1][1] if self._open else outside
        if label.first:
            self._depths[label.style, label.form] = depth
        self._open.append((label, item))
        self._open += ((one, item) for one in _begun_within(item))
        return parent

    def opens(self, text: str) -> bool:
        """Return whether lists begin with a label."""
        return any(reading.first for reading in readings(text))

    def continues(self, text: str, gaps: bool = False) -> bool:
        """Return whether a label comes next in an open list; with `gaps`, some may be missing."""
        return any(
            reading.follows(label) if gaps else reading.continues(label)
            for reading in readings(text)
            for label, _ in self._open
        )

    def fits(self, text: str, later: Sequence[str], titled: bool) -> bool:
        """Return whether a label is that of a list: one that is open, or a later label continues.

        Args:
            text: the label; where no list is open, a number or a first letter may stand alone, if
                it is not one before a dot and a title, as the headings of the units below are.
            later: the labels after it.
            titled: whether what follows is a title, and no sentence.
        """
        found = readings(text)
        if self.continues(text, gaps=True) or any(_is_continued(one, later) for one in found):
            return True
        alone = (
            not (titled and one.form == ".") and (one.first or one.style == "number")
            for one in found
        )
        return not self._open and any(alone)

    def goes_on(self, later: Sequence[str]) -> bool:
        """Return whether one of the later labels continues the list of the innermost item."""
        return bool(self._open) and _is_continued(self._open[-1][0], later)

    def close_until(self, later: Sequence[str], reads_on: bool = False) -> None:
        """Close all items but those whose list one of the later labels continues.

        A text without a label after a list closes it; but where `(26)` is still to come, the text
        after the points of `(25)` belongs to `(25)`. Paragraphs are no list: the text after the
        last one belongs to it, and so does the list that the text introduces.

        Args:
            later: the labels after the text.
            reads_on: whether the text is in the middle of a sentence: `means—` after the points of
                `(b)` introduces a list within it, where one of its look was within `(a)`.
        """
        depths = [
            depth + 1
            for depth, (label, item) in enumerate(self._open)
            if _numbers_paragraph(label, item) or _is_continued(label, later)
        ]
        if reads_on and later:
            looks = ((one.style, one.form) for one in readings(later[0]) if one.first)
            depths += [self._depths[look] for look in looks if look in self._depths]
        del self._open[max(depths, default=0) :]

    def copy(self, other: ListLabels) -> None:
        """Have the same items open as another one."""
        self._open = list(other._open)
        self._depths = dict(other._depths)

    def clear(self) -> None:
        """Close all lists."""
        self._open.clear()
        self._depths.clear()

    @property
    def innermost(self) -> Provision | None:
        """The item that was opened last."""
        return self._open[-1][1] if self._open else None

    def _depth(self, candidates: tuple[Label, ...]) -> tuple[Label, int]:
        """Return the reading of a label that fits best, and how many items enclose it."""
        if found := self._sibling(candidates, Label.continues):
            return found
        for reading in candidates:
            if reading.first:
                return self._opened(reading)
        if found := self._sibling(candidates, Label.follows):
            return found
        # Lists begin at their first label: `(5)` behind `(f)` is a paragraph of the unit.
        outside = (candidates[0].style, candidates[0].form) == ("number", "()")
        return candidates[0], 0 if outside else len(self._open)

    def _announced(self, label: Label) -> tuple[Label, int]:
        """Return a label that begins a list within an item: `(a)` below `(i)` below `(a)`."""
        innermost = self._open[-1][0] if self._open else None
        if innermost is None or not _looks_alike(label, innermost):
            return label, len(self._open)
        return self._opened(label)

    def _opened(self, label: Label) -> tuple[Label, int]:
        """Return a label that begins a list, and how many items enclose it.

        No list is within one of the same look: that one ends, and starts again.
        """
        for depth, (other, _) in enumerate(self._open):
            if _looks_alike(other, label):
                return label, depth
        return label, len(self._open)

    def _sibling(
        self, candidates: tuple[Label, ...], fits: Callable[[Label, Label], bool]
    ) -> tuple[Label, int] | None:
        """Return a reading that fits an open item, and how deep that is; innermost first."""
        for depth in range(len(self._open) - 1, -1, -1):
            for reading in candidates:
                if fits(reading, self._open[depth][0]):
                    return reading, depth
        return None


def _numbers_paragraph(label: Label, item: Provision) -> bool:
    return item.level == "paragraph" or (label.style, label.form) == ("number", "()")


def _begun_within(item: Provision) -> Iterator[Label]:
    """Yield the first labels of lists that begin in an item's text: `(2) Scope. (a) A firm …`."""
    text = item.parts[0] if item.parts else ""
    for found in _WITHIN.finditer(text if isinstance(text, str) else ""):
        yield from (reading for reading in readings(found[1]) if reading.first)


def _looks_alike(one: Label, other: Label) -> bool:
    return (one.style, one.form) == (other.style, other.form)


def _is_continued(label: Label, later: Sequence[str]) -> bool:
    """Return whether a later label comes next, before a list of the same look starts again."""
    for text in later:
        if any(reading.continues(label) for reading in readings(text)):
            return True
        if any(reading.first and _looks_alike(reading, label) for reading in readings(text)):
            return False
    return False
