"""The tree of a document whose elements nobody has described, by their kinds.

A kind whose numbers are unique is units; one whose numbers begin again is their paragraphs and
items; one that only groups others is divisions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from indexer.readers.columns import names, natural
from indexer.readers.xml.elements import Elements
from indexer.readers.xml.kinds import LONGEST_FIELD, Kind, Kinds, field_of, value_of
from indexer.readers.xml.parsing import detach, local_name
from indexer.readers.xml.text import ActText
from indexer.readers.xml.tree import ITEM_WORD, ElementTree
from indexer.structuring.acts.provisions import Act, Level, Provision
from indexer.structuring.labels.eu_numbers import is_dash
from indexer.structuring.labels.units import unit_line
from search.text.characters import compatible

if TYPE_CHECKING:
    from lxml.etree import _Element

_ENDS = " .:—–-()[]§"


class _Text(ActText):
    """Takes texts out of elements of any namespace."""

    def reason(self, element: _Element, name: str) -> str:
        """Return why an element is not text of the act, or ""."""
        return self._elements.left_out.get(local_name(element) or name, "")


class RepeatedTree(ElementTree):
    """Fills an act by the kinds of a document."""

    texts = _Text

    def __init__(self, act: Act, kinds: Kinds, left_out: Mapping[str, str]) -> None:
        self._kinds = kinds
        super().__init__(act, _elements(kinds, left_out))

    def name_of(self, element: _Element) -> str:
        """Return the kind of an element."""
        return self._kinds.name_of(element)

    def kind_of(self, element: _Element) -> Kind:
        """Return the kind of an element."""
        name = self.name_of(element)
        return self._kinds.of.get(name) or Kind(name)

    def word_of(self, element: _Element) -> str:
        """Return the word before numbers that only an attribute has: `Article`."""
        kind = self.kind_of(element)
        return kind.rule() if kind.number.startswith("@") else ""

    def label_of(self, element: _Element) -> str:
        """Return the number of an element."""
        number = self.kind_of(element).number
        return value_of(element, number) if number else ""

    def block(self, element: _Element, target: Provision) -> None:
        """Add one block; units may hold units."""
        name = self.name_of(element)
        if name in self.elements.units:
            self._unit(element, target)
        elif name in self.elements.divisions:
            self._division(element, name, target)
        else:
            super().block(element, target)

    def opened(self, element: _Element, level: Level) -> Provision:
        """Return a provision with the number and the heading of its kind taken out."""
        provision = Provision(level, place=element.sourceline or 0)
        kind = self.kind_of(element)
        label = " ".join(filter(None, (_take(element, one) for one in (kind.word, kind.number))))
        heading = _take(element, kind.heading)
        shown = unit_line(label)
        if shown and _is_heading(shown.text):
            label, heading = shown.number, f"{shown.text} {heading}".strip()
        provision.label, provision.heading = label, heading
        if kind.number.startswith("@"):
            _print_number(element, provision)
        return provision

    def number_unit(self, unit: Provision, element: _Element) -> None:
        """Number a unit as it is printed."""
        shown = unit_line(unit.label)
        unit.number = shown.number if shown and not shown.text else unit.label.strip(" .:—–-")
        if unit.number[:1].isdigit():
            unit.number = f"{self.word_of(element)} {unit.number}".strip()

    def number_of_item(self, element: _Element, label: str) -> str:
        """Return the number of an item; a label of words stays as it is."""
        number = super().number_of_item(element, label)
        bare = compatible(label).strip(_ENDS)
        if is_dash(label) or (number and _letters(number) == _letters(ITEM_WORD.sub("", bare))):
            return number
        return f".{bare}" if " " in bare else f"({bare})" if bare else ""


def _elements(kinds: Kinds, left_out: Mapping[str, str]) -> Elements:
    """Return the table of elements that kinds make."""
    numbered = {name for name, one in kinds.of.items() if one.number}
    units = {name for name in numbered if kinds.of[name].unique}
    above = {
        kinds.name_of(around)
        for name in numbered for one in kinds.of[name].elements for around in one.iterancestors()
    }  # fmt: skip
    groups = {n for n in above - units if n in kinds.of and (n in numbered or kinds.of[n].heading)}
    nested = {n for n in groups & numbered if not units.isdisjoint(kinds.around(kinds.of[n]))}
    items = (numbered - units - groups) | nested
    tagged = {name.partition(" ")[0] for name in kinds.of}
    rows = frozenset(tag for tag in tagged if tag.lower() in names("rows"))
    every = [row for name in rows & kinds.of.keys() for row in kinds.of[name].elements]
    tables = (
        next((e for e in row.iterancestors() if local_name(e) not in names("row_groups")), row)
        for row in every
    )
    return Elements(
        divisions=dict.fromkeys(groups - nested, ""),
        units=dict.fromkeys(units, ""),
        items=dict.fromkeys(items),
        notes=frozenset(tag for tag in tagged if tag.lower() in names("notes")),
        tables=frozenset(map(local_name, tables)),
        rows=rows,
        cells=frozenset(local_name(cell) for row in every for cell in row),
        captions=frozenset(),
        texts=frozenset(),
        left_out=left_out,
        labelled_texts=not items,
    )


def _is_heading(text: str) -> bool:
    """Return whether what follows a number is a heading: no letter or `bis` of the number."""
    word = text.partition(" ")[0].strip(".,:;-")
    return word[:1].isupper() and len(word) >= len("bis")


def _letters(text: str) -> str:
    return "".join(c for c in text.lower() if c.isascii() and c.isalnum())


def _take(element: _Element, name: str) -> str:
    """Return the value of a field and take it out of its element; "" for one that is a text."""
    value = value_of(element, name) if name else ""
    if len(value) > LONGEST_FIELD:
        return ""
    if name and name[0] != "@":
        found = field_of(element, name)
        if found is not None:
            detach(found)
    return value


def _print_number(element: _Element, provision: Provision) -> None:
    """Take the number as it is printed before a heading or text: `§ 5` where a field has 5."""
    leaf = element
    while not (leaf.text or "").strip() and len(leaf):
        leaf = leaf[0]
    shown = unit_line(provision.heading or leaf.text or "")
    if shown is None or _digits(shown.number) != _digits(provision.label):
        return
    provision.label = shown.number
    if provision.heading:
        provision.heading = shown.text
    else:
        leaf.text = shown.text


def _digits(number: str) -> list[int]:
    return [part for part, _ in natural(number) if part >= 0]
