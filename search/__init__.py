"""Find the passages of regulations that answer a question.

    import search

    with search.open("rirag-index") as index:
        for hit in index.search("When must a suspicious transaction be reported?").hits:
            print(hit.rank, hit.citation(), hit.text)

It knows nothing of readers, answers and the command line. Importing is quick: engine, encoder and
their libraries load when an index is opened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from search.lazy import lazily

if TYPE_CHECKING:
    from search.answered_questions.questions import AnsweredQuestion as AnsweredQuestion
    from search.engines.protocol import IndexDescription as IndexDescription
    from search.engines.servers import ServerOptions as ServerOptions
    from search.errors import EncoderMismatchError as EncoderMismatchError
    from search.errors import IndexBusyError as IndexBusyError
    from search.errors import IndexCorruptError as IndexCorruptError
    from search.errors import IndexUnavailableError as IndexUnavailableError
    from search.errors import InputError as InputError
    from search.errors import LLMError as LLMError
    from search.errors import MissingDependencyError as MissingDependencyError
    from search.errors import ModelError as ModelError
    from search.errors import RiragError as RiragError
    from search.errors import StorageError as StorageError
    from search.index import Index as Index
    from search.index import open as open  # noqa: A004
    from search.law_in_time import as_of as as_of
    from search.lookup.links import Links as Links
    from search.models.encoders import EncodedPassages as EncodedPassages
    from search.models.encoders import Encoder as Encoder
    from search.models.encoders import load_encoder as load_encoder
    from search.models.rerankers import Reranker as Reranker
    from search.models.rerankers import load_reranker as load_reranker
    from search.pipeline import SearchResult as SearchResult
    from search.plan import Plan as Plan
    from search.ranking.profile_file import load_profile as load_profile
    from search.ranking.profiles import AlphaStep as AlphaStep
    from search.ranking.profiles import Profile as Profile
    from search.records import DocumentSummary as DocumentSummary
    from search.records import Filters as Filters
    from search.records import Hit as Hit
    from search.records import Passage as Passage
    from search.records import RetrieverScore as RetrieverScore
    from search.records import Scores as Scores
    from search.trace import SearchTrace as SearchTrace
    from search.versions.compare import Change as Change
    from search.versions.compare import Comparison as Comparison
    from search.versions.history import Version as Version

__getattr__, __dir__, __all__ = lazily(__name__)
