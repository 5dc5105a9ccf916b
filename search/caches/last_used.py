"""A bounded store of the values used last."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


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
