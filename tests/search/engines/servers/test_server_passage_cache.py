"""Fetched passages are kept up to a number; those used last stay."""

from __future__ import annotations

from typing import Any

from engine_samples import passage, record

from search.engines.servers.records import passage_source
from search.engines.servers.searching.engine import PassageCache

ONE, TWO, THREE = PASSAGES = [passage("A", str(i), f"text {i}") for i in range(3)]


def stored(row: int) -> dict[str, Any]:
    return passage_source(record(PASSAGES[row - 1]), row, [], None)


def test_what_is_kept_is_known() -> None:
    cache = PassageCache()
    cache.keep([stored(1), stored(2)])
    assert cache.known([2, 3]) == {2: TWO}


def test_a_passage_is_read_once() -> None:
    cache = PassageCache()
    cache.keep([stored(1)])
    first = cache.known([1])[1]
    cache.keep([stored(1)])
    assert cache.known([1])[1] is first


def test_what_was_not_used_for_longest_goes_first() -> None:
    cache = PassageCache(capacity=2)
    cache.keep([stored(1), stored(2)])
    cache.known([1])
    cache.keep([stored(3)])
    assert cache.known([1, 2, 3]) == {1: ONE, 3: THREE}


def test_more_than_all_it_holds_does_no_harm() -> None:
    cache = PassageCache(capacity=1)
    cache.keep([stored(1), stored(2)])
    assert cache.known([1, 2]) == {2: TWO}
