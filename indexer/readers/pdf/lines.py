"""From words to lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Container, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from indexer.readers.pdf.drawn.pages import Box, Word
from indexer.structuring.labels.labels import automatic_label
from indexer.structuring.labels.order import LATIN

SAME_LINE = 0.55
"""Part of the font size by which baselines of one line differ at most: raised marks do by a third,
and lines are at least a whole size apart."""

SPACE = 0.15
"""Part of the font size from which a gap parts two words that no space parts."""

TOUCHING = 0.02
"""Part of the font size up to which no gap is seen, whatever space a font puts after a ligature."""

TAB = 0.6
"""Part of the font size from which a gap after a label may be a tab; a space has a third."""

INNER_TAB = 1.2
"""Part of the font size from which a gap inside a text is a tab: sentences may be two spaces
apart."""

WIDE = 1.8
"""How much wider than the other gaps of its line a tab is: in justified lines all are wide."""

LABEL_WORDS = 8
"""Words among which labels are looked for: `Part 1` has two, and four labels are the most."""

RAISED = 0.15
"""Part of the font size by which a raised mark is above the line."""

SMALL = 0.8
"""Part of the line's font size that a raised mark has at most."""

UNDERLINE = 0.3
"""Part of the font size below the baseline within which a drawn line underlines."""

CENTRED = 12.0
"""Points that a centred line leaves free on both sides at least."""

_LIGATURES = ("fi", "fl", "ff", "ffi", "ffl")
_MARK = re.compile(rf"\(?(?:\d{{1,3}}(?:{'|'.join(LATIN)})?|[*†‡§]{{1,3}}|[a-z])\)?")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a column."""

    text: str
    """Words with spaces between them, and tabs where the gap is wide."""
    page: int
    left: float
    right: float
    text_left: float
    """Where the text begins after labels that tabs part from it; `left` where there are none."""
    baseline: float
    size: float
    """Of the font that most of it has."""
    bold: bool = False
    """Whether all of the text after such labels is bold; all of the line where there is none."""
    italic: bool = False
    underlined: bool = False
    marks: tuple[tuple[int, str], ...] = ()
    """Raised marks, which are not in the text: where they are in it, and what they are."""
    column: int = 0
    """Which column of the page it is in; 0 on a page with a single one."""
    width: float = 0.0
    """Of the column."""
    first_word: float = 0.0
    """How wide its first word is."""
    second: float = 0.0
    """Where its second word begins; 0 for a line of one."""
    notes: tuple[str, ...] = ()
    """Marks of the footnotes it refers to, which were taken out of it."""
    note: str = ""
    """What the margin beside it calls the provision that it begins."""

    @property
    def is_centred(self) -> bool:
        """Whether it leaves as much free before it as after it."""
        free = self.width - self.right
        return (
            "\t" not in self.text and self.left > CENTRED and abs(self.left - free) <= CENTRED / 2
        )

    def placed(self, left: float, width: float) -> Line:
        """Return the line with its place in a column that begins at `left`."""
        return replace(
            self,
            left=self.left - left,
            right=self.right - left,
            text_left=self.text_left - left,
            second=self.second - left if self.second else 0.0,
            width=width,
        )

    def with_tab(self) -> Line:
        """Return the line with a tab after its first word."""
        return replace(self, text=self.text.replace(" ", "\t", 1), text_left=self.second)

    def with_marks(self, dropped: Container[str] = ()) -> Line:
        """Return the line with its raised marks in the text, but for those that are dropped."""
        text = self.text
        for at, mark in reversed(self.marks):
            if mark in dropped:
                continue
            before, after = text[:at], text[at:]
            if not before:
                text = f"{mark} {after.lstrip()}"
            elif before[-1].isdigit():
                text = f"{before}^{mark}{after}"
            else:
                text = f"{before}{' ' if before[-3:].isalpha() else ''}{mark}{after}"
        notes = tuple(mark.strip("()") for _, mark in self.marks if mark in dropped)
        return replace(self, text=text, marks=(), notes=notes)

    def marks_of(self, notes: Collection[str]) -> list[str]:
        """Return the marks that are those of footnotes; after a digit, one may be a power."""
        return [
            mark
            for at, mark in self.marks
            if mark.strip("()") in notes and not self.text[:at][-1:].isdigit()
        ]


def baselines(words: Iterable[Word]) -> list[list[Word]]:
    """Return the words of each line, from left to right, the lines from above."""
    lines: list[list[Word]] = []
    largest = 0.0
    for word in sorted(words, key=lambda word: word.baseline):
        if lines and _is_near(lines[-1][0], word, largest):
            lines[-1].append(word)
            largest = max(largest, word.size)
        else:
            lines.append([word])
            largest = word.size
    return [sorted(line, key=lambda word: word.left) for line in lines]


def _is_near(first: Word, word: Word, largest: float) -> bool:
    """Return whether a word is on the line that another one began."""
    large, small = max(largest, word.size), min(largest, word.size)
    marked = small <= SMALL * large and len(min(first, word, key=lambda one: one.size).text) <= 3
    return word.baseline - first.baseline <= SAME_LINE * (large if marked else small)


def lines_of(words: Iterable[Word], page: int, rules: Sequence[Box] = ()) -> list[Line]:
    """Return the lines of a column.

    Args:
        words: what is in the column.
        page: number of its page.
        rules: horizontal lines that may underline.
    """
    lines = (_line(row, page, rules) for row in baselines(words))
    return [line for line in lines if line.text or line.marks]


def gaps(row: Sequence[Word], raised: Collection[int] = ()) -> list[float]:
    """Return the gap before each word of a line; 0 for the first and for glued pieces.

    Args:
        row: the words.
        raised: the ids of raised marks, beside which only what is seen counts as a space.
    """
    found = [0.0]
    for before, word in pairwise(row):
        gap = word.left - before.right
        marked = id(word) in raised or id(before) in raised
        joined = gap <= TOUCHING * word.size and before.text.endswith(_LIGATURES)
        parted = (word.spaced and not (marked or joined)) or gap > SPACE * max(
            word.size, before.size
        )
        found.append(max(gap, 0.01) if parted else 0.0)
    return found


def _usual_gap(found: Sequence[float]) -> float:
    """Return the gap in the middle of a line's, 0 where there are too few to tell."""
    wide = [gap for gap in found if gap]
    return median(wide) if len(wide) > 2 else 0.0


