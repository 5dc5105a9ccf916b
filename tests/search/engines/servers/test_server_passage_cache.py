"""Fetched passages are kept up to a number; those used last stay."""

from __future__ import annotations

from engine_samples import passage

from search.engines.servers.passage_cache import PassageCache

ONE, TWO, THREE = (passage("A", str(i), f"text {i}") for i in range(3))


def test_what_is_kept_is_known() -> None:
    cache = PassageCache()
    cache.keep({1: ONE, 2: TWO})
    assert cache.known([2, 3]) == {2: TWO}


def test_what_was_not_used_for_longest_goes_first() -> None:
    cache = PassageCache(capacity=2)
    cache.keep({1: ONE, 2: TWO})
    cache.known([1])
    cache.keep({3: THREE})
    assert cache.known([1, 2, 3]) == {1: ONE, 3: THREE}


def test_more_than_all_it_holds_does_no_harm() -> None:
    cache = PassageCache(capacity=1)
    cache.keep({1: ONE, 2: TWO})
    assert cache.known([1, 2]) == {2: TWO}
