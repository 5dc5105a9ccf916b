"""Makes hits by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from search.records import Hit, Passage, RetrieverScore, Scores


def make_hit(text: str, number: str = "1.1", score: float = 0.9, rank: int = 1, **more: Any) -> Hit:
    fields = {"document_id": "3", "document_title": "COBS_VER15.150823", **more}
    key = f"{fields['document_id']}/{number}"
    passage = Passage(id=key, passage_id=number, text=text, **fields)
    return Hit(rank, score, Scores(RetrieverScore(score, score, rank)), passage)


def make_hits(*texts: str) -> list[Hit]:
    """One hit a text, numbered 1.1, 1.2, …, all good enough to answer from."""
    return [
        make_hit(text, f"1.{rank}", 1 - rank / 100, rank, order=rank)
        for rank, text in enumerate(texts, start=1)
    ]


def with_scores(scores: Sequence[float]) -> list[Hit]:
    return [
        make_hit("A Person must pay.", f"1.{rank}", score, rank)
        for rank, score in enumerate(scores, start=1)
    ]
