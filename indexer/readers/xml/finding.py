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


def look_up(document: _Element | None, *places: str) -> str:
    """Return the text or attribute at the first of some places where there is any, else "".

    A place is elements, each anywhere below the one before it, and maybe an attribute of the last:
    `Meta/DocumentTitle`, `TEXTE@cid`, `@builddate` of the element itself.
    """
    if document is None:
        return ""
    for place in places:
        path, _, attribute = place.partition("@")
        found = [document]
        for name in filter(None, path.split("/")):
            found = [below for one in found for below in one.iter(f"{{*}}{name}")]
        values = (one.get(attribute, "").strip() if attribute else text_of(one) for one in found)
        if value := next(filter(None, values), ""):
            return value
    return ""
