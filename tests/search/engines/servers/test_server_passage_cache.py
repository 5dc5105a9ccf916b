"""Fetched passages are kept as the server sent them, and read once."""

from __future__ import annotations

from typing import Any

from engine_samples import passage, record

from search.engines.servers.records import passage_source
from search.engines.servers.searching.engine import PassageCache

PASSAGES = [passage("A", str(i), f"text {i}") for i in range(2)]


def stored(row: int) -> dict[str, Any]:
    return passage_source(record(PASSAGES[row - 1]), row, [], None)


def test_what_is_kept_is_known() -> None:
    cache = PassageCache()
    cache.keep([stored(1), stored(2)])
    assert cache.known([2, 3]) == {2: PASSAGES[1]}


def test_a_passage_is_read_once() -> None:
    cache = PassageCache()
    cache.keep([stored(1)])
    first = cache.known([1])[1]
    cache.keep([stored(1)])
    assert cache.known([1])[1] is first
