r"""The Markdown of `lex-articles` records as provisions.

Blocks are parted by blank lines: `**1.** …` is a numbered paragraph, `(a) …` a point, `| … |` a
row of a table. Lists below the first level run on in the line of their clause, with or without a
blank before each item, so that their items have to be found by their labels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from indexer.acts.eu_numbers import item_number
from indexer.acts.open_lists import ListLabels
from indexer.acts.provisions import Act, Provision
from indexer.readers.lex_articles.lists import POINT, list_rows
from indexer.tables import table_text

NEAR = 80
"""Characters before a label that are looked at to tell an item from a reference."""

_PARAGRAPH = re.compile(
    r"(?:\*\*\s?(-?\d{1,3}[a-z]{0,3}\.)\s?\*\*|(-?\d{1,3}[a-z]{0,3}\.)(?=\s))\s*"
)
_INNER = re.compile(r"\((?:\d{1,4}[a-z]{0,2}|[ivxlc]{1,7}|[a-z]{1,3})\)\s(?=[^\s,;.)])")
_WORD_END = re.compile(r"(?:\d/\d+|(?<![^\W\d])[^\W\d]{3,})$")
"""What an item may end with where a full stop was forgotten: a word, or the number of an act."""
_GLUED = re.compile(r"(?<=[a-z)][a-z)][.;:])(?=[A-Z])")
"""Where the record joins two paragraphs without a blank."""

_STRONG_END = re.compile(r"[:;.,]$")
_WEAK_END = re.compile(r"(?:[;:]|[;,]\s(?:and|or)|^(?:and|or))$")
_AMENDMENT = re.compile(r"[►▼]\s?[ABCM]\d{0,3}(?![a-z])|◄|[—–]{5,}")
_DELETED = re.compile(r"[—–]{5,}")
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3})(?=\S)([^*\n]+?)(?<=\S)\1(?![\w*])|\*\*")
"""Emphasis of Markdown; a single star between words is a multiplication."""
_TABLE_ROW = re.compile(r"\|.*\|")
_TABLE_RULE = re.compile(r"\|(?:\s*:?-{3,}:?\s*\|)+")


class LexText:
    """Fills one article or annex with what its Markdown holds."""

    def __init__(self, act: Act, provision: Provision, in_annex: bool) -> None:
        self._act = act
        self._base = self._current = provision
        self._annex = in_annex
        self._labels = ListLabels()
        self._before = ""

    def build(self, markdown: str) -> None:
        """Add all blocks of the text."""
        blocks = [self._unmarked(block) for block in self._blocks(markdown)]
        for index, block in enumerate(blocks):
            if isinstance(block, list):
                self._table(block)
            elif block == self._base.number:
                self._act.leave_out(block, "the number, repeated")
            elif block:
                self._block(block, blocks[index + 1 :])

    def _blocks(self, markdown: str) -> Iterator[str | list[list[str]]]:
        """Yield the blocks of a text: tables as rows of cells, all others as one line.

        Each row of a table that holds a list is a block.
        """
        for block in re.split(r"\n\s*\n", markdown):
            lines = [line.strip() for line in block.strip().split("\n") if line.strip()]
            if not lines or not all(_TABLE_ROW.fullmatch(line) for line in lines):
                yield " ".join(lines)
                continue
            cells = [line for line in lines if not _TABLE_RULE.fullmatch(line)]
            table = [line.strip("|").split("|") for line in cells]
            rows = list_rows(table)
            for row in rows:
                if row.again:
                    self._act.leave_out(row.again, "a list, repeated")
                yield f"{row.label} {row.text}".strip()
            if not rows:
                yield table

    def _table(self, rows: list[list[str]]) -> None:
        if text := table_text([self._clean(cell) for cell in row] for row in rows):
            self._current.parts.append(text)

    def _block(self, block: str, later: list[str | list[list[str]]]) -> None:
        """Add one block: a numbered paragraph, points, or a subparagraph of what is open."""
        if found := _PARAGRAPH.match(block):
            label = found.group(1) or found.group(2)
            self._current = Provision("paragraph", item_number(label, self._annex), label=label)
            self._base.parts.append(self._current)
            self._labels.clear()
            self._before = ""
            block = block[found.end() :]
        elif not POINT.match(block):
            self._labels.close_until(_labels_of(later))
        self._items(block)

    def _items(self, block: str) -> None:
        """Add the text before the first item of a block, then its items."""
        last: tuple[Provision, Provision, list[str]] | None = None
        for label, raw in list(self._split(block)):
            texts = [text for piece in _GLUED.split(raw) if (text := self._clean(piece))]
            if not label:
                (self._labels.innermost or self._current).parts += texts
            else:
                number = "" if label == "—" else item_number(label, self._annex)
                item = Provision("point", number, parts=[*texts[:1]], label=label)
                parent = self._labels.place(item, self._current, self._before.endswith(":"))
                _settle(last, parent)
                parent.parts.append(item)
                last = item, parent, texts[1:]
            self._before = texts[-1] if texts else self._before
        _settle(last, None)

    def _split(self, block: str) -> Iterator[tuple[str, str]]:
        """Yield (label, text) of the items of a block; what comes before them has no label."""
        trial = ListLabels()
        trial.copy(self._labels)
        label, start = "", 0
        if found := POINT.match(block):
            label, start = found.group(1), found.end()
            below = self._before.endswith(":")
            trial.place(Provision("point", label=label), Provision("point"), below)
        for found in _INNER.finditer(block, start):
            inner = found.group().strip()
            near = block[max(start, found.start() - NEAR) : found.start()]
            if where := _begins_item(block, found.start(), near, inner, trial):
                yield label, block[start : found.start()]
                label, start = inner, found.end()
                trial.place(Provision("point", label=label), Provision("point"), where == "below")
        yield label, block[start:]

    def _unmarked(self, block: str | list[list[str]]) -> str | list[list[str]]:
        """Return a block without the mark of an amendment that it begins with."""
        while isinstance(block, str) and (found := _AMENDMENT.match(block)):
            self._act.leave_out(found.group(), "a mark of an amendment")
            block = block[found.end() :].lstrip()
        return block

    def _clean(self, text: str) -> str:
        for mark in _AMENDMENT.findall(text):
            self._act.leave_out(mark, "a mark of an amendment")
        text = _AMENDMENT.sub(" ", text)
        return " ".join(_EMPHASIS.sub(lambda m: m.group(2) or " ", text).split())


def _settle(last: tuple[Provision, Provision, list[str]] | None, following: object) -> None:
    """Put the further paragraphs of an item where they belong.

    Where the list continues, or goes deeper, they are the item's own; after the last item of a list
    they close the clause that the list is in.
    """
    if last is not None:
        item, parent, texts = last
        (item if following is item or following is parent else parent).parts += texts


def _labels_of(blocks: list[str | list[list[str]]]) -> list[str]:
    """Return the labels of the points that follow before the next numbered paragraph."""
    labels = []
    for block in blocks:
        if isinstance(block, list):
            continue
        if _PARAGRAPH.match(block):
            break
        if found := POINT.match(block):
            labels.append(found.group(1))
    return labels


def _begins_item(block: str, place: int, before: str, label: str, trial: ListLabels) -> str:
    """Return whether a label in a line begins an item: "below" the one before, or "beside" it.

    Returns "" where it is a reference, as in "points (a) and (b)".
    """
    bare = re.sub(r"\*+", "", _AMENDMENT.sub("", before)).rstrip()
    glued = not block[place - 1 : place].isspace() or _AMENDMENT.search(before[-12:]) is not None
    if bare.endswith(":") and trial.opens(label):
        return "below"
    if glued and _STRONG_END.search(bare):
        gaps = _DELETED.search(before) is not None
        if trial.continues(label) or (gaps and trial.continues(label, gaps=True)):
            return "beside"
        return "below" if trial.opens(label) and bare[-1:] != "." else ""
    if glued and _may_end(bare):
        return "beside" if trial.continues(label) else ""
    if _WEAK_END.search(bare) or re.search(r"[;,]\s?(?:and|or)$", bare):
        return "beside" if trial.continues(label) else ""
    return ""


def _may_end(text: str) -> bool:
    """Return whether an item may end so, without a full stop, before the next one."""
    last = text[-1:]
    return bool(_WORD_END.search(text)) or not (last.isalnum() or last in {"", ")"})
