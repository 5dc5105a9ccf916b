"""Keep small bounded caches for values that never change while an index is open.

They know nothing of what they keep.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")

CAPACITY = 16_384
"""Values that are kept: of answered questions, with their text, some 10 MB."""


class LastUsed(Generic[K, V]):
    """Keeps values by key, up to a number of them; safe to share between threads."""

    def __init__(self, capacity: int) -> None:
        """Begin with nothing; `capacity` is how many values are kept at most."""
        self._capacity = capacity
        self._kept: OrderedDict[K, V] = OrderedDict()
        self._lock = threading.Lock()

    def known(self, keys: Iterable[K]) -> dict[K, V]:
        """Return the values of those keys that are kept, in the order asked; they count as used."""
        with self._lock:
            found = {key: self._kept[key] for key in keys if key in self._kept}
            for key in found:
                self._kept.move_to_end(key)
        return found

    def keep(self, values: Mapping[K, V]) -> None:
        """Keep values; they count as used now."""
        with self._lock:
            for key, value in values.items():
                self._kept[key] = value
                self._kept.move_to_end(key)
            self._forget()

    def keep_new(self, values: Mapping[K, V]) -> None:
        """Keep the values of those keys that have none; the others stay as they are."""
        with self._lock:
            for key, value in values.items():
                self._kept.setdefault(key, value)
            self._forget()

    def _forget(self) -> None:
        while len(self._kept) > self._capacity:
            self._kept.popitem(last=False)


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
