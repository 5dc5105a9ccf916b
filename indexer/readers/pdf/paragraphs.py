"""From lines to paragraphs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from indexer.readers.pdf.hyphens import Vocabulary, is_cut
from indexer.readers.pdf.lines import Line
from indexer.structuring.labels.joined_labels import is_joined
from indexer.structuring.labels.labels import Label, parse_label
from indexer.structuring.labels.order import follows

LEADING = 1.35
"""Times the usual distance of two lines from which a distance parts paragraphs."""

INDENT = 3.0
"""Points by which the left edges of lines that belong together differ at most."""

RESIZED = 0.1
"""Part of the font size by which lines of one paragraph differ at most."""

ROOM = 1.15
"""Times the width of the next line's first word that a line leaves free where people ended it."""

SHORT = 0.06
"""Part of the column's width that a ragged line may leave free beyond that."""

_FEW_WORDS = 3
"""Words of a name: more are a sentence in bold."""

_ENDED = (".", ":", ";", "!", "?")


def text_of(lines: Iterable[Line], vocabulary: Vocabulary) -> str:
    """Return the lines of a paragraph as one, cut words repaired."""
    return reduce(vocabulary.join, (line.text for line in lines))


def paragraphs(lines: Sequence[Line], leading: float) -> list[list[Line]]:
    """Return the paragraphs of lines in reading order.

    Args:
        lines: of a whole document, or of a cell.
        leading: usual distance of two lines as a multiple of their font size.
    """
    found: list[list[Line]] = []
    last: dict[str, Label] = {}
    for line in lines:
        label = _counted(line)
        counts = label is not None and _comes_next(label, last.get(label.look))
        parted = counts and found[-1][-1].text.rstrip().endswith(_ENDED)
        if found and not parted and _goes_on(found[-1], line, leading):
            found[-1].append(line)
            continue
        found.append([line])
        if label:
            last[label.look] = label
    return found


def _counted(line: Line) -> Label | None:
    found = parse_label(line.text)
    label = found[0] if found else None
    if label is not None and (label.shape == "dotted" or _is_marked_integer(label)):
        return label
    return None


def _is_marked_integer(label: Label) -> bool:
    return label.shape == "integer" and label.text != label.core


def _comes_next(label: Label, before: Label | None) -> bool:
    """Return whether a number comes right after another: `6.4` after `6.3`, `2.` after `1.`."""
    if before is None:
        return False
    *above, one = before.core.split(".")
    *below, other = label.core.split(".")
    return above == below and follows(other, one)


def usual_leading(lines: Iterable[Line]) -> float:
    """Return the most frequent distance of two lines, as a multiple of their font size."""
    counts: dict[float, int] = {}
    before: Line | None = None
    for line in lines:
        if before and before.page == line.page and before.size == line.size > 0:
            distance = round((line.baseline - before.baseline) / line.size, 2)
            if 0.9 <= distance <= 2.5:
                counts[distance] = counts.get(distance, 0) + 1
        before = line
    return max(counts, key=lambda distance: (counts[distance], -distance), default=1.2)


def _goes_on(above: Sequence[Line], line: Line, leading: float) -> bool:
    """Return whether a line continues the paragraph above it."""
    last = above[-1]
    if _is_end_of_sentence(last, line):
        return _is_aligned(above, line)
    if not _looks_the_same(above, line) or _is_labelled(above, line):
        return False
    below = line.page == last.page and line.baseline > last.baseline
    if below and line.baseline - last.baseline > LEADING * leading * last.size:
        return False
    if last.is_centred and line.is_centred:
        return below
    if not _is_aligned(above, line) or _ended_early(last, line):
        return False
    return below or not last.text.rstrip().endswith(_ENDED)


def _looks_the_same(above: Sequence[Line], line: Line) -> bool:
    last = above[-1]
    if abs(line.size - last.size) > RESIZED * last.size:
        return False
    return line.bold == last.bold or not (line.bold or all(one.bold for one in above))


def _is_end_of_sentence(last: Line, line: Line) -> bool:
    """Return whether a line is what a sentence ends with, in bold: `… is in` `Appendix A.`

    Its words may be held together, so that all of them must have lacked room.
    """
    ends = line.bold and line.text.rstrip().endswith(".") and len(line.text.split()) <= _FEW_WORDS
    unfinished = not (last.bold or last.text.rstrip().endswith(_ENDED))
    return ends and unfinished and last.width - last.right < ROOM * (line.right - line.left)


def _is_aligned(above: Sequence[Line], line: Line) -> bool:
    """Return whether a line begins where the paragraph's lines do.

    A second line begins below the text of the first, below its label, or left of an indented one.
    """
    if len(above) > 1:
        return abs(line.left - above[-1].left) <= INDENT
    first = above[0]
    if min(abs(line.left - first.text_left), abs(line.left - first.left)) <= INDENT:
        return True
    if "\t" in first.text:  # a wide label pushes the text beyond the indent of the lines below
        return first.left < line.left < first.text_left
    return line.left < first.left


def _is_labelled(above: Sequence[Line], line: Line) -> bool:
    """Return whether a line begins with a label that is none of the words of a sentence."""
    head, tab, _ = line.text.partition("\t")
    if tab and is_joined(head):
        return True
    found = parse_label(line.text, line.bold)
    if not found:
        return False
    if "\t" in line.text[: len(line.text) - len(found[1])]:
        return True
    inside = above[-1].left if len(above) > 1 else above[0].text_left
    return abs(line.left - inside) > INDENT or _ended_early(above[-1], line)


def _ended_early(line: Line, following: Line) -> bool:
    """Return whether the first word of the next line would have had room on a line.

    A word that is cut was cut for want of room.
    """
    if is_cut(line.text):
        return False
    free = line.width - line.right
    return free > ROOM * following.first_word + SHORT * line.width
