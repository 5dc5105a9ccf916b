"""Which passages of a regulation bear on a question?

    import search

    with search.open("rirag-index") as index:
        for hit in index.search("When must a suspicious transaction be reported?").hits:
            print(hit.rank, hit.citation(), hit.text)

Importing is quick: engine, encoder and their libraries load when an index is opened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from search.errors import (
    EncoderMismatchError,
    IndexBusyError,
    IndexCorruptError,
    IndexUnavailableError,
    InputError,
    LLMError,
    MissingDependencyError,
    ModelError,
    RiragError,
    StorageError,
)
from search.records import DocumentSummary, Filters, Hit, LegScore, Passage, Scores

if TYPE_CHECKING:
    from search.engines.servers import ServerOptions
    from search.index import Index
    from search.index import open_index as open  # noqa: A004 - reads as search.open(...)
    from search.known_questions import KnownQuestion
    from search.pipeline import SearchResult
    from search.plan import Plan
    from search.profiles import Profile

_LAZY = {
    "open": ("search.index", "open_index"),
    "Index": ("search.index", "Index"),
    "SearchResult": ("search.pipeline", "SearchResult"),
    "KnownQuestion": ("search.known_questions", "KnownQuestion"),
    "Plan": ("search.plan", "Plan"),
    "Profile": ("search.profiles", "Profile"),
    "ServerOptions": ("search.engines.servers", "ServerOptions"),
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'search' has no attribute {name!r}")
    from importlib import import_module

    module, attribute = _LAZY[name]
    return getattr(import_module(module), attribute)


__all__ = [
    "DocumentSummary",
    "EncoderMismatchError",
    "Filters",
    "Hit",
    "Index",
    "IndexBusyError",
    "IndexCorruptError",
    "IndexUnavailableError",
    "InputError",
    "KnownQuestion",
    "LLMError",
    "LegScore",
    "MissingDependencyError",
    "ModelError",
    "Passage",
    "Plan",
    "Profile",
    "RiragError",
    "Scores",
    "SearchResult",
    "ServerOptions",
    "StorageError",
    "open",
]
