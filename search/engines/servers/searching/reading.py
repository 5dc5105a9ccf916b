"""Searches that read documents of an index, page by page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from search.engines.servers.connection.client import Body, Client
from search.engines.servers.searching import queries

PAGE = 1000
"""Documents of one answer: 1,000 passages of regulation are some 2 MB."""

MULTI_SEARCH = "/_msearch"
NOT_READ = "-responses.hits.hits._index,-responses.hits.hits._score"
"""What an answer leaves out of each hit, a third of its bytes: hits are told by their row, and have
their score in what they are sorted by."""


def search(client: Client, index: str, body: Body) -> dict[str, Any]:
    """Run one search; what only some shards answer is an error."""
    return client.request("POST", f"/{index}/_search", body, allow_partial_search_results=False)


def multi_search(client: Client, lines: Sequence[Body]) -> list[dict[str, Any]]:
    """Run several searches in one request (header and body of each in turn)."""
    answer = client.request("POST", MULTI_SEARCH, lines, filter_path=NOT_READ)
    return list(answer["responses"])


def in_order(
    client: Client,
    index: str,
    fields: Sequence[str],
    filters: Sequence[Body] = (),
    *,
    limit: int | None = None,
    page: int = PAGE,
) -> Iterator[list[dict[str, Any]]]:
    """Yield pages of what meets filters, in the order of the index.

    Args:
        client: of the server.
        index: of passages or of whole documents.
        fields: what is read of each; `row` must be among them.
        filters: clauses that all must hold.
        limit: how many at most; None: all, however many there are.
        page: how many a page.
    """
    left, after = limit, None
    while left is None or left > 0:
        size = page if left is None else min(left, page)
        body = queries.in_order(filters, size, fields, after)
        found = [hit["_source"] for hit in search(client, index, body)["hits"]["hits"]]
        if found:
            yield found
        if len(found) < size:
            return
        after = found[-1]["row"]
        left = None if left is None else left - size


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
