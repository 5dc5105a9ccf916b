"""What is below one number of a page, each line in its place.

A text after `(1)` continues it where `(2)` is still to come, and closes a list that only
completes its clause; so lines are placed when all of them are there.
"""

from __future__ import annotations

import re
from typing import Literal

from indexer.structuring.acts.granularity import CLAUSE_WORDS, is_definition
from indexer.structuring.acts.open_lists import ListLabels
from indexer.structuring.acts.provisions import Provision
from indexer.structuring.labels.eu_numbers import item_number, split_label

_LABELS = re.compile(r"((?:\(\w{1,5}\)\s?){2,4})(?=\s*\S)")
_ONE = re.compile(r"\(\w{1,5}\)")
_NUMBER = re.compile(r"\d")

LABELS_AHEAD = 50
"""Labels after a text that are looked at to tell which list continues."""

_STOPS = frozenset({"", ".", ":", ";", ",", "—", "–"})
"""How texts end that are no title; an empty one has its words further below."""

_Sort = Literal["item", "text", "block"]


class Clause:
    """The lines below one number: items by their labels, texts, and blocks such as tables."""

    def __init__(self, outside: Provision) -> None:
        self._outside = outside
        self._lines: list[tuple[_Sort, str | Provision]] = []
        self._labels = ListLabels()
        self._numbers: dict[int, set[str]] = {}
        """Numbers of the items so far, by what the items are in."""
        self._restarted = False
        """Whether paragraphs began again: the heading of their unit is lost."""
        self.items = 0
        """How many lines are items."""

    def item(self, item: Provision) -> None:
        """Add an item that its label places."""
        self._lines.append(("item", item))
        self.items += 1

    def text(self, text: str) -> None:
        """Add a paragraph without a number."""
        self._lines.append(("text", text))

    def block(self, block: str | Provision) -> None:
        """Add a table or the item of a marked list: it belongs to what comes before it."""
        self._lines.append(("block", block))

    def write(self) -> None:
        """Place the lines that were added."""
        later = [p.label for sort, p in self._lines if sort == "item" and isinstance(p, Provision)]
        later.reverse()
        for sort, part in self._lines:
            if isinstance(part, str):
                ahead = later[: -LABELS_AHEAD - 1 : -1] if sort == "text" else None
                self._add_text(part, ahead)
            elif sort == "item":
                later.pop()
                self._place(part, later[: -LABELS_AHEAD - 1 : -1])
            else:
                self._add_listed(part)
        self._lines.clear()

    def _place(self, item: Provision, later: list[str]) -> None:
        """Put an item where its label belongs; one that fits no list is text of the last item."""
        if not self._labels.fits(item.label, later, _is_titled(item)):
            item.number = ""
            home_of_text(self._innermost).parts.append(item)
            return
        before = self._innermost.parts[-1:]
        colon = bool(before) and isinstance(before[0], str) and before[0].endswith(":")
        inner = self._labels.goes_on(later) and not self._labels.continues(item.label)
        self._append(item, self._labels.place(item, self._outside, colon or inner))

    def _add_text(self, text: str, ahead: list[str] | None) -> None:
        """Add a text where it reads on; one that comes before labels may close lists."""
        if ahead is not None and self._innermost.parts:
            self._labels.close_until(ahead, reads_on=text[:1].islower())
        home_of_text(self._innermost).parts.append(text)

    def _add_listed(self, item: Provision) -> None:
        home = home_of_text(self._innermost)
        before = home.parts[-1] if home.parts else ""
        introduced = isinstance(before, str) and before.endswith((":", "—", "–"))
        self._append(item, home if introduced or not item.number else self._innermost)

    def _append(self, item: Provision, above: Provision) -> None:
        """Put an item at the end of what it belongs to; a heading groups it, a text governs it.

        A number that another one of its list has names nothing: it is text of the last item.
        """
        numbers = self._numbers.setdefault(id(above), set())
        headed = above is self._outside and not _introduction(above)
        if not headed and above.parts and isinstance(above.parts[-1], str):
            numbers.clear()
        self._restarted = self._restarted or (headed and item.number in numbers)
        if item.number in numbers or (headed and self._restarted):
            item.number, above = "", home_of_text(above)
        elif item.number:
            numbers.add(item.number)
            item.level = "paragraph" if headed else item.level
        above.parts.append(item)

    @property
    def _innermost(self) -> Provision:
        return self._labels.innermost or self._outside


def _is_titled(item: Provision) -> bool:
    """Return whether the text of an item is a title: it has no stop at its end."""
    text = next(iter(item.parts), "")
    return isinstance(text, str) and text.rstrip()[-1:] not in _STOPS


def home_of_text(provision: Provision) -> Provision:
    """Return what a text at the end of a provision belongs to.

    That is the provision itself; but after a list whose items are passages of their own the last
    item, so that no text comes before what it follows.
    """
    while (last := _last_item(provision)) and _stands_alone(provision, last):
        provision = last
    return provision


def _last_item(provision: Provision) -> Provision | None:
    last = provision.parts[-1] if provision.parts else ""
    if not isinstance(last, Provision) or last.level not in {"paragraph", "point"}:
        return None
    return last if last.number or is_definition(last) else None


def _stands_alone(above: Provision, last: Provision) -> bool:
    """Return whether the list that ends a provision says something without the text before it."""
    introduction = _introduction(above)
    sentence = introduction.rstrip('’”"»)').endswith((".", "!", "?", "。"))
    return not introduction or sentence or is_definition(last)


def _introduction(provision: Provision) -> str:
    """Return the last text before the list that ends a provision; "" right below a heading."""
    # More items than this have more words than any clause that keeps its list.
    nearest = reversed(provision.parts[-CLAUSE_WORDS:])
    return next((part for part in nearest if isinstance(part, str)), "")


class UnitLines:
    """Places the lines of a unit by the labels that they begin with."""

    def __init__(self, unit: Provision) -> None:
        self._clause = Clause(unit)
        self._unit = unit

    def add(self, text: str) -> None:
        """Add one paragraph of text."""
        labels, rest = _labels(text)
        if not labels:
            self._clause.text(text)
            return
        for label in labels[:-1]:
            self._item(label, "")
        self._item(labels[-1], rest)

    def block(self, part: str | Provision) -> None:
        """Add a table, or what is not a line: it belongs to what comes before it."""
        self._clause.block(part)

    def write(self) -> None:
        """Put the lines into the unit."""
        self._clause.write()
        for part in self._unit.children():
            if part.level == "point" and _NUMBER.search(part.label):
                part.level = "paragraph"

    def _item(self, label: str, text: str) -> None:
        parts: list[str | Provision] = [text] if text else []
        self._clause.item(Provision("point", item_number(label), "", parts, label))


def _labels(text: str) -> tuple[list[str], str]:
    """Part a line into its labels and the rest."""
    if found := _LABELS.match(text):
        return _ONE.findall(found[1]), text[found.end() :].strip()
    label, rest = split_label(text)
    return ([label], rest) if label and rest and not label.isdigit() else ([], text)
