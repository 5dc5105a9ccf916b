"""Side notes: small print in the margin, beside the provision that it names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from indexer.readers.pdf.drawn.pages import Word
from indexer.readers.pdf.lines import Line, lines_of, usual_size
from indexer.structuring.labels.labels import parse_label

SMALL = 0.92
"""Part of the page's usual font size that side notes have at most."""

GAP = 0.4
"""Font sizes that a note keeps from the text at least."""

WORD_GAP = 1.2
"""Font sizes between two words of one line of a note at most."""

LEADING = 1.7
"""Font sizes between two lines of a note at most."""

WIDER = 1.5
"""Times the width of a note that the text of the page is wide at least."""

LEVEL = 0.8
"""Font sizes by which a note and the line that it names differ in height at most."""

_QUOTES = ("“", "‘", '"', "«", "„")
_LEAST_LETTERS = 3
"""Letters of a word of a note at least: fewer are raised marks and letters of lists."""


@dataclass(frozen=True, slots=True)
class SideNote:
    """One note in the margin."""

    text: str
    baseline: float
    """Of its first line."""


@dataclass(slots=True)
class _Cluster:
    """Small words near each other, and the box around them."""

    rows: list[list[Word]]
    left: float
    right: float

    @property
    def words(self) -> list[Word]:
        return [word for row in self.rows for word in row]

    @property
    def text(self) -> str:
        return " ".join(line.with_marks().text for line in lines_of(self.words, 0))

    def takes(self, row: Sequence[Word]) -> bool:
        """Return whether a row of words continues the last of the cluster."""
        last = self.rows[-1][0]
        near = 0 < row[0].baseline - last.baseline <= LEADING * max(last.size, row[0].size)
        return near and row[0].left < self.right and row[-1].right > self.left

    def add(self, row: list[Word]) -> None:
        self.rows.append(row)
        self.left, self.right = min(self.left, row[0].left), max(self.right, row[-1].right)


def split_side_notes(words: Sequence[Word]) -> tuple[list[Word], tuple[SideNote, ...]]:
    """Return the words of a page without its side notes, and the notes from above."""
    usual = usual_size(words)
    small = [word for word in words if word.size <= SMALL * usual]
    text = [word for word in words if word.size > SMALL * usual]
    found = [one for one in _clusters(small) if _is_note(one, text)]
    taken = {id(word) for one in found for word in one.words}
    notes = (SideNote(one.text, one.rows[0][0].baseline) for one in found)
    kept = [word for word in words if id(word) not in taken]
    return kept, tuple(sorted(notes, key=lambda note: note.baseline))


def with_notes(
    lines: Iterable[Line], notes: Sequence[SideNote]
) -> tuple[list[Line], list[SideNote]]:
    """Return lines with the notes that name them, and the notes that name none.

    A note names the provision whose number is beside its first line. Beside a provision that
    is quoted it has the opening mark, which is given back to the provision.
    """
    left = list(notes)
    found: list[Line] = []
    for line in lines:
        beside = (note for note in left if abs(note.baseline - line.baseline) <= LEVEL * line.size)
        note = next(beside, None) if left and parse_label(line.text) else None
        if note:
            left.remove(note)
            quoted = note.text[0] if note.text[0] in _QUOTES else ""
            line = replace(line, text=f"{quoted}{line.text}", note=note.text)  # noqa: PLW2901
        found.append(line)
    return found, left


def _clusters(words: Iterable[Word]) -> list[_Cluster]:
    found: list[_Cluster] = []
    for row in _rows(words):
        cluster = next((one for one in reversed(found) if one.takes(row)), None)
        if cluster:
            cluster.add(row)
        else:
            found.append(_Cluster([row], row[0].left, row[-1].right))
    return found


def _rows(words: Iterable[Word]) -> list[list[Word]]:
    """Return words in rows without wide gaps, from above."""
    rows: list[list[Word]] = []
    for word in sorted(words, key=lambda word: (round(word.baseline), word.left)):
        last = rows[-1][-1] if rows else None
        level = last is not None and abs(word.baseline - last.baseline) <= 0.3 * word.size
        if last is not None and level and word.left - last.left >= 0 and (
            word.left - last.right <= WORD_GAP * word.size
        ):  # fmt: skip
            rows[-1].append(word)
        else:
            rows.append([word])
    return rows


def _is_note(one: _Cluster, text: Sequence[Word]) -> bool:
    """Return whether small words are beside the text, on one side of it."""
    words = one.words
    if not any(sum(map(str.isalpha, word.text)) >= _LEAST_LETTERS for word in words):
        return False
    size = words[0].size
    top = min(word.baseline for word in words) - LEVEL * size
    bottom = max(word.baseline for word in words) + LEVEL * size / 2
    beside = [word for word in text if top <= word.baseline <= bottom]
    if not beside:
        return False
    left, right = min(w.left for w in beside), max(w.right for w in beside)
    apart = one.right + GAP * size <= left or one.left - GAP * size >= right
    width = max(w.right for w in text) - min(w.left for w in text)
    return apart and width >= WIDER * (one.right - one.left)
