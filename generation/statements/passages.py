"""Takes the text of a passage apart into statements, keeping lists with what introduces them.

A statement is a sentence, or a list: its introductory clause, its items at any depth, and the
clause that closes it; a table belongs to the statement before it. Each piece is a stretch of the
passage's text with white space folded, and the pieces of a statement follow one another without a
gap, so that a quote of neighbouring pieces is a quote of the source. Only before the rows of a
table is the mark of the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, groupby, pairwise

from generation.statements.conditions import leans_back, takes_back
from generation.statements.markers import (
    Marker,
    Style,
    find_marker,
    has_verb,
    reads_as_heading,
    without_inline_heading,
)
from generation.statements.tables import Piece, Row, record_of, rows_of
from generation.text.markup import is_mark
from generation.text.sentences import split_sentences
from search.text.analyzer import FUNCTION_WORDS

_OPEN_END = (":", "—", "–", ",", ";", "-")
_OPENING = "([“‘\"'"
_CLOSED_END = re.compile(r"[.;,:—–]$|[.;,]\s*(?:and|or)$", re.IGNORECASE)

NARROWEST, WIDEST = 50, 120
"""Characters of the longest line of a text that may have been broken to fit a page."""

_CLOSED = re.compile(r"[.!?:;—–|][\"'”’)\]]*$|[;,]\s*(?:and|or)$")
_CLOSES_ITEM = (";", "; and", "; or")
_LAST_WORD = re.compile(r"(\w+)$")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence or a list."""

    pieces: tuple[Piece, ...]
    heading: bool = False
    """True for a title: it states nothing."""

    @property
    def text(self) -> str:
        """The whole statement."""
        return " ".join(piece.text for piece in self.pieces)

    @property
    def stretches(self) -> tuple[str, ...]:
        """The same as stretches of the passage: between them is the mark of a table."""
        return stretches_of(self.pieces)


def stretches_of(pieces: Iterable[Piece]) -> tuple[str, ...]:
    """Return the words of neighbouring pieces: before a table, and in its rows."""
    parts = groupby(pieces, key=lambda piece: piece.role == "row")
    return tuple(" ".join(piece.text for piece in part) for _, part in parts)


def announces(text: str) -> bool:
    """Return whether what follows is a list, here or in passages of their own."""
    return text.endswith((":", "—"))


def _runs_on(text: str) -> bool:
    last = text.rsplit(" ", 1)[-1]
    titled = reads_as_heading(text) and find_marker(text) is None
    return last.isalpha() and last.islower() and not titled


def fold(text: str) -> str:
    """Return a text with every run of white space as one blank."""
    return " ".join(text.split())


@lru_cache(maxsize=64)  # those of an answer are quoted, verified and counted
def statements_of(text: str) -> tuple[Statement, ...]:
    """Return the statements of a passage, in order."""
    parser, lines = _Parser(), text.splitlines()
    if record := record_of(lines):
        return (Statement((record,)),)
    rows, broken = rows_of(lines), _broken_lines(lines)
    for place, line in enumerate(lines):
        if place in rows:
            parser.add_row(rows[place])
        elif is_mark(line):
            # A table belongs to what is open; its end, and a figure, part what is around them.
            if place + 1 not in rows:
                parser.close()
        elif line.strip():
            parser.feed(line, place in broken)
    parser.close()
    return tuple(parser.statements)


