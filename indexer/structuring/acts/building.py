"""The provisions that all readers of acts build alike: items, recitals and footnotes.

Readers walk through their formats in their own ways: nested elements, tables of elements, or rows
of paragraphs in which titles open what follows.
"""

from __future__ import annotations

from indexer.structuring.acts.provisions import Level, Provision
from indexer.structuring.labels.eu_numbers import is_dash, item_number


def number_of_item(label: str, in_annex: bool) -> str:
    """Return the number of an item as it follows that of what encloses it; "" for a dash."""
    return "" if is_dash(label) else item_number(label, in_annex)


def level_of_item(label: str, parent: Provision) -> Level:
    """Return what a numbered item is: in an annex, `1.` is a paragraph."""
    headed = parent.level in {"annex", "section"}
    return "paragraph" if headed and item_number(label, True)[:1] == "." else "point"


def item(level: Level, label: str, place: int, *, in_annex: bool) -> Provision:
    """Return a paragraph or point that is still empty."""
    return Provision(level, number_of_item(label, in_annex), label=label, place=place)


def number_of_recital(label: str) -> str:
    """Return `Recital 12` for `(12)`."""
    return f"Recital {''.join(c for c in label if c.isalnum())}".strip()


def recital(label: str, place: int) -> Provision:
    """Return a recital that is still empty."""
    return Provision("recital", number_of_recital(label), place=place)


def footnote(count: int, place: int) -> Provision:
    """Return a footnote that is still empty; `count` is its number in the act."""
    return Provision("footnote", f"Footnote {count}", place=place)
