"""Find the passages of regulations that answer a question.

    import search

    with search.open("rirag-index") as index:
        for hit in index.search("When must a suspicious transaction be reported?").hits:
            print(hit.rank, hit.citation(), hit.text)

It knows nothing of readers, answers and the command line. Importing is quick: engine, encoder and
their libraries load when an index is opened.
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
from search.records import DocumentSummary, Filters, Hit, Passage, RetrieverScore, Scores

if TYPE_CHECKING:
    from search.answered_questions.questions import AnsweredQuestion
    from search.engines.protocol import IndexDescription
    from search.engines.servers import ServerOptions
    from search.index import Index
    from search.index import open_index as open  # noqa: A004 - reads as search.open(...)
    from search.models.encoders import EncodedPassages, Encoder, load_encoder
    from search.models.rerankers import Reranker, load_reranker
    from search.pipeline import SearchResult
    from search.plan import Plan
    from search.provisions.links.links import Links
    from search.ranking.profile_file import load_profile
    from search.ranking.profiles import AlphaStep, Profile
    from search.trace import SearchTrace

_LAZY = {
    "open": ("search.index", "open_index"),
    "AlphaStep": ("search.ranking.profiles", "AlphaStep"),
    "EncodedPassages": ("search.models.encoders", "EncodedPassages"),
    "Encoder": ("search.models.encoders", "Encoder"),
    "Index": ("search.index", "Index"),
    "IndexDescription": ("search.engines.protocol", "IndexDescription"),
    "AnsweredQuestion": ("search.answered_questions.questions", "AnsweredQuestion"),
    "Links": ("search.provisions.links.links", "Links"),
    "Plan": ("search.plan", "Plan"),
    "Profile": ("search.ranking.profiles", "Profile"),
    "Reranker": ("search.models.rerankers", "Reranker"),
    "SearchResult": ("search.pipeline", "SearchResult"),
    "SearchTrace": ("search.trace", "SearchTrace"),
    "ServerOptions": ("search.engines.servers", "ServerOptions"),
    "load_encoder": ("search.models.encoders", "load_encoder"),
    "load_profile": ("search.ranking.profile_file", "load_profile"),
    "load_reranker": ("search.models.rerankers", "load_reranker"),
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
    "AnsweredQuestion",
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
    "LLMError",
    "Links",
    "MissingDependencyError",
    "ModelError",
    "Passage",
    "Plan",
    "Profile",
    "Reranker",
    "RetrieverScore",
    "RiragError",
    "Scores",
    "SearchResult",
    "SearchTrace",
    "ServerOptions",
    "StorageError",
    "load_encoder",
    "load_profile",
    "load_reranker",
    "open",
]
