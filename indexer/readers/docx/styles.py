"""Paragraph and character styles: what a paragraph inherits along `basedOn`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from indexer.readers.docx.markup import attribute, child, number_of, switch, value_of
from indexer.readers.xml.parsing import local_name

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

T = TypeVar("T")

DEEPEST = 50
"""Styles that are followed along `basedOn`; Word itself stops long before."""

_HEADING = "heading "

WORDS_SIZE = 20
"""Half-points of letters for which a document gives no size."""


@dataclass(frozen=True, slots=True)
class Style:
    """One style as `styles.xml` defines it, without what it inherits."""

    id: str
    name: str
    based_on: str | None
    paragraph: Element | None
    run: Element | None
    table: Element | None


class Styles:
    """The styles of one document."""

    def __init__(self, root: Element | None = None) -> None:
        """Read `styles.xml`; None for a document without one."""
        self._styles: dict[str, Style] = {}
        self.default_paragraph: str | None = None
        for element in root if root is not None else ():
            if local_name(element) == "style":
                style = Style(
                    id=attribute(element, "styleId") or "",
                    name=(value_of(element, "name") or "").lower(),
                    based_on=value_of(element, "basedOn"),
                    paragraph=child(element, "pPr"),
                    run=child(element, "rPr"),
                    table=child(element, "tblPr"),
                )
                self._styles[style.id] = style
                default = attribute(element, "default") in ("1", "true")
                if default and attribute(element, "type") == "paragraph":
                    self.default_paragraph = style.id
        defaults = child(root, "docDefaults", "rPrDefault", "rPr")
        self._usual = number_of(value_of(defaults, "sz"), WORDS_SIZE)
        self._switches: dict[tuple[str | None, str], bool | None] = {}

    def chain(self, style_id: str | None) -> Iterator[Style]:
        """Yield a style and those it is based on, nearest first."""
        seen: set[str] = set()
        while style_id in self._styles and style_id not in seen and len(seen) < DEEPEST:
            seen.add(style_id)
            yield self._styles[style_id]
            style_id = self._styles[style_id].based_on

    def name(self, style_id: str | None) -> str:
        """Return the name of a style in lower case; "" for one that is not defined."""
        style = self._styles.get(style_id or "")
        return style.name if style else ""

    def run_switch(self, style_id: str | None, key: str) -> bool | None:
        """Return whether a style turns a run property on; None where it does not say."""
        found = self._switches.get((style_id, key), ...)
        if found is ...:
            found = self._nearest(style_id, lambda style: switch(style.run, key))
            self._switches[style_id, key] = found
        return found

    def _nearest(self, style_id: str | None, get: Callable[[Style], T | None]) -> T | None:
        found = map(get, self.chain(style_id))
        return next((value for value in found if value is not None), None)

    def size(self, style_id: str | None) -> int:
        """Return the size of the letters of a style in half-points."""
        return number_of(self._nearest(style_id, lambda one: value_of(one.run, "sz")), self._usual)

    def paragraph_value(self, style_id: str | None, *path: str) -> str | None:
        """Return the nearest value of a paragraph property."""
        return self._nearest(style_id, lambda style: value_of(style.paragraph, *path))

    def table_borders(self, style_id: str | None) -> Element | None:
        """Return the borders that a table style draws, or None."""
        return self._nearest(style_id, lambda style: child(style.table, "tblBorders"))

    def indent(self, style_id: str | None) -> int | None:
        """Return the left indent of a style in twentieths of a point, or None."""
        return self._nearest(style_id, lambda style: left_indent(style.paragraph))

    def heading_level(self, style_id: str | None) -> int | None:
        """Return the heading level (0 to 8) that a style's name or its base's gives, or None."""
        for style in self.chain(style_id):
            level = style.name.removeprefix(_HEADING)
            if style.name.startswith(_HEADING) and level.isdigit() and 1 <= int(level) <= 9:
                return int(level) - 1
        return None


def left_indent(properties: Element | None) -> int | None:
    """Return the left indent that paragraph properties name, in twentieths of a point."""
    indent = child(properties, "ind")
    left = attribute(indent, "left") or attribute(indent, "start")
    return None if left is None else number_of(left)
