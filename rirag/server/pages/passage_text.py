"""The text of a passage as HTML: lines, labelled items, tables, with words marked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby, pairwise

from markupsafe import Markup

from rirag.reports.marking import Span, merged

_TABLE = re.compile(
    r"^[ \t]*[\\/]Table Start[^\n]*\n(?P<rows>.*?)^[ \t]*[\\/]Table End[^\n]*\n?", re.M | re.S
)
_FIGURE = re.compile(r"^[ \t]*[\\/](?:Figure) (?:Start|End)[^\n]*$", re.M)
_LABEL = re.compile(r"[ \t]*(?:\(?[0-9]{1,3}[.)]|\(?[a-zA-Z]{1,4}\)|[-–—•])[ \t]+")
ROW = re.compile(r"[ \t]*\|.*\|")
"""A row of a table that is drawn with bars, as Markdown has them."""

_BELOW_HEAD = re.compile(r"[-: \t]+")
_FORMAT = dict.fromkeys((0x200B, 0x200E, 0x200F, 0xFEFF, *range(0x202A, 0x202F)), None)
MOST_LEVEL = 4


@dataclass(frozen=True, slots=True)
class _Table:
    rows: tuple[tuple[Span, ...], ...]


@dataclass(frozen=True, slots=True)
class Anchor:
    """A stretch of text that leads somewhere."""

    start: int
    end: int
    address: str
    title: str
    is_term: bool = False


def passage_html(
    text: str,
    marks: Sequence[Span] = (),
    css_class: str = "",
    anchors: Sequence[Anchor] = (),
) -> Markup:
    """Return a passage as HTML.

    Args:
        text: of the passage.
        marks: the stretches to mark; their places are those of `text`.
        css_class: of the marks.
        anchors: the stretches that become links; where they overlap, the first one counts.
    """
    shown = _Shown(text, merged(marks), css_class, tuple(_apart(anchors)))
    pieces = [
        shown.table(piece) if isinstance(piece, _Table) else shown.line(piece)
        for piece in _pieces(text)
    ]
    return Markup("\n".join(pieces))  # noqa: S704 - each piece is escaped


def _apart(anchors: Sequence[Anchor]) -> Iterator[Anchor]:
    end = 0
    for one in sorted(anchors, key=lambda one: (one.start, -one.end)):
        if one.start >= end:
            yield one
            end = one.end


def _pieces(text: str) -> Iterator[Span | _Table]:
    start = 0
    for match in _TABLE.finditer(text):
        yield from _lines_and_tables(text, start, match.start())
        yield _Table(tuple(_rows(text, match.start("rows"), match.end("rows"))))
        start = match.end()
    yield from _lines_and_tables(text, start, len(text))


def _lines_and_tables(text: str, start: int, end: int) -> Iterator[Span | _Table]:
    lines = _lines(text, start, end)
    for is_table, rows in groupby(lines, lambda line: bool(ROW.match(text, *line))):
        if is_table:
            yield _Table(tuple(filter(None, (bar_cells(text, *row) for row in rows))))
        else:
            yield from rows


def bar_cells(text: str, start: int, end: int) -> tuple[Span, ...]:
    """Return the cells of a row that is drawn with bars; none of the line below the head."""
    bars = [at for at in range(start, end) if text[at] == "|"]
    cells = [(left + 1, right) for left, right in pairwise(bars)]
    if _BELOW_HEAD.fullmatch("".join(text[at:to] for at, to in cells)):
        return ()
    return tuple(_stripped(text, *cell) for cell in cells)


def _stripped(text: str, start: int, end: int) -> Span:
    inner = text[start:end].strip()
    begins = text.index(inner, start) if inner else start
    return begins, begins + len(inner)


def _lines(text: str, start: int, end: int) -> Iterator[Span]:
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        if text[start:stop].strip() and not _FIGURE.match(text, start, stop):
            yield start, stop
        start = stop + 1


def _rows(text: str, start: int, end: int) -> Iterator[tuple[Span, ...]]:
    """Yield the cells of each row; a line without a tab continues the row before it."""
    row: list[Span] = []
    for line_start, line_end in _lines(text, start, end):
        cells = []
        at = line_start
        for cell in text[line_start:line_end].split("\t"):
            cells.append((at, at + len(cell)))
            at += len(cell) + 1
        if row and len(cells) == 1 and len(row) > 1:
            row[-1] = row[-1][0], cells[0][1]
            continue
        if row:
            yield tuple(row)
        row = cells
    if row:
        yield tuple(row)


@dataclass(frozen=True, slots=True)
class _Shown:
    """A text with what is marked and linked in it; every method returns HTML."""

    text: str
    marks: Sequence[Span]
    css_class: str
    anchors: Sequence[Anchor]

    def line(self, span: Span) -> str:
        """Return a line; one that begins with a label hangs from it."""
        start, end = span
        label = _LABEL.match(self.text, start, end)
        if label is None:
            return f'<p class="line" dir="auto">{self.stretch(start, end)}</p>'
        indent = len(label[0]) - len(label[0].lstrip())
        return (
            f'<p class="line item level-{min(indent // 2, MOST_LEVEL)}" dir="auto">'
            f'<span class="label" dir="auto">{self.stretch(start + indent, label.end())}</span>'
            f'<span class="said">{self.stretch(label.end(), end)}</span></p>'
        )

    def table(self, table: _Table) -> str:
        """Return a table whose first row is its head."""
        if not table.rows:
            return ""
        width = max(len(row) for row in table.rows)
        head, *body = table.rows
        rows = "\n".join(f"<tr>{self._cells(row, width, 'td')}</tr>" for row in body)
        return (
            '<div class="table" tabindex="0" role="group"><table dir="auto">'
            f"<thead><tr>{self._cells(head, width, 'th')}</tr></thead>"
            f"<tbody>{rows}</tbody></table></div>"
        )

    def _cells(self, row: Sequence[Span], width: int, tag: str) -> str:
        filled = [*row, *[(0, 0)] * (width - len(row))]
        return "".join(f"<{tag}>{self.stretch(start, end)}</{tag}>" for start, end in filled)

    def stretch(self, start: int, end: int) -> str:
        """Return a stretch of the text, escaped, with its links and marks."""
        made: list[str] = []
        for one in self.anchors:
            if one.end <= start or one.start >= end:
                continue
            inner_start, inner_end = max(one.start, start), min(one.end, end)
            css_class = ' class="term"' if one.is_term else ""
            made += (
                self._marked(start, inner_start),
                f'<a href="{escape(one.address)}" title="{escape(one.title)}"{css_class}>',
                self._marked(inner_start, inner_end),
                "</a>",
            )
            start = inner_end
        return "".join((*made, self._marked(start, end)))

    def _marked(self, start: int, end: int) -> str:
        opened = f'<mark class="{escape(self.css_class)}">' if self.css_class else "<mark>"
        made: list[str] = []
        for mark_start, mark_end in self.marks:
            if mark_end <= start or mark_start >= end:
                continue
            inner_start, inner_end = max(mark_start, start), min(mark_end, end)
            made += (_plain(self.text[start:inner_start]), opened)
            made += (_plain(self.text[inner_start:inner_end]), "</mark>")
            start = inner_end
        return "".join((*made, _plain(self.text[start:end])))


def marked(text: str, marks: Sequence[Span], *, before: bool, after: bool) -> Markup:
    """Return a piece of a text on one line with words marked, and dots where text is left out."""
    shown = _Shown(text, merged(marks), "word", ()).stretch(0, len(text))
    return Markup("{}{}{}").format("… " if before else "", Markup(shown), " …" if after else "")  # noqa: S704 - escaped


def _plain(text: str) -> str:
    """Return text escaped, without marks that would turn the direction of what follows."""
    return escape(text.translate(_FORMAT))
