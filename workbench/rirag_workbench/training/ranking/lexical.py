"""BM25 over the passages of a training run, as search computes it."""

from __future__ import annotations

from collections.abc import Sequence

from search.text.analyzer import tokens
from search.text.bm25 import BM25Index

DEPTH = 100
"""Candidates a retriever proposes, as in the default profile."""

Ranking = tuple[tuple[int, float], ...]
"""(passage, score), best first."""


def lexical_rankings(texts: Sequence[str], questions: Sequence[str]) -> list[Ranking]:
    """Return the best `DEPTH` passages of each question.

    Args:
        texts: of the passages; a passage's number is its place here.
        questions: as they are asked.
    """
    index = BM25Index.of(enumerate(map(tokens, texts)))
    found = (index.search(tokens(question), DEPTH) for question in questions)
    return [tuple(zip(rows.tolist(), scores.tolist(), strict=True)) for rows, scores in found]
