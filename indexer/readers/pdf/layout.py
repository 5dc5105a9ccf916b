"""One page as lines in reading order, tables and pictures."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from indexer.readers.pdf.columns import columns
from indexer.readers.pdf.drawn.pages import Box, Page, Word
from indexer.readers.pdf.lines import Line, lines_of
from indexer.readers.pdf.side_notes import split_side_notes, with_notes
from indexer.readers.pdf.tables import Table, find_tables

STRUCK_ABOVE = (0.12, 0.5)
"""Parts of the font size above the baseline between which a line strikes a word through; one that
underlines lies at the baseline or below it."""
STRUCK_COVERED = 0.8
"""Part of a word that the lines through it cover at least."""

LEAST_LETTERS = 120
"""Latin letters of a page below which nothing is said: it may be a table of codes."""
LEAST_VOWELS = 0.24
"""Share of vowels among the Latin letters of a text: pages of laws in English and German have .33
to .42; letters that are moved by some places have .05 to .2."""
UNKNOWN = 0.2
"""Share of the characters that may have no meaning: a symbol here and there."""
_VOWELS = frozenset("aeiouy")

PICTURE = 0.4
"""Part of a page without text that pictures cover where it is a scan, and no empty page."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What was understood of one page."""

    number: int
    height: float
    lines: tuple[Line, ...]
    """In reading order; those in tables are not among them."""
    tables: tuple[Table, ...]
    images: tuple[Box, ...]
    turned: tuple[str, ...]
    """Words that run in another direction than the text."""
    pictured: bool
    """Whether the page is nothing but a picture."""
    struck: tuple[str, ...] = ()
    """Words with a line through them."""
    notes: tuple[str, ...] = ()
    """What is in the margin beside no number."""
    illegible: str = ""
    """The text of a page whose fonts give other letters than it shows."""


def lay_out(page: Page) -> Sheet:
    """Return a page's lines, tables and pictures."""
    if not is_legible(word.text for word in page.words):
        text = " ".join(word.text for word in page.words)
        return Sheet(
            page.number, page.height, (), (), page.images, page.turned, False, illegible=text
        )
    words, struck = split_struck(page.words, page.rules)
    tables, free = find_tables(words, page.rules)
    free, notes = split_side_notes(free)
    flat = [rule for rule in page.rules if rule.lies]
    found = columns(free)
    several = len(found) > 1
    lines = [
        replace(line, column=number)
        for number, text in enumerate(found, start=int(several))
        for line in lines_of(text, page.number, flat)
    ]
    lines, unused = with_notes(lines, notes)
    return Sheet(
        number=page.number,
        height=page.height,
        lines=tuple(lines),
        tables=tuple(tables),
        images=page.images,
        turned=page.turned,
        pictured=not page.words and _covered(page) >= PICTURE,
        struck=struck,
        notes=tuple(note.text for note in unused),
    )


def _covered(page: Page) -> float:
    """Return which part of a page pictures cover; more than 1 where they overlap."""
    area = page.width * page.height
    return sum(image.width * image.height for image in page.images) / area if area else 0.0


def placed(sheets: Sequence[Sheet]) -> list[Sheet]:
    """Return pages whose lines are relative to the left edge of the text.

    The edges are those of all left, or all right pages, since a page may hold but indented text;
    a column of several has its own.
    """
    edges = [_edges(sheets[odd::2]) for odd in (0, 1)]
    found = []
    for at, sheet in enumerate(sheets):
        own = {number: _edges([sheet], number) for number in {line.column for line in sheet.lines}}
        own[0] = edges[at % 2]
        lines = []
        for line in sheet.lines:
            left, right = own[line.column]
            lines.append(line.placed(left, right - left))
        found.append(replace(sheet, lines=tuple(lines)))
    return found


def _edges(sheets: Sequence[Sheet], column: int = 0) -> tuple[float, float]:
    """Return the left and right edge of a column, without the outermost line of a hundred."""
    lines = [line for sheet in sheets for line in sheet.lines if line.column == column]
    if not lines:
        return 0.0, 0.0
    few = len(lines) // 100
    lefts = sorted(line.left for line in lines)
    rights = sorted((line.right for line in lines), reverse=True)
    return lefts[few], rights[few]


def is_legible(words: Iterable[str]) -> bool:
    """Return whether the words of a page can be words."""
    text = "".join(words)
    unknown = sum(c == "\ufffd" or "\ue000" <= c <= "\uf8ff" for c in text)
    if unknown > UNKNOWN * len(text):
        return False
    letters = [c for c in unicodedata.normalize("NFD", text.casefold()) if "a" <= c <= "z"]
    vowels = sum(letter in _VOWELS for letter in letters)
    return len(letters) < LEAST_LETTERS or vowels >= LEAST_VOWELS * len(letters)


def split_struck(
    words: Sequence[Word], rules: Sequence[Box]
) -> tuple[tuple[Word, ...], tuple[str, ...]]:
    """Return the words of a page, and the texts of those that a line strikes through: no law.

    The latter are left without text, so that the gap between their neighbours is not a tab.
    """
    flat = sorted((rule for rule in rules if rule.lies), key=lambda rule: rule.top)
    if not flat:
        return tuple(words), ()
    tops = [rule.top for rule in flat]
    kept: list[Word] = []
    struck: list[str] = []
    for word in words:
        low, high = (word.baseline - part * word.size for part in STRUCK_ABOVE)
        through = flat[bisect_left(tops, high) : bisect_left(tops, low)]
        if _struck_part(word, through) >= STRUCK_COVERED:
            struck.append(word.text)
            kept.append(word._replace(text=""))
        else:
            kept.append(word)
    return tuple(kept), tuple(struck)


def _struck_part(word: Word, rules: Sequence[Box]) -> float:
    """Return which part of a word's width some lines cover."""
    width = word.right - word.left
    parts = (min(rule.right, word.right) - max(rule.left, word.left) for rule in rules)
    return sum(part for part in parts if part > 0) / width if width > 0 else 0.0
