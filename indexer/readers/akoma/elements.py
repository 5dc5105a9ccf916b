"""What the elements of Akoma Ntoso are, told by their names and by what is around them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from indexer.acts.provisions import Provision
from indexer.readers.akoma.names import UNITS, unit_number
from indexer.readers.xml.parsing import local_name

if TYPE_CHECKING:
    from lxml.etree import _Element


def name_of(element: _Element) -> str:
    """Return what an element is: a generic container says it in its attribute `name`."""
    name = local_name(element)
    if name in {"hcontainer", "container", "tblock"} and element.get("name"):
        return str(element.get("name"))
    return name


def number_of(element: _Element) -> str:
    """Return what the `num` of an element says."""
    number = next((e for e in element if local_name(e) == "num"), None)
    return "" if number is None else "".join(number.itertext()).strip()


def within_unit(parent: Provision) -> bool:
    """Tell whether a rule is open."""
    return parent.level in {"article", "paragraph", "point", "footnote"}


def opens_unit(element: _Element, name: str, parent: Provision) -> bool:
    """Tell whether an element is a rule of its own: no quotation, and not within another rule."""
    named = name in UNITS or (name == "hcontainer" and bool(number_of(element)))
    return named and not within_unit(parent)


def holds_units(element: _Element) -> bool:
    """Tell whether a section groups articles, as in EU acts, instead of being a rule itself."""
    inner = (e for e in element.iterdescendants() if not _quoted(e))
    return any(name_of(e) in UNITS for e in inner)


def _quoted(element: _Element) -> bool:
    return any(local_name(e) == "quotedStructure" for e in element.iterancestors())


def has_quotation(element: _Element) -> bool:
    """Tell whether an inline element holds quoted provisions."""
    return any(local_name(e) == "quotedStructure" for e in element.iterdescendants())


def repeated_units(document: _Element) -> frozenset[str]:
    """Return the numbers of rules that occur in several parts, so that they need the part's."""
    counts: Counter[str] = Counter()
    for element in document.iter():
        name = name_of(element)
        if name in UNITS and not _quoted(element) and not holds_units(element):
            counts[unit_number(name, number_of(element))] += 1
    return frozenset(number for number, count in counts.items() if count > 1)


def preface_of(document: _Element) -> str:
    """Return the text of the preface of an attached document."""
    for part in document:
        if local_name(part) == "preface":
            return " ".join("".join(part.itertext()).split())
    return ""
