"""Passages that were fetched already; a generation never changes, so they stay right."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any

from search.engines.servers.records import passage_of
from search.records import Passage

CAPACITY = 4096
"""Passages that are kept: some 10 MB of regulation."""

Stored = Mapping[str, Any]
"""A passage as the server keeps it (see `records.passage_source`)."""


class PassageCache:
    """The passages used last, by row; safe to share between threads.

    Most of what comes along with a search is never asked for, so it becomes a passage only then.
    """

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._kept: OrderedDict[int, Passage | Stored] = OrderedDict()
        self._lock = threading.Lock()

    def known(self, rows: Iterable[int]) -> dict[int, Passage]:
        """Return those of the rows that are kept."""
        with self._lock:
            return {row: self._passage(row) for row in rows if row in self._kept}

    def keep(self, stored: Iterable[Stored]) -> None:
        """Keep passages, and forget those that were not used for longest."""
        with self._lock:
            for one in stored:
                self._kept.setdefault(one["row"], one)
            while len(self._kept) > self._capacity:
                self._kept.popitem(last=False)

    def _passage(self, row: int) -> Passage:
        one = self._kept[row]
        if not isinstance(one, Passage):
            one = self._kept[row] = passage_of(one)
        self._kept.move_to_end(row)
        return one
