"""Conversations that share their round trips."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from search.engines.servers.connection.conversations import Conversation, together


def counting(name: str, *turns: int) -> Conversation[list[Any]]:
    """Ask so many searches in each turn, and return all answers."""
    heard: list[Any] = []
    for turn, count in enumerate(turns):
        lines = [{"name": name, "turn": turn}, {"search": 0}] * count
        heard += yield lines
    return heard


def talk(conversation: Conversation[Any]) -> tuple[Any, list[list[str]]]:
    """Answer each search with whose it is; return the result, and who asked in each round trip."""
    trips: list[list[str]] = []
    try:
        lines: Sequence[Any] = next(conversation)
        while True:
            headers = lines[::2]
            trips.append([one["name"] for one in headers])
            lines = conversation.send([f"{one['name']}{one['turn']}" for one in headers])  # type: ignore[misc]
    except StopIteration as end:
        return end.value, trips


def test_each_hears_the_answers_to_its_own_searches() -> None:
    results, trips = talk(together(counting("a", 2), counting("b", 1)))
    assert results == [["a0", "a0"], ["b0"]]
    assert trips == [["a", "a", "b"]]


def test_who_has_more_to_ask_goes_on_alone() -> None:
    results, trips = talk(together(counting("a", 1), counting("b", 1, 2, 1), counting("c", 1, 1)))
    assert results == [["a0"], ["b0", "b1", "b1", "b2"], ["c0", "c1"]]
    assert trips == [["a", "b", "c"], ["b", "b", "c"], ["b"]]


def test_who_has_nothing_to_ask_returns_at_once() -> None:
    results, trips = talk(together(counting("a"), counting("b", 1)))
    assert (results, trips) == ([[], ["b0"]], [["b"]])
    assert talk(together(counting("a"), counting("b"))) == ([[], []], [])
