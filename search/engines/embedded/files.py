"""What is read of an opened generation: its store, its arrays, its indexes of words."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from search.engines.embedded import layout
from search.engines.embedded.mapped import mapped
from search.engines.embedded.store import Store
from search.engines.embedded.vectors import VectorIndex
from search.text.bm25 import BM25Index


@dataclass(frozen=True, slots=True)
class OpenedFiles:
    """The files of a generation; a map is freed with the last object that refers to it."""

    store: Store
    documents: NDArray[Any]
    """DocumentIDs, in the order they were first loaded."""
    row_documents: NDArray[np.uint32]
    """Position of each row's document."""
    row_kinds: NDArray[np.uint8]
    """Position of each row's kind in `KINDS`."""
    filters: NDArray[np.uint32]
    """Rows of every filter value, one range behind the other."""
    vectors: VectorIndex
    lexical: BM25Index
    """The words of every passage."""
    whole: BM25Index
    """The words of every document."""

    @classmethod
    def of(cls, folder: Path, dimension: int) -> Self:
        """Open the files of a generation.

        Raises:
            OSError, ValueError, sqlite3.DatabaseError: one of them is not what was written.
        """
        store = Store(folder)
        try:
            names = [document.document_id for document in store.documents()]
            return cls(
                store=store,
                documents=np.array(names, np.object_),
                row_documents=mapped(folder / layout.ROW_DOCUMENTS, np.uint32),
                row_kinds=mapped(folder / layout.ROW_KINDS, np.uint8),
                filters=mapped(folder / layout.FILTERS, np.uint32),
                vectors=VectorIndex(folder, dimension),
                lexical=BM25Index(folder / layout.LEXICAL),
                whole=BM25Index(folder / layout.DOCUMENTS),
            )
        except (OSError, ValueError, sqlite3.DatabaseError):
            store.close()
            raise
