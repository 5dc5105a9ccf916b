"""What every engine must do, as tests that any engine's test class inherits.

An engine's test file says how to make an empty index, and nothing else:

    class TestMyEngine(EngineConformance):
        @pytest.fixture
        def index(self): return IndexUnderTest(MyBackend(), "scheme://…/fresh-name")
"""

from __future__ import annotations

from conformance.beside import Beside
from conformance.bm25_reference import BM25
from conformance.changes import Changes
from conformance.concurrency import Concurrency
from conformance.dense_retriever import DenseRetriever
from conformance.document_retriever import DocumentRetriever
from conformance.filters import FilteredRetrievers
from conformance.hostile import HostileContent
from conformance.lexical_retriever import LexicalRetriever
from conformance.lookups import Lookups
from conformance.rebuilds import Rebuilds
from conformance.vectors import KnownVectors


class EngineConformance(
    LexicalRetriever,
    DenseRetriever,
    DocumentRetriever,
    FilteredRetrievers,
    Lookups,
    Changes,
    Rebuilds,
    Beside,
    KnownVectors,
    HostileContent,
    Concurrency,
):
    """All of it; the subclass gives the fixture `index`."""


__all__ = ["BM25", "EngineConformance"]
