"""From the elements of a page to its lines: headings, paragraphs, lists and tables in order.

Lists are points: numbered as browsers number them, nested as they nest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from indexer.readers.dom import has_blocks, is_block, rows_of, visible_text
from indexer.readers.html.page import PageParts, date_of
from indexer.readers.html.text import (
    AROUND,
    AROUND_TEXT,
    LINE_BREAK,
    MENU,
    InlineRun,
    PageText,
    texts_around,
)
from indexer.readers.xml.parsing import local_name
from indexer.structuring.acts.clause import home_of_text
from indexer.structuring.acts.provisions import Act, Provision
from indexer.structuring.labels.numbers import (
    Number,
    is_number,
    line_number,
    list_label,
    titles_attachment,
)
from indexer.structuring.lines.line_breaks import numbered_lines
from indexer.structuring.pages.line import Line, plain
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

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
PARAGRAPHS = frozenset({"center", "div", "p"})
"""Elements in which the title of a schedule may be that is not a heading of the page."""
_TOP = frozenset({"#", "#top"})
_CELL_WORDS, _SHORT_CELL_WORDS = 60, 30
"""A cell with more words in several paragraphs is not a cell of a table of data, and the same for
one cell of a table without headings that is most of its page."""


class PageWalk:
    """Reads the elements of a page from top to bottom."""

    def __init__(self, act: Act, parts: PageParts, text: PageText) -> None:
        self._act = act
        self._parts = parts
        self._text = text

    def lines(self, body: _Element) -> Iterator[Line]:
        """Yield the lines of the page."""
        yield from self._fill(body)

    def _fill(self, element: _Element) -> Iterator[Line]:
        run = InlineRun(element.text)
        for child in element:
            if is_block(child) or has_blocks(child) or local_name(child) in AROUND:
                yield from self._paragraph(run, element)
                yield from self._block(child)
                run = InlineRun(child.tail)
            else:
                run.add(self._text.inline(child), child.tail)
        yield from self._paragraph(run, element)

    def _paragraph(self, run: InlineRun, element: _Element) -> Iterator[Line]:
        """Yield one paragraph, or several numbers that line breaks alone part."""
        marked = run.marked
        for line in numbered_lines(run.text.split(LINE_BREAK)):
            if line.strip():
                yield Line(line, marked=marked, place=element.sourceline or 0)
                marked = False

    def _block(self, element: _Element) -> Iterator[Line]:
        """Yield one block, or leave it out where it is around the text."""
        name, main = local_name(element), self._parts.main
        if main is not None and element is not main and main not in element.iterancestors():
            if element in self._parts.above_main:
                yield from self._fill(element)
            else:
                own, links = texts_around(element)
                self._act.leave_out(own, AROUND_TEXT, lost=True)
                self._act.leave_out(links, MENU)
            return
        if self._text.left_out(element):
            return
        if name in {"table", *LISTS, "dl"}:
            yield from self._listed(element, name)
        elif name in HEADINGS:
            text = plain(self._text.inline(element))
            yield Line(text, HEADINGS.index(name) + 1, place=element.sourceline or 0)
        elif name == "pre":
            yield from (Line(line) for line in "".join(element.itertext()).splitlines())
        elif _leads_to_top(element):
            yield Line(visible_text(element), menu=True)
        elif self._text.is_note(element):
            yield Line(plain(self._text.inline(element)), note=True)
        elif name in PARAGRAPHS and _titles_attachment(element):
            yield Line(plain(self._text.inline(element)), attachment=True)
        else:
            yield from self._fill(element)

    def _listed(self, element: _Element, name: str) -> Iterator[Line]:
        """Yield a list or a table; one of links is a menu or a table of contents."""
        if self._parts.is_links(element):
            yield Line(visible_text(element), menu=True)
        elif name in LISTS and self._parts.is_menu(element):
            dates = filter(None, (date_of(visible_text(item)) for item in element))
            yield Line(visible_text(element), menu=True, date=next(dates, ""))
        elif name in LISTS and any(map(self._text.is_note, element)):
            yield from (Line(plain(self._text.inline(item)), note=True) for item in element)
        elif name == "table":
            yield from self._table(element)
        elif name == "dl":
            yield from self._terms(element)
        elif _is_frame(element):
            for item in element:
                yield from self._fill(item)
        else:
            marked = Provision("frame")
            self._add_list(element, marked)
            yield from (Line(block=item) for item in marked.parts)

    def _add_list(self, element: _Element, target: Provision) -> None:
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
                    self._add_list(entry, target if last is None else last)
                continue
            place = _number(entry.get("value"), place)
            label = list_label(kind, place) if ordered else "•"
            number = f".{label}" if label[0] == "(" else f".{place}"
            item = Provision("point", number if ordered else "", label=label)
            self._fill_item(entry, item)
            if item.label != label:
                item.number = f".{_joined(item.label)}"
            elif typed:
                above = last if last is not None and any(last.children()) else target
                above.parts += item.parts
                continue
            target.parts.append(item)
            last = item
            place += 1

    def _fill_item(self, element: _Element, item: Provision) -> None:
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
                self._add_list(child, item)
            elif name == "table":
                flush()
                if text := table_text(self._text.rows(child)):
                    item.parts.append(text)
            elif is_block(child) or has_blocks(child):
                flush()
                self._fill_item(child, item)
            else:
                run.append(self._text.inline(child))
            run.append(child.tail or "")
        flush()

    def _terms(self, element: _Element) -> Iterator[Line]:
        term = ""
        for entry in element.iter("dt", "dd"):
            text = plain(self._text.inline(entry))
            if local_name(entry) == "dt":
                term = f"{term} {text}".strip()
            else:
                yield Line(term=(term, text))
                term = ""
        if term:
            yield Line(term=(term, ""))

    def _table(self, element: _Element) -> Iterator[Line]:
        rows = rows_of(element)
        if rows and all(len(row) == 2 and is_number(visible_text(row[0])) for row in rows):
            for label, content in rows:
                yield Line(visible_text(label), label=True)
                yield from self._fill(content)
        elif self._is_layout(element, rows):
            for caption in element.iter("caption"):
                yield from self._fill(caption)
            for row in rows:
                for cell in row:
                    if not self._text.left_out(cell):
                        yield from self._fill(cell)
        elif text := table_text(self._text.rows(element)):
            yield Line(block=text)

    def _is_layout(self, table: _Element, rows: list[list[_Element]]) -> bool:
        """Return whether a table only sets the page: its cells hold the text of the document."""
        if table.get("role") == "presentation" or (len(rows) == 1 and len(rows[0]) == 1):
            return True
        if next(table.iter(*HEADINGS), None) is not None:
            return True
        if self._parts.is_most(table) and not _looks_like_data(rows):
            return True
        inner = next(table.iterdescendants("table"), None)
        return inner is not None or any(_holds_text(cell) for row in rows for cell in row)


def _looks_like_data(rows: list[list[_Element]]) -> bool:
    """Return whether a table has headings, or as many cells in each row, and none is long."""
    marked = any(local_name(cell) == "th" for row in rows for cell in row)
    if len(rows) < 2 or not (marked or len({len(row) for row in rows}) == 1 < len(rows[0])):
        return False
    longest = max(len(visible_text(cell).split()) for row in rows for cell in row)
    return longest <= (_CELL_WORDS if marked else _SHORT_CELL_WORDS)


def _holds_text(cell: _Element) -> bool:
    """Return whether a cell holds several numbered paragraphs, as text does and data do not."""
    paragraphs = [visible_text(p) for p in cell.iter("p", "div") if not has_blocks(p)]
    numbered = sum(line_number(text) is not None for text in paragraphs)
    return numbered > 1 and sum(len(text.split()) for text in paragraphs) > _CELL_WORDS


def _leads_to_top(element: _Element) -> bool:
    """Return whether all that a block says is a link to the top of the page."""
    links = [link for link in element.iter("a") if link.get("href") in _TOP]
    text = visible_text(element) if links else ""
    return bool(text) and text == " ".join(map(visible_text, links))


def _titles_attachment(element: _Element) -> bool:
    """Return whether a paragraph is the title of a schedule, and no link to one."""
    if has_blocks(element) or not titles_attachment(text := visible_text(element)):
        return False
    return all(visible_text(link) != text for link in element.iter("a") if link.get("href"))


def _styled(element: _Element) -> str:
    """Return the `type` of a list whose style says how it counts: `upper-alpha` is `A`."""
    found = _STYLE.search(element.get("style") or "")
    return _TYPES.get(found[1].lower(), "1") if found else "1"


def _typed_number(text: str) -> Number | None:
    found = line_number(text)
    return found if found is not None and found.shape in {"item", "integer"} else None


def _is_frame(element: _Element) -> bool:
    """Return whether a list only sets the page: its items hold headings, or numbers of rules."""
    items = [visible_text(entry) for entry in element if local_name(entry) == "li"]
    numbers = [found for text in items if (found := line_number(text)) and found.shape == "whole"]
    return next(element.iter(*HEADINGS), None) is not None or 2 * len(numbers) > len(items)


def _has_typed_numbers(element: _Element) -> bool:
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
