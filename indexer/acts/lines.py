"""Lines of a unit that begin with their own number: `(1) The bank …`, `(a)(1) In general …`."""

from __future__ import annotations

import re

from indexer.acts.clause import Clause
from indexer.acts.eu_numbers import item_number, split_label
from indexer.acts.provisions import Provision

_LABELS = re.compile(r"((?:\(\w{1,5}\)\s?){2,4})(?=\s*\S)")
_ONE = re.compile(r"\(\w{1,5}\)")
_NUMBER = re.compile(r"\d")


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
