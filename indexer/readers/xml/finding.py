"""Look-ups in an XML tree, by names without their namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indexer.readers.xml.parsing import local_name

if TYPE_CHECKING:
    from lxml.etree import _Element


def child(element: _Element | None, *names: str) -> _Element | None:
    """Return the first child of one of some names."""
    if element is None:
        return None
    return next((e for e in element if local_name(e) in names), None)


def first(element: _Element | None, *names: str) -> _Element | None:
    """Return the first element below of one of some names, tried in their order."""
    if element is None:
        return None
    found = (e for name in names for e in element.iter() if local_name(e) == name)
    return next(found, None)


def text_of(element: _Element | None) -> str:
    """Return all text of an element with single blanks, or ""."""
    return "" if element is None else " ".join("".join(element.itertext()).split())


def first_text(element: _Element | None, *names: str) -> str:
    """Return the text of the first element of one of some names that has any."""
    if element is None:
        return ""
    found = (text_of(e) for name in names for e in element.iter() if local_name(e) == name)
    return next(filter(None, found), "")


def attribute(element: _Element | None, name: str, *attributes: str) -> str:
    """Return an attribute of the first element of a name, the first of some that it has."""
    found = first(element, name)
    if found is None:
        return ""
    return next((v.strip() for one in attributes if (v := found.get(one))), "")
