"""The texts that want a vector, in batches that every process makes alike from the same sources."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from indexer.load.spool import HELPED, Spool
from search.engines.protocol import VectorShare

WINDOW = 8192
"""Passages sorted by length together. Of the ADGM passages, in batches of 32, 1.5 % of the words
are then padding; at 2,048 it is 4.9 %, at 512 it is 23 % (measured)."""

BATCH = 256
"""Texts encoded and kept at once: what a `kill -9` can lose."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Texts of similar length, and the hashes that their vectors go by."""

    positions: tuple[int, ...]
    """Places in the spool."""
    hashes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """Up to `BATCH` passages of a window, and those of their texts that have no vector."""

    name: str
    """SHA-256 of the passages' IDs: what processes claim. It does not depend on what is known
    already, so that one that joins late claims the same cells."""
    missing: tuple[tuple[int, str], ...]
    """(position, vector hash), from short to long."""


def batches(spool: Spool, share: VectorShare, insist: bool = False) -> Iterator[Batch]:
    """Yield what this process is to encode: cells that it could claim, joined where they are small.

    Args:
        spool: holds the texts; what others have encoded meanwhile is marked there.
        share: where cells are claimed.
        insist: take what others have claimed, too.
    """
    waiting: list[tuple[int, str]] = []
    for cell in cells(spool):
        if not share.claim([cell.name]) and not insist:
            continue
        delivered = share.known_vectors([text_hash for _, text_hash in cell.missing])
        spool.mark(delivered, HELPED)
        missing = [one for one in cell.missing if one[1] not in delivered]
        if waiting and len(waiting) + len(missing) > BATCH:
            yield _batch(waiting)
            waiting = []
        waiting += missing
    if waiting:
        yield _batch(waiting)


def cells(spool: Spool) -> Iterator[Cell]:
    """Yield the cells that hold a text without a vector, in the order of the sources."""
    after = 0
    while upcoming := spool.missing(1, after):
        first = (upcoming[0][0] - 1) // WINDOW * WINDOW
        after = first + WINDOW
        missing = dict(spool.missing(WINDOW, first))
        passages = sorted(spool.lengths(first, after), key=lambda one: (one[2], one[0]))
        for start in range(0, len(passages), BATCH):
            part = passages[start : start + BATCH]
            wanted = [
                (position, missing[position]) for position, _, _ in part if position in missing
            ]
            if wanted:
                name = "\n".join(passage_id for _, passage_id, _ in part)
                digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
                yield Cell(digest, tuple(wanted))


def _batch(texts: list[tuple[int, str]]) -> Batch:
    return Batch(tuple(position for position, _ in texts), tuple(name for _, name in texts))
