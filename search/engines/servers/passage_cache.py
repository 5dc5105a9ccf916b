"""Passages that were fetched already; a generation never changes, so they stay right."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable

from search.records import Passage

CAPACITY = 4096
"""Passages that are kept: some 10 MB of regulation."""


class PassageCache:
    """The passages used last, by row; safe to share between threads."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._kept: OrderedDict[int, Passage] = OrderedDict()
        self._lock = threading.Lock()

    def known(self, rows: Iterable[int]) -> dict[int, Passage]:
        """Return those of the rows that are kept."""
        with self._lock:
            found = {row: self._kept[row] for row in rows if row in self._kept}
            for row in found:
                self._kept.move_to_end(row)
        return found

    def keep(self, passages: dict[int, Passage]) -> None:
        """Keep passages, and forget those that were not used for longest."""
        with self._lock:
            self._kept.update(passages)
            while len(self._kept) > self._capacity:
                self._kept.popitem(last=False)
