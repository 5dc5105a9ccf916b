"""Office formulas as one line of text: fractions with a slash, powers with a caret."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indexer.readers.docx.markup import child, name

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


def formula(element: Element) -> str:
    """Return a formula (`m:oMath`) as a line of text."""
    kind = name(element)
    if kind == "t":
        return element.text or ""
    if kind == "f":
        return f"{_group(element, 'num')}/{_group(element, 'den')}"
    if kind == "sSup":
        return f"{_part(element, 'e')}^{_group(element, 'sup')}"
    if kind == "sSub":
        return f"{_part(element, 'e')}_{_group(element, 'sub')}"
    if kind == "rad":
        return f"√{_group(element, 'e')}"
    return "".join(formula(inner) for inner in element)


def _part(element: Element, key: str) -> str:
    found = child(element, key)
    return "" if found is None else formula(found)


def _group(element: Element, key: str) -> str:
    """Return a part, in brackets where it has more than one sign or word."""
    text = _part(element, key).strip()
    return text if text.isalnum() or not text else f"({text})"
