"""Passages that were fetched already; a generation never changes, so they stay right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from search.caches.last_used import LastUsed
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
        self._kept: LastUsed[int, Passage | Stored] = LastUsed(capacity)

    def known(self, rows: Iterable[int]) -> dict[int, Passage]:
        """Return those of the rows that are kept."""
        passages = {
            row: one if isinstance(one, Passage) else passage_of(one)
            for row, one in self._kept.known(rows).items()
        }
        self._kept.keep(passages)
        return passages

    def keep(self, stored: Iterable[Stored]) -> None:
        """Keep passages, and forget those that were not used for longest."""
        self._kept.keep_new({one["row"]: one for one in stored})
