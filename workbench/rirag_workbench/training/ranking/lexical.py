"""BM25 over the passages of a training run, as search computes it."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from search.text import bm25
from search.text.analyzer import tokens

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
    # tantivy may still be tidying up in there when the folder goes.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        built = Path(folder) / "bm25"
        bm25.build(built, ((row, " ".join(tokens(text)), ()) for row, text in enumerate(texts)))
        index = bm25.BM25Index(built)
        found = (index.search(tokens(question), DEPTH) for question in questions)
        return [tuple(zip(rows.tolist(), scores.tolist(), strict=True)) for rows, scores in found]
