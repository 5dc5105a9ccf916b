"""The columns of a page, in the order in which people read them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from statistics import median

from indexer.readers.pdf.drawn.pages import Word
from indexer.readers.pdf.lines import baselines

LEAST_LINES = 6
"""Lines of a column at least: fewer are a signature or an address beside the text."""

LEAST_WORDS = 3.5
"""Words in the middle line of a column at least: fewer are numbers beside their text, or terms."""

FULL = 0.55
"""Part of its column that the middle line fills at least."""

CROSSING = 0.3
"""Part of the lines of a page with columns that may run across them, such as headings."""

GAP = 1.0
"""Font sizes between two columns at least."""

MIDDLE = (0.2, 0.8)
"""Where the gap between two columns is looked for, as part of the text's width."""

STEP = 2.0
"""Points between two places that are tried."""

DEEPEST = 2
"""How often a column is looked at for columns inside it: up to four are found."""


Segment = tuple[Word, ...]
"""Words of one line without a wide gap between them."""


def columns(words: Sequence[Word], depth: int = DEEPEST) -> list[list[Word]]:
    """Return the words of each column, the columns in reading order.

    A line that runs across the columns parts what is above it from what is below.
    """
    segments = [part for row in baselines(words) for part in _parts(row)]
    gutter = _gutter(segments) if depth else None
    if gutter is None:
        return [list(words)] if words else []
    found: list[list[Word]] = []
    left: list[Word] = []
    right: list[Word] = []
    across: list[Word] = []
    for segment in segments:
        if segment[0].left < gutter < segment[-1].right:
            found += [*columns(left, depth - 1), *columns(right, depth - 1)]
            left, right = [], []
            across += segment
            continue
        found += [across] if across else []
        across = []
        (left if segment[-1].right <= gutter else right).extend(segment)
    found += [*columns(left, depth - 1), *columns(right, depth - 1)]
    return [*found, across] if across else found


def _parts(row: Sequence[Word]) -> Iterator[Segment]:
    part = [row[0]]
    for before, word in pairwise(row):
        if word.left - before.right > GAP * max(word.size, before.size):
            yield tuple(part)
            part = []
        part.append(word)
    yield tuple(part)


def _gutter(segments: Sequence[Segment]) -> float | None:
    """Return where the gap between two columns of running text is, or None."""
    if len(segments) < 2 * LEAST_LINES:
        return None
    left = min(segment[0].left for segment in segments)
    right = max(segment[-1].right for segment in segments)
    places = int((right - left) / STEP) + 1
    changes = [0] * (places + 2)
    for segment in segments:
        changes[int((segment[0].left - left) / STEP) + 1] += 1
        changes[int((segment[-1].right - left) / STEP) + 1] -= 1
    crossing = list(accumulate(changes[:places]))
    middle = [at for at in range(places) if MIDDLE[0] <= at / places <= MIDDLE[1]]
    best = min((crossing[at] for at in middle), default=len(segments))
    at = [place for place in middle if crossing[place] == best]
    if not at or best > CROSSING * len(segments):
        return None
    gutter = left + STEP * at[len(at) // 2]
    sides = (
        [one for one in segments if one[-1].right <= gutter],
        [one for one in segments if one[0].left >= gutter],
    )
    return gutter if all(map(_is_column, sides)) else None


def _is_column(side: Sequence[Segment]) -> bool:
    """Return whether some lines are running text, one below the other."""
    if len(side) < LEAST_LINES:
        return False
    width = max(one[-1].right for one in side) - min(one[0].left for one in side)
    full = median(one[-1].right - one[0].left for one in side) >= FULL * width
    return full and median(len(one) for one in side) >= LEAST_WORDS
