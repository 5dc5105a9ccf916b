"""Encode texts with a server that refuses some: in smaller batches, cut shorter, or without one.

What a server takes at once, and how long a text may be, differs and is rarely told before it
refuses.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from search.errors import ModelError
from search.models.encoders.protocol import Vectors
from search.models.faults import Fault
from search.models.server import RefusedError

AT_ONCE = 32
"""Texts of a request, until a server refuses so many."""
MOST_CUTS = 8
"""How often a text is cut further before it counts as failing."""
MOST_FAILING = 8
"""Texts that fail one after the other, and none succeeds, before the server counts as failing."""
_MARGIN = 0.9
"""Share of what a server says it takes that is sent: its tokens are not spread evenly."""

_SIZE = re.compile(r"batch|inputs?\b|array|list|items|contents|texts", re.IGNORECASE)
_MOST = re.compile(
    r"(?:larger than|greater than|more than|exceeds?|at most|maximum(?: allowed)?(?: batch)?"
    r"(?: size)?|max(?:imum)?|up to|limit(?: is| of)?|<=)\D{0,12}(\d{1,4})\b(?!\s*tokens)",
    re.IGNORECASE,
)
_TOKENS = re.compile(r"(\d{2,6}) tokens\D{0,120}?(\d{2,7})|(\d{2,7})\D{0,3}>\D{0,3}(\d{2,6})")


Send = Callable[[list[str]], Vectors]
"""Asks for the vectors of texts; raises `RefusedError`."""


@dataclass
class Encoded:
    """What became of texts, by their places."""

    vectors: dict[int, Vectors] = field(default_factory=dict)
    cut: set[int] = field(default_factory=set)
    """Texts that were cut further than they had been."""
    failed: dict[int, str] = field(default_factory=dict)
    """Why a text has no vector."""


class Splitting:
    """Sends texts in batches, and learns from what is refused; one for each server."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.at_once = AT_ONCE
        """Texts of a request, as far as is known."""
        self.alone_from: int | None = None
        """Characters from which a text is sent alone, since one so long was refused."""

    def encode(self, texts: Sequence[str]) -> Encoded:
        """Return what became of texts.

        Raises:
            ModelError: the server fails whatever it is sent.
        """
        done = Encoded()
        waiting = list(range(len(texts)))
        while waiting:
            batch = self._next(texts, waiting)
            waiting = waiting[len(batch) :]
            self._batch(texts, batch, done)
        return done

    def _next(self, texts: Sequence[str], waiting: Sequence[int]) -> list[int]:
        """Return the places of the next batch: some from the front."""
        most = math.inf if self.alone_from is None else self.alone_from
        short = itertools.takewhile(lambda at: len(texts[at]) < most, waiting[: self.at_once])
        return list(short) or [waiting[0]]

    def _batch(self, texts: Sequence[str], places: list[int], done: Encoded) -> None:
        if len(places) == 1:
            self._one(texts[places[0]], places[0], done)
            return
        try:
            vectors = self._send([texts[place] for place in places])
        except RefusedError as refused:
            self._learn_size(refused.fault, len(places))
            size = min(self.at_once, (len(places) + 1) // 2)
            for start in range(0, len(places), size):
                self._batch(texts, places[start : start + size], done)
        else:
            done.vectors |= {place: vectors[row] for row, place in enumerate(places)}

    def _one(self, text: str, place: int, done: Encoded) -> None:
        """Encode one text, cut as far as the server wants it."""
        left = text
        for _ in range(MOST_CUTS):
            try:
                done.vectors[place] = self._send([left])[0]
            except RefusedError as refused:
                shorter = _shorter(left, refused.fault)
                if shorter is None:
                    self._fail(place, refused.told, done)
                    return
                self.alone_from = min(self.alone_from or len(left), len(left))
                left = shorter
                done.cut.add(place)
            else:
                return
        self._fail(place, "it is too long for the server even after splitting", done)

    def _fail(self, place: int, told: str, done: Encoded) -> None:
        done.failed[place] = told
        done.cut.discard(place)
        if not done.vectors and len(done.failed) >= MOST_FAILING:
            raise ModelError(f"{told} (as for each of {len(done.failed)} texts)")

    def _learn_size(self, fault: Fault, size: int) -> None:
        """Learn how many texts a request may have, where the server says so."""
        if fault.is_a("too-long") or not _SIZE.search(fault.reason):
            return
        told = [int(found[1]) for found in _MOST.finditer(fault.reason)]
        lower = [number for number in told if 0 < number < size]
        self.at_once = min(self.at_once, min(lower, default=max(1, size // 2)))


def _shorter(text: str, fault: Fault) -> str | None:
    """Return a text as far as a server may take it; None where its length is not at fault."""
    if not (fault.is_a("too-long") or fault.status == 413) or len(text) <= 1:
        return None
    share = 0.5
    if found := _TOKENS.search(fault.reason):
        numbers = sorted(int(number) for number in found.groups() if number)
        share = min(_MARGIN * numbers[0] / numbers[1], _MARGIN)
    return text[: max(1, int(len(text) * share))]
