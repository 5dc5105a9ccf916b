"""The texts that need a vector, in batches of similar length."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from indexer.load.spool import Spool

WINDOW = 8192
"""Texts sorted by length together. Of the ADGM passages, in batches of 32, 1.5 % of the words
are then padding; at 2,048 it is 4.9 %, at 512 it is 23 % (measured)."""

BATCH = 256
"""Texts encoded and kept at once: what a `kill -9` can lose."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Texts of similar length, and the hashes that their vectors go by."""

    positions: tuple[int, ...]
    """Places in the spool."""
    hashes: tuple[str, ...]


def batches(spool: Spool) -> Iterator[Batch]:
    """Yield the texts without a vector, window by window, from short to long."""
    for window in spool.missing(WINDOW):
        texts = sorted(window, key=lambda text: (text[2], text[0]))
        for start in range(0, len(texts), BATCH):
            positions, hashes, _ = zip(*texts[start : start + BATCH], strict=True)
            yield Batch(positions, hashes)
