"""Exact nearest neighbours over memory-mapped unit vectors.

Few vectors are compared as they are stored, in float16. Many are first scanned as int8, which numpy
widens forty times as fast, and the best of them compared again in float16.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from search.engines.embedded import layout

Number = TypeVar("Number", bound=np.generic)


def mapped(path: Path, dtype: type[Number]) -> NDArray[Number]:
    """Map a file as a flat array; an empty file, which cannot be mapped, gives an empty one."""
    if not path.stat().st_size:
        return np.empty(0, dtype)
    # A plain view of the map: reading single values of a memmap object is slow.
    return np.asarray(np.memmap(path, dtype=dtype, mode="r"))


RESCORE = 3
"""How many times the wanted depth survives the int8 scan: 1.5 already lose none of the hundred
nearest among 13,012 vectors of rulebooks; more vectors lie closer together."""

DIRECT_BELOW = 512
"""Up to this many vectors are compared in float16 alone."""

_WIDENED_ROWS = 1024
"""Rows that are widened to float32 at a time: they stay in the processor's cache."""

_ROUNDING = 1e-6
"""By less than this may the products of equal vectors differ."""


class VectorWriter:
    """Writes the vector files of a generation row by row."""

    def __init__(self, folder: Path) -> None:
        self._files = ExitStack()
        self._f16, self._i8, self._scales, self._rows = (
            self._files.enter_context((folder / name).open("xb"))
            for name in (
                layout.VECTORS_F16, layout.VECTORS_I8, layout.SCALES, layout.VECTOR_ROWS
            )
        )  # fmt: skip

    def write(self, rows: NDArray[np.uint32], vectors: NDArray[np.float16]) -> None:
        """Append vectors, shape (rows, dimension), in ascending order of row."""
        largest = np.abs(vectors.astype(np.float32)).max(axis=1, initial=0)
        scales = np.where(largest > 0, largest / 127, 1).astype(np.float32)
        quantised = np.rint(vectors.astype(np.float32) / scales[:, None]).astype(np.int8)
        self._f16.write(np.ascontiguousarray(vectors).tobytes())
        self._i8.write(quantised.tobytes())
        self._scales.write(scales.tobytes())
        self._rows.write(rows.astype(np.uint32).tobytes())

    def close(self) -> None:
        """Flush and close the files."""
        self._files.close()


class VectorIndex:
    """The mapped vectors of a generation; safe to search from several threads."""

    def __init__(self, folder: Path, dimension: int) -> None:
        self.rows = mapped(folder / layout.VECTOR_ROWS, np.uint32)
        self._scales = mapped(folder / layout.SCALES, np.float32)
        shape = (len(self.rows), dimension)
        self._f16 = mapped(folder / layout.VECTORS_F16, np.float16).reshape(shape)
        self._i8 = mapped(folder / layout.VECTORS_I8, np.int8).reshape(shape)

    def search(
        self, vector: NDArray[np.float32], depth: int, allowed: NDArray[np.uint32] | None = None
    ) -> tuple[NDArray[np.uint32], NDArray[np.float32]]:
        """Return the nearest rows and their cosines, best first, ties in row order.

        Args:
            vector: unit vector, shape (dimension,).
            depth: how many rows at most.
            allowed: sorted rows that may be returned; None: all.
        """
        slots = None if allowed is None else self._slots_of(allowed)
        count = len(self.rows) if slots is None else len(slots)
        if count > max(DIRECT_BELOW, depth * RESCORE):
            slots = self._scan(vector, depth * RESCORE, slots)
        return self._exact(vector, depth, slots)

    def slots(self, rows: Iterable[int]) -> NDArray[np.float16]:
        """Return the stored vectors of rows that have one."""
        return np.asarray(self._f16[np.searchsorted(self.rows, list(rows))])

    def _slots_of(self, allowed: NDArray[np.uint32]) -> NDArray[np.int64]:
        if not len(self.rows):
            return np.empty(0, np.int64)
        places = np.minimum(np.searchsorted(self.rows, allowed), len(self.rows) - 1)
        kept: NDArray[np.int64] = places[self.rows[places] == allowed]
        return kept

    def _scan(
        self, vector: NDArray[np.float32], keep: int, slots: NDArray[np.int64] | None
    ) -> NDArray[np.int64]:
        count = len(self.rows) if slots is None else len(slots)
        scores = _products(self._i8, vector, slots)
        scores *= self._scales if slots is None else self._scales[slots]
        # With all that tie with the last: the exact comparison then puts ties in row order.
        last = np.partition(scores, count - keep)[count - keep]
        best = np.flatnonzero(scores >= last - _ROUNDING)
        return np.sort(best if slots is None else slots[best]).astype(np.int64)

    def _exact(
        self, vector: NDArray[np.float32], depth: int, slots: NDArray[np.int64] | None
    ) -> tuple[NDArray[np.uint32], NDArray[np.float32]]:
        vectors = self._f16 if slots is None else self._f16[slots]
        rows = self.rows if slots is None else self.rows[slots]
        if not len(vectors):
            return rows, np.empty(0, np.float32)
        # Equal vectors must give equal products, which the library's of a matrix do not always.
        asked = vector.astype(vectors.dtype).astype(np.float32)
        scores = (vectors.astype(np.float32) * asked).sum(axis=1)
        order = np.lexsort((rows, -scores))[:depth]
        return rows[order], scores[order]


def _products(
    vectors: NDArray[np.int8], vector: NDArray[np.float32], slots: NDArray[np.int64] | None
) -> NDArray[np.float32]:
    """Return the products of stored vectors (those at `slots`, or all) with one, shape (rows,)."""
    count = len(vectors) if slots is None else len(slots)
    scores = np.empty(count, np.float32)
    wide = np.empty((min(_WIDENED_ROWS, count), len(vector)), np.float32)
    for start in range(0, count, _WIDENED_ROWS):
        part = slice(start, min(start + _WIDENED_ROWS, count))
        rows = wide[: part.stop - start]
        rows[:] = vectors[part if slots is None else slots[part]]
        np.dot(rows, vector, out=scores[part])
    return scores