class _Parser:
    """Reads lines; the last sentence read stays open, for a list may follow it."""

    def __init__(self) -> None:
        self.statements: list[Statement] = []
        self._pieces: list[Piece] = []
        self._opens_line = True
        """Whether the open statement is the first of its line, as titles are."""
        self._lead_style: Style | None = None
        self._levels: list[tuple[Style, int, str]] = []
        """Open levels of the list: style, index of the last item, value of its marker."""
        self._introduction = 0
        """Index of what introduces the list."""
        self._above: int | None = None
        """Index of what introduces the rows of a table, while one is open."""

    def feed(self, line: str, broken: bool = False) -> None:
        """Read a line; `broken` tells that it continues the one before whatever it begins with."""
        if self._is_table_open():
            self.close()
        marker = find_marker(line)
        if marker is None or (marker.doubtful and not self._awaits(marker)):
            self._prose(line, broken)
        elif not self._add_item(marker, line):
            self._paragraph(fold(line), marker)

    def add_row(self, row: Row | None) -> None:
        """Add a row of a table to what is open: the head of the table introduces the others."""
        if row is None:
            return
        count, first = len(self._pieces), not self._is_table_open()
        if first:
            self._above = count - 1 if count else None
        self._pieces.append(Piece(fold(row.text), "row", self._above, 1, row.cells))
        if first and row.is_head:
            self._above = count

    def _is_table_open(self) -> bool:
        return bool(self._pieces) and self._pieces[-1].role == "row"

    def close(self) -> None:
        if self._pieces:
            self.statements.append(Statement(tuple(self._pieces), self._is_title_open()))
        self._pieces, self._levels, self._lead_style = [], [], None

    def _is_title_open(self) -> bool:
        if len(self._pieces) != 1 or self._is_table_open():
            return False
        text = self._pieces[0].text
        return reads_as_heading(text) and (self._opens_line or not text.endswith("."))

    def _awaits(self, marker: Marker) -> bool:
        """Return whether the open statement is a list that a marker begins or continues with."""
        if marker.is_first():
            last = self._pieces[-1].text if self._pieces else ""
            return announces(last) or _runs_on(last)
        return any(marker.follows(before, style) for style, _, before in self._levels)

    def _prose(self, line: str, broken: bool) -> None:
        text = fold(line)
        if self._introduces() and not takes_back(text):
            self._pieces.append(Piece(text, "item", 0, 1))
            return
        goes_on = bool(self._pieces) and (broken or text.lstrip(_OPENING)[:1].islower())
        if not goes_on:
            self._paragraph(text, None)
        elif self._levels and _CLOSED_END.search(self._pieces[-1].text):
            self._pieces.append(Piece(text, "tail"))
        else:
            self._go_on(text)

    def _go_on(self, text: str) -> None:
        """Add a line to the last piece; of prose only the first of its sentences belongs there."""
        last = self._pieces[-1]
        whole = f"{last.text} {text}"
        first, *others = [whole] if last.role == "item" else split_sentences(whole)
        self._pieces[-1] = replace(last, text=first)
        for sentence in others:
            self._sentence(sentence, opens_line=False)

    def _introduces(self) -> bool:
        """Return whether a lead waits for what it announces, such as a formula without a marker.

        A title with a colon, such as `Auditor's Report:`, announces nothing.
        """
        lead = self._pieces[0].text if len(self._pieces) == 1 else ""
        return lead.endswith(":") and not reads_as_heading(lead.rstrip(": "))

    def _paragraph(self, text: str, marker: Marker | None) -> None:
        sentences = split_sentences(text)
        if marker is None:
            sentences[:1] = without_inline_heading(sentences[0])
        for place, sentence in enumerate(sentences):
            self._sentence(sentence, opens_line=place == 0)
        self._lead_style = marker.styles()[0] if marker else None

    def _sentence(self, sentence: str, opens_line: bool) -> None:
        if self._belongs(sentence, opens_line):
            self._pieces.append(Piece(sentence, "tail"))
            self._levels = []
        else:
            self.close()
            self._pieces, self._opens_line = [Piece(sentence, "lead")], opens_line

    def _belongs(self, sentence: str, opens_line: bool) -> bool:
        """Return whether a sentence of a new line, or of the same, belongs to what is open."""
        if not self._pieces or self._is_title_open() or announces(self._pieces[-1].text):
            return False
        marker = find_marker(sentence) if opens_line else None
        takes = takes_back(sentence[marker.end :] if marker else sentence)
        return takes or (not opens_line and leans_back(sentence))

    def _add_item(self, marker: Marker, line: str) -> bool:
        level = self._level_of(marker)
        if level is None:
            if not self._may_open(marker, line[marker.end :]):
                return False
            style, level = marker.styles()[0], len(self._levels)
            if not level:
                self._introduction = len(self._pieces) - 1
        else:
            style = self._levels[level][0]
        del self._levels[level:]
        parent = self._levels[-1][1] if self._levels else self._introduction
        self._pieces.append(Piece(fold(line), "item", parent, level + 1))
        self._levels.append((style, len(self._pieces) - 1, marker.value))
        within = find_marker(line[marker.end :])
        if within is not None and within.is_first():  # `(b) (i) …` opens a list in its own line
            self._levels.append((within.styles()[0], len(self._pieces) - 1, within.value))
        return True

    def _level_of(self, marker: Marker) -> int | None:
        if marker.is_first() and self._pieces and self._pieces[-1].text.endswith(":"):
            return None  # (i) after “(h) any of:” opens a list
        likeliest, *others = marker.styles()
        inward = [(level, *self._levels[level]) for level in reversed(range(len(self._levels)))]
        # (v) after (iv) is a five, (i) after (h) a letter: not what they are by themselves.
        next_of = (level for level, style, _, before in inward if marker.follows(before, style))
        same = (level for level, style, *_ in inward if style == likeliest)
        # (v) after (iii) is a five too, where no list of letters is open.
        beyond = (
            level
            for level, style, _, before in inward
            if style in others and style[1].endswith("roman") and marker.goes_beyond(before, style)
        )
        return next(chain(next_of, same, beyond), None)

    def _may_open(self, marker: Marker, text: str) -> bool:
        if not self._pieces or marker.styles()[0] == self._lead_style:
            return False
        if self._levels:
            return marker.is_first() and self._pieces[-1].role != "tail"
        lead = self._pieces[-1].text
        if lead.endswith(_OPEN_END):
            return True
        # A title over numbered sentences is not an introduction; a clause that runs on is one, and
        # so is a title over items that are no sentences.
        states = text[:1].isupper() and (has_verb(text) or text.endswith("."))
        return lead[-1] not in ".!?" and not (reads_as_heading(lead) and states)


def _broken_lines(lines: Sequence[str]) -> frozenset[int]:
    """Return the places of the lines that continue the one before, whatever they begin with.

    The line before ends no sentence and no clause. It is prose and no title, or it ends with a
    word that nothing ends with (`signed by the`), or it is a list item that ends so far to the
    right that the next word had no room, and the rest looks like the end of one.
    """
    lines = [line.rstrip() for line in lines]
    width = max(map(len, lines), default=0)
    broken: set[int] = set()
    for place, (before, line) in enumerate(pairwise(lines), start=1):
        if not before.strip() or not line.strip() or _CLOSED.search(before):
            continue
        goes_on = place - 1 in broken or before.lstrip()[:1].islower()
        if _ends_within(before) or _overflows(before, line, width, goes_on):
            broken.add(place)
    return frozenset(broken)


def _ends_within(line: str) -> bool:
    last = _LAST_WORD.search(line)
    return last is not None and last[1].islower() and last[1] in FUNCTION_WORDS


def _overflows(before: str, line: str, width: int, goes_on: bool) -> bool:
    if find_marker(before) is None:
        return goes_on or not reads_as_heading(before)
    full = len(before) + 1 + len(line.split(maxsplit=1)[0]) > width
    return NARROWEST <= width <= WIDEST and full and line.endswith(_CLOSES_ITEM)