def _line(row: list[Word], page: int, rules: Sequence[Box]) -> Line:
    size = usual_size(row)
    level = median(
        [word.baseline for word in row if word.size >= SMALL * size] or [row[0].baseline]
    )
    raised = {id(word) for word in row if _is_mark(word, size, level)}
    if len(raised) == len(row):
        raised = set()
    found = gaps(row, raised)
    least = WIDE * _usual_gap(found)
    text_at = _after_labels(row, found, least)
    text, marks = "", []
    for index, word in enumerate(row):
        if not word.text:  # struck through
            continue
        if id(word) in raised:
            marks.append((len(text), word.text))
            continue
        if text and found[index] > max(least, (TAB if index in text_at else INNER_TAB) * word.size):
            text += "\t"
        elif text and (found[index] or _after_mark(row, index, raised, found)):
            text += " "
        text += word.text
    body = row[text_at[-1] :]
    told = [word for word in body if id(word) not in raised] or body
    seen = [word for word in told if any(c.isalnum() for c in word.text)] or told
    return Line(
        text=text,
        page=page,
        left=row[0].left,
        right=row[-1].right,
        text_left=row[text_at[-1]].left,
        baseline=level,
        size=size,
        bold=all(word.bold for word in seen),
        italic=all(word.italic for word in seen),
        underlined=_is_underlined(told, level, size, rules),
        marks=tuple(marks),
        first_word=row[0].right - row[0].left,
        second=row[1].left if len(row) > 1 else 0.0,
    )


def _after_labels(row: Sequence[Word], found: Sequence[float], least: float) -> list[int]:
    """Return 0 and the words that follow a label and a tab; the text begins at the last."""
    at = [0]
    for index in range(1, min(len(row), LABEL_WORDS)):
        if found[index] > max(least, TAB * row[index].size):
            label = " ".join(word.text for word in row[at[-1] : index])
            if not automatic_label(label):
                break
            at.append(index)
    return at


def _after_mark(row: Sequence[Word], index: int, raised: set[int], found: Sequence[float]) -> bool:
    """Return whether a space comes before a mark that parts a word from the one before."""
    return index > 0 and id(row[index - 1]) in raised and found[index - 1] > 0


def usual_size(parts: Iterable[Word | Line]) -> float:
    """Return the font size of most characters; 0 without any."""
    sizes = Counter[float]()
    for part in parts:
        sizes[part.size] += len(part.text)
    return max(sizes, key=lambda size: (sizes[size], size), default=0.0)


def _is_mark(word: Word, size: float, level: float) -> bool:
    small = word.size <= SMALL * size and level - word.baseline >= RAISED * size
    return small and bool(_MARK.fullmatch(word.text))


def _is_underlined(words: Sequence[Word], level: float, size: float, rules: Sequence[Box]) -> bool:
    """Return whether drawn lines run below all of some words."""
    near = [rule for rule in rules if -0.05 * size <= rule.top - level <= UNDERLINE * size]
    if not near:
        return False
    left, right = words[0].left, words[-1].right
    covered = sum(max(0.0, min(rule.right, right) - max(rule.left, left)) for rule in near)
    return covered >= 0.9 * (right - left)
