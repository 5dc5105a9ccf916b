"""Font sizes: that of the text, and those of headings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from indexer.readers.pdf.lines import Line

LARGER = 1.12
"""Times the font size of the text from which larger print is a heading."""


def usual_size(lines: Iterable[Line]) -> float:
    """Return the font size of most characters; 0 without lines."""
    counts: Counter[float] = Counter()
    for line in lines:
        counts[line.size] += len(line.text)
    return max(counts, key=lambda size: (counts[size], size), default=0.0)


def heading_levels(lines: Sequence[Line], usual: float) -> dict[float, int]:
    """Return the heading level of each font size above the usual one; 0 is the largest."""
    larger = sorted({line.size for line in lines if line.size > LARGER * usual}, reverse=True)
    return {size: level for level, size in enumerate(larger)}
