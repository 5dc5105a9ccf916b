"""Where `search.bm25` was before; `rirag.training.ranking.lexical` still asks for it here."""

from search.bm25 import BM25Index, build

__all__ = ["BM25Index", "build"]
