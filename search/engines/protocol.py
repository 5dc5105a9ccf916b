"""What rirag asks of an engine: keep passages and vectors, run the retrievers of a question.

`Engine` is read by searchers, `Load` is one atomic change to it, and `Backend` opens them for one
kind of URL. Engines know neither fusion nor encoders.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, Self

from search.records import DocumentSummary, EncoderIdentity, Filters, Key, Passage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from search.candidates import Candidate, Candidates
    from search.engines.staging import Staging

Progress = Callable[[str, int, int], None]
"""Called with a stage's name, what is done of it, and how much there is."""

SCHEMA_VERSION = 9
"""Version of what an index holds; raised whenever an older rirag could misread it, or would add
passages that lack something. 2: the lookup keys of what a passage cites. 3: title and headings are
searched with the text. 4: words are in one form (`search.text.plain_words`). 5: parts of words that
are not English (`search.text.word_parts`). 6: abbreviations, and the initials of headings. 7: the
normal form of characters (`search.text.characters`), and pairs of those of Korean and the like. 8:
stems of six languages; servers index the terms that are made here. 9: documents with versions, of
which a passage may be in some."""

LOOKUPS = ("id", "parent", "number")
"""Conditions that name passages; every other one is a filter field."""


@dataclass(frozen=True, slots=True)
class IndexDescription:
    """The description of an index."""

    url: str
    encoder: EncoderIdentity
    passages: int
    documents: int
    empty_passages: int
    size_bytes: int
    generation: str
    """Changes with every completed load; two searches of one generation see the same passages."""
    schema_version: int = SCHEMA_VERSION
    filter_fields: tuple[str, ...] = ()
    engine: str = "embedded"
    """What carries the index: `embedded`, `Elasticsearch 9.5.3`, …"""
    vector_search: str = "exact"
    """How nearest vectors are found: `exact`, or the kind of approximate graph."""


@dataclass(frozen=True, slots=True)
class RetrievalRequest:
    """All that an engine needs to run the retrievers of one question in one go."""

    tokens: tuple[str, ...] = ()
    """Analysed words of the question, and parts of them; empty: no lexical retriever and no
    document retriever."""
    vector: NDArray[np.float32] | None = None
    """Unit vector of the question, shape (dimension,); None: no dense retriever."""
    depth: int = 100
    """How many candidates each retriever proposes."""
    filters: Filters = field(default_factory=Filters)
    documents: bool = False
    """Whether to score whole documents as well."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """Factor on the score of some of `tokens`; that of all others is 1."""

    @property
    def words(self) -> dict[str, float]:
        """The different tokens, each with what its score is multiplied with."""
        return {one: n * self.weights.get(one, 1) for one, n in Counter(self.tokens).items()}


def _no_candidates() -> Candidates:
    from search.candidates import NO_CANDIDATES  # brings numpy, which only searching needs

    return NO_CANDIDATES


@dataclass(frozen=True, slots=True)
class RetrievalResults:
    """What the retrievers found, each best first; no passage occurs twice in a list.

    Ties are in the order of the index: document by document, passage by passage.
    """

    lexical: Candidates = field(default_factory=_no_candidates)
    dense: Candidates = field(default_factory=_no_candidates)
    documents: tuple[tuple[str, float], ...] = ()
    """(document_id, BM25 of the whole document), best first."""
    notes: tuple[str, ...] = ()
    """What the engine could not do as asked, each a sentence for the plan."""


@dataclass(frozen=True, slots=True)
class Health:
    """How well the servers are that carry an index."""

    status: str
    """`green`, `yellow` (a copy is missing) or `red` (data is missing)."""
    detail: str
    mend: str = ""
    """What to do; empty: nothing."""


class Engine(Protocol):
    """One opened state of an index: it does not change while it is open."""

    @property
    def state(self) -> str:
        """What no other state of the index has, even one that took the place of this one."""

    def describe(self) -> IndexDescription:
        """Return what the index holds."""

    def run(self, request: RetrievalRequest) -> RetrievalResults:
        """Run the retrievers of a question.

        Raises:
            ModelError: its vector is of another dimension.
        """

    def passages(self, keys: Sequence[Key]) -> list[Passage]:
        """Return the passages of candidates, in the order asked."""

    def find(self, filters: Filters, limit: int | None = None) -> list[tuple[Candidate, Passage]]:
        """Return passages that meet filters, in index order; scores are 1.

        Beside the fields of `Filters`, engines know `id`, `parent` (an `id`) and `number`
        (a lookup key).
        """

    def values(self, field: str) -> tuple[str, ...]:
        """Return the different values that passages have in a filter field."""

    def documents(self) -> list[DocumentSummary]:
        """Return the documents in the order they were first loaded."""

    def history(self, document_id: str) -> str:
        """Return the versions of a document as `Staging.put` got them; "" where it has none."""

    def verify(self) -> list[str]:
        """Check everything that is stored; return one sentence a problem."""

    def close(self) -> None:
        """Free files and connections. Using the engine afterwards is an error."""


class Load(Protocol):
    """One change to an index: all of it becomes visible on `commit`, or none.

    A context manager: leaving it without `commit` throws the change away, but vectors already
    given are kept aside for the next attempt.
    """

    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...

    def known_vectors(self, hashes: Iterable[str]) -> AbstractSet[str]:
        """Return which vector hashes need not be encoded again."""

    def add_vectors(self, hashes: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Keep new vectors, shape (hashes, dimension); they survive a crash from here on.

        Raises:
            ModelError: they are not what `search.models.encoders.identity` asks for.
        """

    def document_hashes(self) -> Mapping[str, str]:
        """Return document_id → content hash of what the index holds now."""

    def delete_document(self, document_id: str) -> None:
        """Remove a document; an unknown one is an `InputError`."""

    def commit(self, staging: Staging, progress: Progress | None = None) -> IndexDescription:
        """Make the change visible to everyone who opens the index from now on.

        Args:
            staging: the documents that are new, or replace those of their IDs as a whole; their
                vectors must be known.
            progress: called during the work.
        """


class Backend(Protocol):
    """One kind of index URL."""

    def open(self, url: str) -> Engine:
        """Open the last complete state of an existing index."""

    def state(self, url: str) -> str:
        """Return the `Engine.state` that `open` would open, without opening it."""

    def load(self, url: str, encoder: EncoderIdentity, *, rebuild: bool = False) -> Load:
        """Begin a change; the index is created when it does not exist.

        Args:
            url: of the index.
            encoder: what makes the vectors.
            rebuild: begin with nothing instead of what the index holds, maybe with another
                encoder; on `commit` the new state takes the place of the old.

        Raises:
            IndexBusyError: another process is loading.
            EncoderMismatchError: the index was made with another encoder, and is not rebuilt.
        """

    def rollback(self, url: str) -> IndexDescription:
        """Go back to the state before the last completed load, and return it.

        Raises:
            InputError: there is none, or this kind of index keeps none.
        """

    def exists(self, url: str) -> bool:
        """Return whether there is an index at the URL."""

    def health(self, url: str) -> Health | None:
        """Return how well the servers of the index are; None: it needs none, or
        is not there.
        """
