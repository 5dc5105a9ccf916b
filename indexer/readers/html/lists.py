"""Lists of rulebook pages as points: numbered as browsers number them, nested as they nest."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from indexer.acts.clause import home_of_text
from indexer.acts.provisions import Provision
from indexer.pages.line import plain
from indexer.pages.numbers import Number, line_number, list_label
from indexer.readers.dom import has_blocks, is_block, visible_text
from indexer.readers.html.text import PageText
from indexer.readers.xml.parsing import local_name
from indexer.tables import table_text

if TYPE_CHECKING:
    from lxml.etree import _Element

LISTS = frozenset({"ol", "ul"})
LARGEST_START = 9_999
"""Higher starts and values of lists are not believed."""

_STYLE = re.compile(r"list-style(?:-type)?\s*:\s*([\w-]+)", re.IGNORECASE)
_TYPES = {
    "upper-alpha": "A", "upper-latin": "A", "lower-alpha": "a", "lower-latin": "a",
    "upper-roman": "I", "lower-roman": "i",
}  # fmt: skip
"""How styles call what `type` of a list names."""


class HtmlLists:
    """Makes points of the lists of a page."""

    def __init__(self, text: PageText) -> None:
        self._text = text

    def add(self, element: _Element, target: Provision) -> None:
        """Add an ordered or bulleted list; its items are as deep as the page nests them.

        A list between two items is that of the first. Where items have typed numbers, one without
        is text that goes on behind the list above it.
        """
        ordered = local_name(element) == "ol"
        kind = element.get("type") or _styled(element)
        place = _number(element.get("start"), 1)
        typed = ordered and _has_typed_numbers(element)
        last: Provision | None = None
        for entry in element:
            if local_name(entry) != "li":
                if local_name(entry) in LISTS:
                    self.add(entry, target if last is None else last)
                continue
            place = _number(entry.get("value"), place)
            label = list_label(kind, place) if ordered else "•"
            number = f".{label}" if label[0] == "(" else f".{place}"
            item = Provision("point", number if ordered else "", label=label)
            self._entry(entry, item)
            if item.label != label:
                item.number = f".{_joined(item.label)}"
            elif typed:
                above = last if last is not None and any(last.children()) else target
                above.parts += item.parts
                continue
            target.parts.append(item)
            last = item
            place += 1

    def _entry(self, element: _Element, item: Provision) -> None:
        """Fill an item of a list; a number typed at its beginning is its own."""
        run = [element.text or ""]

        def flush() -> None:
            text = plain("".join(run))
            run.clear()
            typed = _typed_number(text) if not item.parts else None
            if typed is not None:
                item.label, text = typed.label, typed.text
            if text:
                home_of_text(item).parts.append(text)

        for child in element:
            name = local_name(child)
            if self._text.left_out(child):
                pass
            elif name in LISTS:
                flush()
                self.add(child, item)
            elif name == "table":
                flush()
                if text := table_text(self._text.rows(child)):
                    item.parts.append(text)
            elif is_block(child) or has_blocks(child):
                flush()
                self._entry(child, item)
            else:
                run.append(self._text.inline(child))
            run.append(child.tail or "")
        flush()


def _styled(element: _Element) -> str:
    """Return the `type` of a list whose style says how it counts: `upper-alpha` is `A`."""
    found = _STYLE.search(element.get("style") or "")
    return _TYPES.get(found[1].lower(), "1") if found else "1"


def _typed_number(text: str) -> Number | None:
    found = line_number(text)
    return found if found is not None and found.shape in {"item", "integer"} else None


def _has_typed_numbers(element: _Element) -> bool:
    """Return whether most items of a list begin with a number that is typed."""
    items = [entry for entry in element if local_name(entry) == "li"]
    return 2 * sum(_typed_number(visible_text(one)) is not None for one in items) > len(items)


def _joined(label: str) -> str:
    """Return a typed label as it follows a number: `3` of `3.`, `(a)` of `a)`."""
    bare = label.strip("().")
    return bare if bare.isdigit() and "(" not in label else f"({bare})"


def _number(text: str | None, default: int) -> int:
    try:
        return min(max(int(text or ""), 0), LARGEST_START)
    except ValueError:
        return default
