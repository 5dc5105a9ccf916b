"""What is read out of the answers to searches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Hit = tuple[int, float, int]
"""Row, score, and code of the kind (0 for whole documents)."""


def scored_hits(answer: Mapping[str, Any]) -> list[Hit]:
    """Return the hits of a leg, best first, ties in the order of the index."""
    hits = []
    for hit in answer.get("hits", {}).get("hits", ()):
        fields = hit["fields"]
        kind = fields.get("kind_code")
        hits.append((fields["row"][0], hit["_score"], kind[0] if kind else 0))
    hits.sort(key=lambda one: (-one[1], one[0]))
    return hits


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
