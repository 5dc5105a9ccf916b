"""What of a file is the page: decided by where its words are, not by names alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from indexer.readers.dom import INVISIBLE, classes, visible_text
from indexer.readers.xml.parsing import local_name
from indexer.structuring.acts.eu_titles import iso_date

if TYPE_CHECKING:
    from lxml.etree import _Element

_CONTROLS = frozenset({"a", "button", "option", "select", "label", "textarea"})
"""Elements whose words lead elsewhere or ask for something."""
_MOST_AROUND = 0.25
"""A form that holds more of the page's words than this does not are around them."""
_NEVER_PAGE = frozenset({"button", "menu", "nav", "select"})
_LEAST_MAIN = 0.5
"""The main part of a page holds at least this share of its words."""
_LEAST_FORM = 0.75
"""A form that holds more of the page's words than this is its main part: the site is around it."""
_FEWEST_LINKS = 4
_MOST_PLAIN = 0.12
"""Share of words outside links below which a list or table of links is a menu or contents."""
_DATE = re.compile(r"(\d{1,2})[/.](\d{1,2})[/.](\d{4})")
_CLASS = re.compile(r"\.([\w-]+)")


class PageParts:
    """The words of each element of a page, counted once."""

    def __init__(self, root: _Element, body: _Element) -> None:
        self._own: dict[_Element, int] = {}
        self._all: dict[_Element, int] = {}
        self._links: dict[_Element, int] = {}
        self._count(body)
        self._total = self._own.get(body, 0)
        self.main = self._find_main(body)
        self.above_main = frozenset(self.main.iterancestors()) if self.main is not None else ()
        rules = (rule for s in root.iter("style") for rule in (s.text or "").split("}"))
        struck = (r.partition("{")[0] for r in rules if "line-through" in r.lower())
        self.struck = frozenset(name for selector in struck for name in _CLASS.findall(selector))
        """Classes whose text the page strikes through."""

    def is_page(self, element: _Element) -> bool:
        """Return whether an element holds so much that it is the page, whatever it is called."""
        name = local_name(element)
        if name in _NEVER_PAGE:
            return False
        share = _MOST_AROUND if name == "form" else _LEAST_MAIN
        return self._own.get(element, 0) > share * self._total

    def is_most(self, element: _Element) -> bool:
        """Return whether an element holds most words of the page."""
        return self._own.get(element, 0) > _LEAST_MAIN * self._total

    def is_links(self, element: _Element) -> bool:
        """Return whether an element holds hardly more than links."""
        words = self._all.get(element, 0)
        return (
            self._links.get(element, 0) >= _FEWEST_LINKS
            and self._own.get(element, 0) <= _MOST_PLAIN * words
        )

    def is_menu(self, element: _Element) -> bool:
        """Return whether each item of a list is a link or a date, nothing else."""
        items = [e for e in element if local_name(e) == "li"]
        return bool(items) and all(
            (self._links.get(e, 0) and not self._own.get(e, 0)) or date_of(visible_text(e))
            for e in items
        )

    def _find_main(self, body: _Element) -> _Element | None:
        """Return the innermost element for the main part that holds most words, or such a form."""
        found = [e for e in body.iter("main", "article") if self.is_most(e)]
        if found:
            return found[-1]
        least = _LEAST_FORM * self._total
        return next((e for e in body.iter("form") if self._own.get(e, 0) > least), None)

    def _count(self, body: _Element) -> None:
        """Count words from the leaves to the root; takes no recursion."""
        for element in reversed(list(body.iter())):
            name = local_name(element)
            if not name or name in INVISIBLE:
                continue
            everything = _words(element.text)
            own, links = everything, int(name == "a" and element.get("href") is not None)
            for child in element:
                tail = _words(child.tail)
                everything += self._all.get(child, 0) + tail
                own += self._own.get(child, 0) + tail
                links += self._links.get(child, 0)
            self._all[element], self._links[element] = everything, links
            self._own[element] = 0 if is_control(element) else own


def date_of(text: str) -> str:
    """Return the ISO form of a text that is a date such as `31/12/2020`, or ""."""
    found = _DATE.fullmatch(text.strip())
    return iso_date(".".join(found.groups())) if found else ""


def is_control(element: _Element) -> bool:
    """Return whether the words of an element lead elsewhere or ask for something."""
    name = local_name(element)
    return name in _CONTROLS and (name != "a" or element.get("href") is not None)


def is_struck(element: _Element, struck: frozenset[str]) -> bool:
    """Return whether the text of an element is struck through."""
    if local_name(element) in {"s", "strike", "del"}:
        return True
    return "line-through" in (element.get("style") or "").lower() or not struck.isdisjoint(
        classes(element)
    )


def _words(text: str | None) -> int:
    return len(text.split()) if text else 0
