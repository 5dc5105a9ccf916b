"""The text of a passage as HTML: lines, labelled items, tables, with words marked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from rirag.server.marking import Span, merged

_TABLE = re.compile(
    r"^[ \t]*[\\/]Table Start[^\n]*\n(?P<rows>.*?)^[ \t]*[\\/]Table End[^\n]*\n?", re.M | re.S
)
_FIGURE = re.compile(r"^[ \t]*[\\/](?:Figure) (?:Start|End)[^\n]*$", re.M)
_LABEL = re.compile(r"[ \t]*(?:\(?[0-9]{1,3}[.)]|\(?[a-zA-Z]{1,4}\)|[-–—•])[ \t]+")
_FORMAT = dict.fromkeys((0x200B, 0x200E, 0x200F, 0xFEFF, *range(0x202A, 0x202F)), None)
_HEAD, _CELL = Markup("<th>{}</th>"), Markup("<td>{}</td>")
_ITEM = Markup(
    '<p class="line item level-{}"><span class="label">{}</span><span class="said">{}</span></p>'
)
MOST_LEVEL = 4


@dataclass(frozen=True, slots=True)
class _Table:
    rows: tuple[tuple[Span, ...], ...]


def passage_html(text: str, marks: Sequence[Span] = (), css_class: str = "") -> Markup:
    """Return a passage as HTML.

    Args:
        text: of the passage.
        marks: the stretches to mark; their places are those of `text`.
        css_class: of the marks.
    """
    spans = merged(marks)
    pieces = [
        _table(text, piece, spans, css_class)
        if isinstance(piece, _Table)
        else _line(text, piece, spans, css_class)
        for piece in _pieces(text)
    ]
    return Markup("\n").join(pieces)


def _pieces(text: str) -> Iterator[Span | _Table]:
    start = 0
    for match in _TABLE.finditer(text):
        yield from _lines(text, start, match.start())
        yield _Table(tuple(_rows(text, match.start("rows"), match.end("rows"))))
        start = match.end()
    yield from _lines(text, start, len(text))


def _lines(text: str, start: int, end: int) -> Iterator[Span]:
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        if text[start:stop].strip() and not _FIGURE.match(text, start, stop):
            yield start, stop
        start = stop + 1


def _rows(text: str, start: int, end: int) -> Iterator[tuple[Span, ...]]:
    """Yield the cells of each row; a line without a tab goes on with the row before it."""
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


def _line(text: str, span: Span, marks: Sequence[Span], css_class: str) -> Markup:
    start, end = span
    label = _LABEL.match(text, start, end)
    if label is None:
        return Markup('<p class="line">{}</p>').format(marked(text, start, end, marks, css_class))
    indent = len(text[start:end]) - len(text[start:end].lstrip())
    level = min(indent // 2, MOST_LEVEL)
    return _ITEM.format(
        level,
        marked(text, start + indent, label.end(), marks, css_class),
        marked(text, label.end(), end, marks, css_class),
    )


def _table(text: str, table: _Table, marks: Sequence[Span], css_class: str) -> Markup:
    width = max(len(row) for row in table.rows) if table.rows else 0

    def cells(row: Sequence[Span], cell: Markup) -> Markup:
        filled = [*row, *[(0, 0)] * (width - len(row))]
        return Markup("").join(
            cell.format(marked(text, start, end, marks, css_class)) for start, end in filled
        )

    if not table.rows:
        return Markup("")
    head, *body = table.rows
    rows = Markup("\n").join(Markup("<tr>{}</tr>").format(cells(row, _CELL)) for row in body)
    return Markup(
        '<div class="table" tabindex="0" role="group"><table><thead><tr>{}</tr></thead>'
        "<tbody>{}</tbody></table></div>"
    ).format(cells(head, _HEAD), rows)


def marked(text: str, start: int, end: int, marks: Sequence[Span], css_class: str = "") -> Markup:
    """Return a stretch of text, escaped, with what is to be marked in it marked."""
    kind = Markup(' class="{}"').format(css_class) if css_class else Markup("")
    made = Markup("")
    for mark_start, mark_end in marks:
        if mark_end <= start or mark_start >= end:
            continue
        inner_start, inner_end = max(mark_start, start), min(mark_end, end)
        made += _plain(text[start:inner_start])
        made += Markup("<mark{}>{}</mark>").format(kind, _plain(text[inner_start:inner_end]))
        start = inner_end
    return made + _plain(text[start:end])


def _plain(text: str) -> Markup:
    """Return text escaped, without marks that would turn the direction of what follows."""
    return escape(text.translate(_FORMAT))
