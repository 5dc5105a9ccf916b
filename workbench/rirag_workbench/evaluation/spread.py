"""Taking some of many, from all over them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def spread(items: Sequence[T], limit: int | None) -> list[T]:
    """Return at most `limit` items, evenly spread, so that no part of a file is left out.

    Args:
        items: to take from.
        limit: how many; None: all.
    """
    if limit is None or len(items) <= limit:
        return list(items)
    return [items[place * len(items) // limit] for place in range(limit)]
