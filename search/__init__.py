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
    from search.encoders import EncodedPassages, Encoder, load_encoder
    from search.engines.protocol import IndexDescription
    from search.engines.servers import ServerOptions
    from search.index import Index
    from search.index import open_index as open  # noqa: A004 - reads as search.open(...)
    from search.known_questions import KnownQuestion
    from search.pipeline import SearchResult
    from search.plan import Plan
    from search.profiles import AlphaStep, Profile, load_profile
    from search.references.links import Links
    from search.rerankers import Reranker, load_reranker

_LAZY = {
    "open": ("search.index", "open_index"),
    "AlphaStep": ("search.profiles", "AlphaStep"),
    "EncodedPassages": ("search.encoders", "EncodedPassages"),
    "Encoder": ("search.encoders", "Encoder"),
    "Index": ("search.index", "Index"),
    "IndexDescription": ("search.engines.protocol", "IndexDescription"),
    "KnownQuestion": ("search.known_questions", "KnownQuestion"),
    "Links": ("search.references.links", "Links"),
    "Plan": ("search.plan", "Plan"),
    "Profile": ("search.profiles", "Profile"),
    "Reranker": ("search.rerankers", "Reranker"),
    "SearchResult": ("search.pipeline", "SearchResult"),
    "ServerOptions": ("search.engines.servers", "ServerOptions"),
    "load_encoder": ("search.encoders", "load_encoder"),
    "load_profile": ("search.profiles", "load_profile"),
    "load_reranker": ("search.rerankers", "load_reranker"),
}
"""Public name → module that has it, and its name there."""


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'search' has no attribute {name!r}")
    from importlib import import_module

    module, attribute = _LAZY[name]
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = [
    "AlphaStep",
    "DocumentSummary",
    "EncodedPassages",
    "Encoder",
    "EncoderMismatchError",
    "Filters",
    "Hit",
    "Index",
    "IndexBusyError",
    "IndexCorruptError",
    "IndexDescription",
    "IndexUnavailableError",
    "InputError",
    "KnownQuestion",
    "LLMError",
    "LegScore",
    "Links",
    "MissingDependencyError",
    "ModelError",
    "Passage",
    "Plan",
    "Profile",
    "Reranker",
    "RiragError",
    "Scores",
    "SearchResult",
    "ServerOptions",
    "StorageError",
    "load_encoder",
    "load_profile",
    "load_reranker",
    "open",
]
