"""Recognises the letters on pages that are pictures; runs as a program in a process of its own.

It prints one JSON object a line, as `extraction` does: `{"ready": true}` first, then one for each
page that was asked for. It needs the extra `ocr` (RapidOCR, whose models come with it).
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator
from statistics import median
from typing import Any

RESOLUTION = 150
"""Dots per inch at which pages are drawn: letters of 8 points are 16 dots high."""

MOST_PIXELS = 40_000_000
"""Of a drawn page; a larger one is drawn smaller."""

LEAST_SCORE = 0.5
"""Confidence from which a line of text counts."""

JITTER = 0.17
"""Part by which heights of lines in one size differ, as letters with and without tails do."""

_POINTS = 72
_HEIGHT = 0.75
"""Part of a line's box that is the size of its font."""
_DESCENT = 0.22
"""Part of a line's box below its letters."""


def main() -> None:
    """Print what is on the pages that are named."""
    _limit(int(sys.argv[2]))
    import pypdfium2
    from rapidocr import RapidOCR

    logging.disable(logging.CRITICAL)
    engine = RapidOCR()
    document = pypdfium2.PdfDocument(sys.argv[1])
    _say({"ready": True})
    for number in map(int, sys.argv[3:]):
        page = document[number - 1]
        width, height = page.get_size()
        scale = min(RESOLUTION / _POINTS, (MOST_PIXELS / max(width * height, 1.0)) ** 0.5)
        found = engine(page.render(scale=scale).to_numpy())
        words = list(_words(found, scale)) if found.boxes is not None else []
        _say(
            {
                "size": (float(width), float(height)),
                "words": words,
                "turned": [],
                "rules": [],
                "images": [],
            }
        )


def _limit(most: int) -> None:
    """Bound the memory of this process, where the system can."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, OSError, ValueError):
        return


def _words(found: Any, scale: float) -> Iterator[tuple[Any, ...]]:
    """Yield the words of recognised lines, each line shared out by letters."""
    lines = [
        (_edges(box, scale), text)
        for box, text, score in zip(found.boxes, found.txts, found.scores, strict=True)
        if score >= LEAST_SCORE and text.strip()
    ]
    usual = median([bottom - top for (_, top, _, bottom), _ in lines]) if lines else 0.0
    for (left, top, right, bottom), text in lines:
        height = bottom - top
        same = abs(height - usual) <= JITTER * usual
        size = round(_HEIGHT * (usual if same else height))
        baseline = round(bottom - _DESCENT * height, 1)
        letter = (right - left) / len(text)
        at = 0
        for word in text.split(" "):
            start, end = left + at * letter, left + (at + len(word)) * letter
            if word:
                yield (word, round(start, 2), round(top, 2), round(end, 2), round(bottom, 2),
                       baseline, float(size), False, False, True)  # fmt: skip
            at += len(word) + 1


def _edges(box: Any, scale: float) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of a box in points."""
    across, down = [float(p[0]) / scale for p in box], [float(p[1]) / scale for p in box]
    return min(across), min(down), max(across), max(down)


def _say(record: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(record) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
