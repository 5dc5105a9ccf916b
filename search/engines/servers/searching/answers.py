"""What is read out of the answers to searches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Hits(NamedTuple):
    """The hits of a retriever, best first; every array has the shape (hits,)."""

    rows: NDArray[np.int64]
    scores: NDArray[np.float64]
    kinds: NDArray[np.uint8]
    """Codes of the kinds (0 for whole documents)."""


NO_HITS = Hits(np.zeros(0, np.int64), np.zeros(0), np.zeros(0, np.uint8))


def hits_in(answer: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return the hits of a search within a `multi_search`.

    Of one without hits OpenSearch leaves out all that `NOT_READ` names a part of.
    """
    found: Sequence[Mapping[str, Any]] = answer.get("hits", {}).get("hits", ())
    return found


def scored_hits(answer: Mapping[str, Any]) -> Hits:
    """Return the hits of a retriever (see `queries.best_hits`), ties in the order of the index."""
    found = [hit["sort"] for hit in hits_in(answer)]
    if not found:
        return NO_HITS
    scores, rows, *kinds = (np.array(column) for column in zip(*found, strict=True))
    codes = kinds[0] if kinds else np.zeros(len(rows))
    return Hits(rows, scores.astype(np.float64), codes.astype(np.uint8))


def best_sources(answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the passages of the best hits, where they were asked for."""
    best = answer.get("aggregations", {}).get("best")
    return [hit["_source"] for hit in best["hits"]["hits"]] if best else []


def document_counts(answer: Mapping[str, Any]) -> tuple[dict[int, int], int | None]:
    """Return position → passages, and where the next page begins (None: this was the last)."""
    page = answer["aggregations"]["documents"]
    counts = {int(one["key"]["document"]): int(one["doc_count"]) for one in page["buckets"]}
    after = page.get("after_key")
    return counts, int(after["document"]) if after else None
