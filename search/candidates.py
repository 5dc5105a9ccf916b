"""What a retriever proposes for a question, as columns.

A retriever proposes hundreds of passages and a search shows ten: they stay in arrays, and an object
is made of one when it is looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from search.records import KINDS, Key, Kind

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Candidate(NamedTuple):
    """A passage that a retriever proposes."""

    key: Key
    document_id: str
    score: float
    """Raw score of the retriever: BM25 (≥ 0), cosine (-1 to 1) or votes (0 to 1)."""
    kind: Kind = "rule"


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """What a retriever proposes, best first; every array has the shape (candidates,)."""

    keys: NDArray[np.int64]
    document_ids: NDArray[np.object_]
    scores: NDArray[np.float64]
    kinds: NDArray[np.uint8]
    """Places in `KINDS`."""

    @classmethod
    def of(cls, candidates: Iterable[Candidate]) -> Candidates:
        """Return the columns of candidates, in their order."""
        rows = list(candidates)
        return cls.columns(
            [one.key for one in rows],
            [one.document_id for one in rows],
            [one.score for one in rows],
            [KINDS.index(one.kind) for one in rows],
        )

    @classmethod
    def columns(
        cls,
        keys: Sequence[Key] | NDArray[Any],
        document_ids: Sequence[str] | NDArray[np.object_],
        scores: Sequence[float] | NDArray[Any],
        kinds: Sequence[int] | NDArray[Any],
    ) -> Candidates:
        """Return columns of these values, whatever sequences they come in."""
        return cls(
            np.asarray(keys, np.int64),
            np.asarray(document_ids, np.object_),
            np.asarray(scores, np.float64),
            np.asarray(kinds, np.uint8),
        )

    @classmethod
    def joined(cls, *several: Candidates) -> Candidates:
        """Return the rows of several, one behind the other."""
        columns = ((one.keys, one.document_ids, one.scores, one.kinds) for one in several)
        return cls(*map(np.concatenate, zip(*columns, strict=True)))

    def __len__(self) -> int:
        return len(self.keys)

    def __getitem__(self, place: int) -> Candidate:
        """Return one candidate."""
        return Candidate(
            int(self.keys[place]),
            self.document_ids[place],
            float(self.scores[place]),
            KINDS[self.kinds[place]],
        )

    def __iter__(self) -> Iterator[Candidate]:
        return (self[place] for place in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Candidates) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def at(self, places: NDArray[Any] | slice) -> Candidates:
        """Return the candidates at some places, of a slice, or where an array of truths is true."""
        return Candidates(
            self.keys[places], self.document_ids[places], self.scores[places], self.kinds[places]
        )

    def merged(self, more: Candidates) -> Candidates:
        """Return these candidates and those of others that are not among them, best first."""
        fresh = more.at(~np.isin(more.keys, self.keys))
        both = Candidates(
            np.concatenate([self.keys, fresh.keys]),
            np.concatenate([self.document_ids, fresh.document_ids]),
            np.concatenate([self.scores, fresh.scores]),
            np.concatenate([self.kinds, fresh.kinds]),
        )
        return both.at(np.lexsort((both.keys, -both.scores)))


NO_CANDIDATES = Candidates.of(())
"""Of a retriever that was not run, or found nothing."""
