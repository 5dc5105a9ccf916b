"""How much of the server one key may use: requests a minute, and answers at once."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rirag.server.access.keys import Key
from rirag.server.problems import busy

AT_ONCE = 10.0
"""Requests that a key may send at once if it may send as many in a minute."""


class Rates:
    """Token buckets of keys, by name; a full bucket holds the requests of ten seconds, and at least
    ten requests, or all of a minute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}
        self._answers: Counter[str] = Counter()

    def take(self, key: Key) -> None:
        """Count one request.

        Raises:
            Problem: the key has sent too many.
        """
        per_second = key.requests_per_minute / 60
        most = max(min(key.requests_per_minute, AT_ONCE), key.requests_per_minute / 6)
        now = self._clock()
        left, since = self._buckets.get(key.name, (most, now))
        left = min(most, left + (now - since) * per_second)
        if left < 1:
            self._buckets[key.name] = left, now
            seconds = math.ceil((1 - left) / per_second)
            raise busy(
                f"the key may send {key.requests_per_minute} requests per minute; try "
                f"again in {seconds} s.",
                "limit.rate",
                seconds,
            )
        self._buckets[key.name] = left - 1, now

    @contextmanager
    def answer(self, key: Key | None) -> Iterator[None]:
        """Hold one of the answers that a key may have running.

        Raises:
            Problem: it has as many as it may.
        """
        if key is None:
            yield
            return
        if self._answers[key.name] >= key.answers_at_once:
            raise busy(
                f"the key may have {key.answers_at_once} answers running at the same "
                "time; wait for one to end.",
                "limit.answers",
                2,
            )
        self._answers[key.name] += 1
        try:
            yield
        finally:
            self._answers[key.name] -= 1
