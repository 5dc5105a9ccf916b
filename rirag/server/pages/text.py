"""The texts of passages and answers as blocks that `text.html` draws: lines, items, tables.

Both are laid out alike; a passage has marks and links in it, an answer citations and verdicts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup, escape

from generation.text.markup import MARKDOWN_RULE
from rirag.reports.marking import marked_pieces
from search.text.spans import Span

_FRAMED = re.compile(
    r"^[ \t]*[\\/]Table Start[^\n]*\n(?P<rows>.*?)^[ \t]*[\\/]Table End[^\n]*\n?", re.M | re.S
)
_FIGURE = re.compile(r"^[ \t]*[\\/](?:Figure) (?:Start|End)[^\n]*$", re.M)
_LABEL = re.compile(r"[ \t]*(?P<label>\(?[0-9]{1,3}[.)]|\(?[a-zA-Z]{1,4}\)|[-–—*•])[ \t]+")
_ROW = re.compile(r"[ \t]*\|.*\|")
"""A row of a table that is drawn with bars, as Markdown has them."""

_QUOTED_TABLE = re.compile(
    r"“(?=\s*\n[ \t]*(?:\|.*\||[\\/]Table Start))|^([ \t]*\|.*\|)”(?=[^|\n]*$)", re.M
)
"""The marks around a table that is quoted, which would be alone in their lines."""

_INLINE = re.compile(r"\*\*(?P<bold>[^*\n]+)\*\*|\[(?P<number>\d{1,4})\]")
_HEADING = re.compile(r"#{1,6}[ \t]+")
_FORMAT = dict.fromkeys((0x200B, 0x200E, 0x200F, 0xFEFF, *range(0x202A, 0x202F)), None)
MOST_LEVEL = 4


@dataclass(frozen=True, slots=True)
class ShownVerdict:
    """The verdict on a statement, where it ends."""

    end: int
    verdict: str
    name: str
    """Of the verdict, as people read it."""
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Anchor:
    """A stretch of text that leads somewhere."""

    start: int
    end: int
    address: str
    title: str
    is_term: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """A line, an item of a list or a table."""

    said: Markup
    """The line; of a table what follows the last bars of its rows."""
    verdicts: Sequence[ShownVerdict] = ()
    """On the statements that end in it."""
    label: Markup | str = ""
    """Of an item; empty: it is none."""
    level: int = 0
    """Of an item: how far it is indented."""
    rows: Sequence[Sequence[Markup]] | None = None
    """Of a table, all of one length; None: it is none."""
    is_heading: bool = False


class _Layout:
    """A passage that is laid out, with what is marked and linked in it."""

    def __init__(
        self,
        text: str,
        marks: Sequence[Span] = (),
        word_class: str = "",
        anchors: Sequence[Anchor] = (),
    ) -> None:
        self.text = text
        self._marks = marks
        css_class = Markup(' class="{}"').format(word_class) if word_class else ""
        self._marked = Markup("<mark{}>{{}}</mark>").format(css_class)
        self._anchors = tuple(_apart(anchors))

    def blocks(self) -> Iterator[Block]:
        """Yield the lines and tables of the text."""
        start = 0
        for match in _FRAMED.finditer(self.text):
            yield from self._between(start, match.start())
            yield self._table(self._tabbed(*match.span("rows")), match.span())
            start = match.end()
        yield from self._between(start, len(self.text))

    def on_one_line(self) -> Markup:
        """Return the text as what a heading may hold."""
        return Markup(" ").join(self.inline(*one) for one in self._lines(0, len(self.text)))

    def _between(self, start: int, end: int) -> Iterator[Block]:
        lines = self._lines(start, end)
        for is_table, held in groupby(lines, lambda line: bool(_ROW.match(self.text, *line))):
            if is_table:
                yield self._barred(list(held))
            else:
                yield from (self.line(*one) for one in held)

    def _lines(self, start: int, end: int) -> Iterator[Span]:
        for line in self._split(start, end, "\n"):
            if self.text[slice(*line)].strip() and not _FIGURE.match(self.text, *line):
                yield line

    def _barred(self, lines: Sequence[Span]) -> Block:
        rows, after = [], []
        for start, end in lines:
            last = self.text.rindex("|", start, end) + 1
            after.append((last, end))
            cells = [self._stripped(*one) for one in self._split(start, last, "|")[1:-1]]
            if any(a < b for a, b in cells) and not MARKDOWN_RULE.fullmatch(self.text, start, last):
                rows.append(cells)
        return self._table(rows, (lines[0][0], lines[-1][1]), after)

    def _tabbed(self, start: int, end: int) -> list[list[Span]]:
        """Return the cells of each row; a line without a tab continues the row before it."""
        rows: list[list[Span]] = []
        for line in self._lines(start, end):
            cells = self._split(*line, "\t")
            if rows and len(cells) == 1 and len(rows[-1]) > 1:
                rows[-1][-1] = rows[-1][-1][0], cells[0][1]
            else:
                rows.append(cells)
        return rows

    def _split(self, start: int, end: int, between: str) -> list[Span]:
        pieces = []
        for piece in self.text[start:end].split(between):
            pieces.append((start, start + len(piece)))
            start += len(piece) + 1
        return pieces

    def _stripped(self, start: int, end: int) -> Span:
        inner = self.text[start:end].strip()
        begins = self.text.index(inner, start) if inner else start
        return begins, begins + len(inner)

    def _table(
        self, rows: Iterable[Sequence[Span]], span: Span, after: Sequence[Span] = ()
    ) -> Block:
        held = [[self.inline(*cell) for cell in row] for row in rows]
        width = max(map(len, held), default=0)
        filled = [[*row, *[Markup()] * (width - len(row))] for row in held]
        below = Markup().join(self.inline(*one) for one in after)
        return Block(below, self.verdicts(*span), rows=filled)

    def line(self, start: int, end: int) -> Block:
        """Return a line; one that begins with a label is an item."""
        label, verdicts = _LABEL.match(self.text, start, end), self.verdicts(start, end)
        if label is None:
            return Block(self.inline(start, end), verdicts)
        level = min((label.start("label") - start) // 2, MOST_LEVEL)
        shown = self.label(label.start("label"), label.end())
        return Block(self.inline(label.end(), end), verdicts, shown, level)

    def label(self, start: int, end: int) -> Markup:
        """Return the label of an item."""
        return self.inline(start, end)

    def verdicts(self, start: int, end: int) -> Sequence[ShownVerdict]:  # noqa: ARG002
        """Return the verdicts on the statements that end in a stretch of the text."""
        return ()

    def inline(self, start: int, end: int) -> Markup:
        """Return a stretch within a line, escaped, with its links and marks."""
        made = Markup()
        for one in self._anchors:
            if one.end <= start or one.start >= end:
                continue
            css_class = Markup(' class="term"') if one.is_term else ""
            made += self._with_marks(start, max(one.start, start))
            made += Markup('<a href="{}" title="{}"{}>{}</a>').format(
                one.address, one.title, css_class,
                self._with_marks(max(one.start, start), min(one.end, end)),
            )  # fmt: skip
            start = min(one.end, end)
        return made + self._with_marks(start, end)

    def _with_marks(self, start: int, end: int) -> Markup:
        pieces = marked_pieces(self.text, self._marks, start, end)
        return Markup().join(
            self._marked.format(_plain(one)) if is_marked else _plain(one)
            for one, is_marked in pieces
        )


def passage_blocks(
    text: str,
    marks: Sequence[Span] = (),
    word_class: str = "",
    anchors: Sequence[Anchor] = (),
) -> list[Block]:
    """Return the blocks of a passage.

    Args:
        text: of the passage.
        marks: the stretches to mark; their places are those of `text`.
        word_class: of the marks, in CSS.
        anchors: the stretches that become links; where they overlap, the first one counts.
    """
    return list(_Layout(text, marks, word_class, anchors).blocks())


def on_one_line(text: str, marks: Sequence[Span], anchors: Sequence[Anchor] = ()) -> Markup:
    """Return a passage, or a piece of one, as what a heading may hold: no paragraphs."""
    return _Layout(text, marks, "word", anchors).on_one_line()


def _apart(anchors: Sequence[Anchor]) -> Iterator[Anchor]:
    end = 0
    for one in sorted(anchors, key=lambda one: (one.start, -one.end)):
        if one.start >= end:
            yield one
            end = one.end


def _plain(text: str) -> Markup:
    """Return text escaped, without marks that would turn the direction of what follows."""
    return escape(text.translate(_FORMAT))


class _AnswerLayout(_Layout):
    """An answer with its citations and verdicts."""

    def __init__(
        self, text: str, numbers: frozenset[int], verdicts: Sequence[ShownVerdict]
    ) -> None:
        super().__init__(_QUOTED_TABLE.sub(r"\1 ", text))
        self._numbers = numbers
        self._verdicts = verdicts

    def line(self, start: int, end: int) -> Block:
        """Return a line, which may be a heading."""
        if heading := _HEADING.match(self.text, start, end):
            said = self.inline(heading.end(), end)
            return Block(said, self.verdicts(start, end), is_heading=True)
        return super().line(start, end)

    def label(self, start: int, end: int) -> Markup:
        """Return the label of an item; all bullets are alike."""
        label = self.text[start:end].strip()
        return _plain("•" if label in "-*" else label)

    def verdicts(self, start: int, end: int) -> Sequence[ShownVerdict]:
        """Return the verdicts on the statements that end in a stretch of the text."""
        return [one for one in self._verdicts if start < one.end <= end]

    def inline(self, start: int, end: int) -> Markup:
        """Return a stretch with what is bold and cited in it."""
        made = Markup()
        for match in _INLINE.finditer(self.text, start, end):
            made += _plain(self.text[start : match.start()])
            start = match.end()
            if match["bold"]:
                made += Markup("<strong>{}</strong>").format(_plain(match["bold"]))
            elif (number := int(match["number"])) in self._numbers:
                made += Markup('<a class="cite" href="#c{0}">[{0}]</a>').format(number)
            else:
                made += match[0]
        return made + _plain(self.text[start:end])


def answer_blocks(
    text: str, numbers: frozenset[int], verdicts: Sequence[ShownVerdict]
) -> list[Block]:
    """Return the blocks of an answer, which is light Markdown; `numbers` of citations are links."""
    return list(_AnswerLayout(text, numbers, verdicts).blocks())
