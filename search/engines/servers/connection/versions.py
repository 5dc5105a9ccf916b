"""Which versions of the servers are supported."""

from __future__ import annotations

import re
from typing import Any

from search.engines.servers.connection.address import ServerAddress
from search.errors import IndexUnavailableError


def checked_version(
    address: ServerAddress,
    title: str,
    answer: Any,
    oldest: tuple[int, ...],
    before: tuple[int, ...],
) -> tuple[int, ...]:
    """Return the version in the answer to `GET /`.

    Raises:
        IndexUnavailableError: it is older than `oldest`, or not below `before`.
    """
    number = str(answer["version"]["number"])
    version = tuple(int(part) for part in re.findall(r"\d+", number)[:3])
    if oldest <= version < before:
        return version
    raise IndexUnavailableError(
        f"the server at {address.node} is {title} {number}, but rirag needs "
        f"{_dotted(oldest)} or newer, below {_dotted(before)}; use another server",
        code="engine.version",
    )


def product_of_refusal(reason: str) -> str | None:
    """Return which product refuses a request in such words; None where they tell nothing.

    A caller without the right to ask for the version is only answered with a refusal.
    """
    return next((title for title, words in _REFUSALS.items() if re.match(words, reason)), None)


_REFUSALS = {
    "Elasticsearch": r"action \[[^\]]+\] is unauthorized for ",
    "OpenSearch": r"no permissions for \[[^\]]+\] and User ",
}


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
