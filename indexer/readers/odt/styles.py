"""Styles of an OpenDocument text: what a paragraph or a word looks like, own or inherited."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element

_DEEPEST = 20
"""Styles that inherit from each other which are followed."""


class Styles:
    """The styles of one document."""

    def __init__(self, parts: Iterable[_Element]) -> None:
        self._styles: dict[str, _Element] = {}
        for part in parts:
            for style in part.iter("{*}style"):
                self._styles[value_of(style, "name")] = style

    def is_bold(self, name: str) -> bool:
        """Return whether text of a style is bold."""
        return self._property(name, "font-weight") in {"bold", "600", "700", "800", "900"}

    def is_struck(self, name: str) -> bool:
        """Return whether text of a style has a line through it."""
        return self._property(name, "text-line-through-style") not in {"", "none"}

    def is_hidden(self, name: str) -> bool:
        """Return whether text of a style is hidden."""
        return self._property(name, "display") == "none"

    def is_centred(self, name: str) -> bool:
        """Return whether a paragraph of a style is centred."""
        return self._property(name, "text-align") == "center"

    def indent(self, name: str) -> int:
        """Return the left margin of a style in twentieths of a point."""
        return twips(self._property(name, "margin-left"))

    def list_of(self, name: str) -> str:
        """Return the list style that a paragraph style brings along, or ""."""
        return self._own(name, "list-style-name")

    def _property(self, name: str, wanted: str) -> str:
        """Return a property of a style, of its parents where it has none itself."""
        for style in self._line(name):
            for inner in style:
                if found := value_of(inner, wanted):
                    return found
        return ""

    def _own(self, name: str, wanted: str) -> str:
        for style in self._line(name):
            if found := value_of(style, wanted):
                return found
        return ""

    def _line(self, name: str) -> Iterable[_Element]:
        for _ in range(_DEEPEST):
            style = self._styles.get(name)
            if style is None:
                return
            yield style
            name = value_of(style, "parent-style-name")


def value_of(element: _Element, name: str) -> str:
    """Return an attribute whatever its namespace, or ""."""
    return next((str(v) for key, v in element.items() if key.rpartition("}")[2] == name), "")


def twips(length: str) -> int:
    """Return a length such as `1.27cm` in twentieths of a point; 0 for what is none."""
    units = {"cm": 28.3465, "mm": 2.83465, "in": 72.0, "pt": 1.0}
    try:
        return round(20 * float(length[:-2]) * units.get(length[-2:], 0.0))
    except ValueError:
        return 0
