"""Names in WordprocessingML, the same for transitional and strict files."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

TRANSITIONAL = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
_SPACES = tuple(f"{{{space}}}" for space in (TRANSITIONAL, STRICT))
_OFF = frozenset({"0", "false", "off", "none"})


def attribute(element: Element | None, key: str) -> str | None:
    """Return an attribute of the word-processing namespace, or None."""
    if element is None:
        return None
    for space in _SPACES:
        value: str | None = element.get(space + key)
        if value is not None:
            return value
    return None


def child(element: Element | None, *path: str) -> Element | None:
    """Return the first descendant along a path of child names, or None."""
    for step in path:
        if element is None:
            return None
        element = next(element.iterchildren(f"{{*}}{step}"), None)
    return element


def value_of(element: Element | None, *path: str) -> str | None:
    """Return the `val` attribute of the descendant along a path, or None."""
    return attribute(child(element, *path), "val")


def number_of(text: str | None, default: int = 0) -> int:
    """Return an attribute as an integer; the default where it is none."""
    try:
        return int(float(text)) if text else default
    except (ValueError, OverflowError):
        return default


def switch(properties: Element | None, key: str) -> bool | None:
    """Return whether a property such as `b` or `vanish` is on; None where it is not named."""
    return is_on(child(properties, key))


def is_on(element: Element | None) -> bool | None:
    """Return whether an element switches its property on; None where there is none."""
    if element is None:
        return None
    return (attribute(element, "val") or "1").lower() not in _OFF
