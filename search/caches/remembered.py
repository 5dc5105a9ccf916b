"""Values that were looked up in an opened index; it never changes, so they stay right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

from search.caches.last_used import LastUsed

K = TypeVar("K")
V = TypeVar("V")

CAPACITY = 16_384
"""Values that are kept: of answered questions, with their text, some 10 MB."""


class Remembered(Generic[K, V]):
    """The values used last, by key; safe to share between threads."""

    def __init__(
        self, look_up: Callable[[Sequence[K]], Mapping[K, V]], capacity: int = CAPACITY
    ) -> None:
        """Begin with nothing.

        Args:
            look_up: returns the values of keys; one without a value may be missing.
            capacity: how many values are kept at most.
        """
        self._look_up = look_up
        self._kept: LastUsed[K, V | None] = LastUsed(capacity)

    def of(self, keys: Iterable[K]) -> dict[K, V]:
        """Return the value of each key that has one, in the order asked.

        Those that are not kept are looked up together. What has no value is remembered as well.
        """
        wanted = list(dict.fromkeys(keys))
        found = self._kept.known(wanted)
        missing = [key for key in wanted if key not in found]
        if missing:
            values = self._look_up(missing)
            looked_up = {key: values.get(key) for key in missing}
            self._kept.keep(looked_up)
            found |= looked_up
        return {key: value for key in wanted if (value := found[key]) is not None}
