"""Conversations with a server: what to ask, and what to make of the answers.

A conversation is a generator that yields the lines of an `_msearch`, two a search, and is sent its
answers, so that synchronous and asynchronous callers take the same steps, and several conversations
share their round trips.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeVar

from search.engines.servers.connection.client import Body

Result = TypeVar("Result")

Answers = list[dict[str, Any]]
Conversation = Generator[list[Body], Answers, Result]

LINES = 2
"""Of a search in an `_msearch`: where to search, and what for."""


def together(*conversations: Conversation[Result]) -> Conversation[list[Result]]:
    """Hold conversations side by side, and return what each returns, in their order."""
    results: dict[int, Result] = {}
    asking: dict[int, list[Body]] = {}

    def go_on(place: int, answers: Answers | None) -> None:
        try:
            # The first one is sent nothing: it begins.
            asking[place] = conversations[place].send(answers)  # type: ignore[arg-type]
        except StopIteration as end:
            results[place] = end.value

    for place in range(len(conversations)):
        go_on(place, None)
    while asking:
        asked, asking = asking, {}
        answers = yield [line for lines in asked.values() for line in lines]
        for place, lines in asked.items():
            searches = len(lines) // LINES
            go_on(place, answers[:searches])
            answers = answers[searches:]
    return [results[place] for place in range(len(conversations))]
