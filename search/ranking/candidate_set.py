"""The candidates of a question after the fusion, as columns.

A search has some four hundred candidates and shows ten. What the retrievers said of all of them is
kept in arrays, which the fusion and the fitted models work on; an object is made of one when it is
shown.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from search.records import KINDS, Key, RetrieverScore

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

UNRANKED = 1000.0
"""Rank of a candidate that a retriever did not propose: behind all whom it could have proposed."""


_NOT_PROPOSED = np.array([[np.nan], [0.0], [UNRANKED]])
"""The columns of `RetrieverColumns` for a candidate that the retriever did not propose."""


class RetrieverColumns(NamedTuple):
    """What one retriever said of each candidate; each array has the shape (candidates,)."""

    raw: Array
    """The retriever's own score: BM25, cosine, or a vote; NaN for those that it did not propose."""
    normalised: Array
    """0 to 1; 0 for those that it did not propose."""
    rank: Array
    """1-based; `UNRANKED` for those that it did not propose."""

    @classmethod
    def of(
        cls,
        size: int,
        places: Sequence[int] | NDArray[np.intp],
        raw: Sequence[float] | Array,
        normalised: Sequence[float] | Array,
        ranks: Sequence[int] | NDArray[np.intp] | None = None,
    ) -> RetrieverColumns:
        """Return the columns of a retriever that proposed some of `size` candidates.

        Args:
            size: how many candidates there are.
            places: of those that it proposed.
            raw: their scores.
            normalised: the same, scaled.
            ranks: theirs; None: their order.
        """
        table = np.repeat(_NOT_PROPOSED, size, axis=1)
        if len(places):
            table[0, places] = raw
            table[1, places] = normalised
            table[2, places] = np.arange(1, len(places) + 1) if ranks is None else ranks
        return cls(*table)

    @property
    def proposed(self) -> NDArray[np.bool_]:
        """Which candidates the retriever proposed, shape (candidates,)."""
        return ~np.isnan(self.raw)

    def at(self, places: NDArray[np.intp]) -> list[RetrieverScore | None]:
        """Return what the retriever said of some candidates."""
        raw, normalised, rank = (column.take(places).tolist() for column in self)
        return [
            None if math.isnan(score) else RetrieverScore(score, share, int(place))
            for score, share, place in zip(raw, normalised, rank, strict=True)
        ]

    def take(self, order: NDArray[np.intp]) -> RetrieverColumns:
        """Return the columns in another order."""
        return RetrieverColumns(*(column.take(order) for column in self))


class Fused(NamedTuple):
    """One candidate with what every retriever said of it."""

    key: Key
    document_id: str
    score: float
    """Fused score, 0 to 1."""
    lexical: RetrieverScore | None
    dense: RetrieverScore | None
    document: RetrieverScore | None
    memory: RetrieverScore | None
    help: RetrieverScore | None = None


@dataclass(frozen=True, slots=True, eq=False)
class FusedCandidates:
    """All candidates of a question; a place in every column is one of them."""

    keys: NDArray[np.int64]
    document_ids: NDArray[np.object_]
    documents: NDArray[np.intp]
    """A number for each document: equal where `document_ids` is."""
    headings: NDArray[np.bool_]
    """Which are only headings."""
    guidance: NDArray[np.bool_]
    """Which are guidance, or recitals."""
    scores: Array
    """Fused scores, 0 to 1."""
    lexical: RetrieverColumns
    dense: RetrieverColumns
    document: RetrieverColumns
    """Of each candidate's whole document."""
    memory: RetrieverColumns
    help: RetrieverColumns
    """Of the formulations of the question, if it has any."""

    @property
    def kinds(self) -> NDArray[np.uint8]:
        """Places in `KINDS`, as far as the fusion tells them apart."""
        rule, heading, guidance = (KINDS.index(kind) for kind in ("rule", "heading", "guidance"))
        found = np.where(self.headings, heading, np.where(self.guidance, guidance, rule))
        return found.astype(np.uint8)

    def __len__(self) -> int:
        return len(self.keys)

    def __getitem__(self, place: int) -> Fused:
        """Return one candidate."""
        return self.at([place])[0]

    def __iter__(self) -> Iterator[Fused]:
        return iter(self.at(range(len(self))))

    def at(self, places: Sequence[int]) -> list[Fused]:
        """Return the candidates at some places."""
        wanted = np.asarray(places, np.intp)
        columns = (
            self.keys.take(wanted).tolist(),
            self.document_ids.take(wanted).tolist(),
            self.scores.take(wanted).tolist(),
            *(
                retriever.at(wanted)
                for retriever in (self.lexical, self.dense, self.document, self.memory)
            ),
            self.help.at(wanted),
        )
        return [Fused(*row) for row in zip(*columns, strict=True)]

    def are_of(self, documents: Collection[str], places: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Return which of the candidates at some places are of these documents."""
        ids = self.document_ids.take(places).tolist()
        return np.fromiter((one in documents for one in ids), np.bool_, len(ids))

    def in_order(self, scores: Array) -> FusedCandidates:
        """Return the candidates with these scores, best first; ties keep their order."""
        order = np.argsort(-scores, kind="stable")
        columns = {one.name: getattr(self, one.name) for one in fields(self)} | {"scores": scores}
        return FusedCandidates(**{name: one.take(order) for name, one in columns.items()})


class Ranking(NamedTuple):
    """An order of all candidates; a place is one in `FusedCandidates`."""

    places: NDArray[np.intp]
    """Best first, shape (candidates,)."""
    scores: NDArray[np.float64]
    """Of each of `places`, what decides: the fused score until something better is known."""
    rerank: Mapping[int, RetrieverScore]
    """Place → what the reranker said of it, for those that it read."""

    @classmethod
    def of(cls, fused: FusedCandidates) -> Ranking:
        """Return the order of the fusion."""
        return cls(np.arange(len(fused)), fused.scores, {})

    def reordered(
        self, places: Sequence[int] | NDArray[np.intp], scores: Sequence[float] | Array
    ) -> Ranking:
        """Return the order after a step that looked at the first candidates alone.

        Args:
            places: theirs, in any order.
            scores: their new ones; the best comes first, ties stay as they are, and the others
                follow, scored no higher.
        """
        if not len(places):
            return self
        head, given = np.asarray(places, np.intp), np.asarray(scores, np.float64)
        best = np.argsort(-given, kind="stable")
        rest = np.minimum(self.scores[len(head) :], given.min())
        return self._replace(
            places=np.concatenate([head[best], self.places[len(head) :]]),
            scores=np.concatenate([given[best], rest]),
        )


_NOTHING = RetrieverColumns.of(0, (), (), ())
_NONE = np.zeros(0)
NOTHING_FUSED = FusedCandidates(
    _NONE.astype(np.int64), _NONE.astype(np.object_), _NONE.astype(np.intp), _NONE.astype(bool),
    _NONE.astype(bool), _NONE, *[_NOTHING] * 5,
)  # fmt: skip
"""Of a search before its candidates are fused."""
NOT_RANKED = Ranking.of(NOTHING_FUSED)
