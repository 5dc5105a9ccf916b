"""What a step of a search is, and what goes from one step to the next.

A step is a module of this folder: its `run` returns the search with what it found, or with another
order, and with its notes.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol, TypeVar

from search.answered_questions.retriever import NOTHING, AnsweredQuestionRetriever, Recalled
from search.caches import LastUsed
from search.candidates import NO_CANDIDATES, Candidates
from search.engines.protocol import Engine, RetrievalRequest, RetrievalResults
from search.engines.terms import foreign_terms
from search.law_in_time import asked_day, by_status
from search.lookup.abbreviations import KnownWord
from search.lookup.pins import Named
from search.lookup.question import Question
from search.models.encoders.languages import hardly_reads
from search.models.encoders.protocol import Encoder
from search.models.rerankers.protocol import Reranker
from search.plan import Plan
from search.provisions.documents.names import DocumentNames
from search.ranking.candidate_set import NOT_RANKED, NOTHING_FUSED, FusedCandidates, Ranking
from search.ranking.learned.learned_fusion import NO_JUDGEMENT, Judgement
from search.ranking.profiles import Profile
from search.ranking.tuning import NO_TUNING, Tuning
from search.records import LANGUAGE, Filters, Key
from search.text.analyzer import tokens
from search.text.languages import english, foreign_letters
from search.trace import SearchTrace
from search.versions.works import Works

MOST_KNOWN_WORDS = 4_096
"""Abbreviations and rare words of earlier questions that are remembered."""
MOST_KNOWN_DAYS = 1_000

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Opened:
    """All that a search needs, opened once."""

    engine: Engine
    encoder: Encoder
    names: DocumentNames
    reranker: Reranker | None = None
    answered_questions: AnsweredQuestionRetriever | None = None
    answered_questions_note: str = ""
    """Why answered questions that are there do not count; empty: they do, or there are none."""
    stored_statuses: tuple[str, ...] = ()
    """Values of `status_in_time` in the index (`search.law_in_time`)."""
    languages: tuple[str, ...] = ()
    """Codes of the languages in the index, of those that are known."""
    tuning: Tuning = NO_TUNING
    """Synonyms, and rules pinned to questions."""
    works: Works = field(init=False, compare=False, repr=False)
    """The versions of the documents."""
    known_words: LastUsed[KnownWord, bool] = field(
        default_factory=lambda: LastUsed(MOST_KNOWN_WORDS), compare=False, repr=False
    )
    """Whether passages have a word of an earlier question: servers are asked once."""
    _best: LastUsed[tuple[str, ...], float] = field(init=False, compare=False, repr=False)

    known_languages: LastUsed[str, tuple[str, ...]] = field(
        default_factory=lambda: LastUsed(MOST_KNOWN_DAYS), compare=False, repr=False
    )
    """Languages of the days that were asked for last."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "works", Works(self.engine))
        object.__setattr__(self, "_best", LastUsed(MOST_KNOWN_WORDS))

    def language(self, text: str) -> tuple[bool, list[str]]:
        """Return whether the encoder hardly reads a question, and its terms in other languages."""
        if known := english(text):
            return False, []
        unread = hardly_reads(self.encoder, text)
        sure = known is False or unread is not False or foreign_letters(text)
        return bool(unread), foreign_terms(text, self.languages_on_the_day(), parts=sure)

    def languages_on_the_day(self) -> tuple[str, ...]:
        """Return the languages of what is searched on the asked day."""
        excluded = by_status(Filters(), self.stored_statuses, searched=True).excluded
        if not excluded or len(self.languages) < 2:
            return self.languages
        day = asked_day()
        if not (known := self.known_languages.known([day])):
            known[day] = tuple(
                code
                for code in self.languages
                if self.engine.find(Filters({LANGUAGE: (code,)}, excluded), 1)
            )
            self.known_languages.keep(known)
        return known[day]

    def best_score(self, *terms: str) -> float:
        """Return the BM25 score of index terms in the passage that they fit best; none has: 0."""
        if terms not in (known := self._best.known([terms])):
            results = self.engine.run(RetrievalRequest(tokens=terms, depth=1))
            known = {terms: float(results.lexical.scores.max(initial=0))}
            self._best.keep(known)
        return known[terms]

    def terms_of(self, forms: Iterable[str]) -> list[str]:
        """Return the index terms of some words, English ones and others."""
        return [word for form in forms for word in (*tokens(form), *self.language(form)[1])]


@contextmanager
def timed(milliseconds: dict[str, float], stage: str) -> Iterator[None]:
    """Add how long a `with` block took to the times of the stages."""
    started = time.perf_counter()
    yield
    took = (time.perf_counter() - started) * 1000
    milliseconds[stage] = milliseconds.get(stage, 0) + took


class Formulation(NamedTuple):
    """Other words for a question, ready to be put to the engine."""

    text: str
    request: RetrievalRequest
    alpha: float
    alike: float
    """Its cosine with the question; 1 where no vectors are asked for."""


@dataclass(frozen=True, slots=True)
class Search:
    """A question on its way through the steps."""

    opened: Opened
    question: Question
    profile: Profile
    plan: Plan
    request: RetrievalRequest
    """What is put to the engine."""
    milliseconds: dict[str, float]
    """Time of each stage so far, which goes on."""
    encoder: Encoder
    """Of the question."""
    steps: frozenset[str] = frozenset()
    """Names of the steps that it takes, planned before the engine is asked."""
    formulations: tuple[Formulation, ...] = ()
    """What is searched beside the question."""
    recall: RetrievalRequest | None = None
    """What to ask of the answered questions; None: nothing."""
    leave_out: frozenset[str] = frozenset()
    """IDs of answered questions that must not vote."""
    unread: bool = False
    """Whether the encoder hardly reads the language of the question."""
    terms: int = 0
    """Index terms of the question, with repetitions and with those of its abbreviations."""

    results: RetrievalResults = field(default_factory=RetrievalResults)
    recalled: Recalled = NOTHING
    """What the answered questions say."""
    formulated: Candidates = field(default_factory=lambda: NO_CANDIDATES)
    """What the formulations of the question found."""
    fused: FusedCandidates = field(default_factory=lambda: NOTHING_FUSED)
    """All candidates, as the fixed weights order them."""
    ranking: Ranking = NOT_RANKED
    """Their order so far."""
    judgement: Judgement = NO_JUDGEMENT
    """What fitted models say of them."""
    named: tuple[Named, ...] = ()
    """The passages to show before them."""
    pinned: Mapping[Key, int] = field(default_factory=dict)
    """The passages that a person wants in certain places: 1-based."""
    beside: float = 1.0
    """Factor on the scores of all others."""
    in_passing: frozenset[str] = frozenset()
    """`ID`s of the rules that the question names without asking for them."""
    notes: tuple[str, ...] = ()
    trace: SearchTrace = field(default_factory=SearchTrace)

    def timed(self, stage: str) -> AbstractContextManager[None]:
        """Note how long a `with` block takes."""
        return timed(self.milliseconds, stage)

    @property
    def revision(self) -> str:
        """That of the index's encoder."""
        return self.opened.encoder.revision

    def retrievers(self) -> frozenset[str]:
        """Return those beside the lexical and the dense one: `memory`, and so far `rerank`."""
        used = {"memory": self.recall is not None, "rerank": bool(self.ranking.rerank)}
        return frozenset(name for name, is_used in used.items() if is_used)

    def noted(self, *notes: str, **fields: Any) -> Search:
        """Return the search with more notes, and with these fields in its trace."""
        trace = replace(self.trace, **fields)
        return replace(self, notes=(*self.notes, *notes), trace=trace)

    def without(self, *steps: str) -> Search:
        """Return the search as if some steps did not apply."""
        return replace(self, steps=self.steps.difference(steps))


class Step(Protocol):
    """A module with this function; its name is that of the step."""

    __name__: str

    def run(self, search: Search) -> Search:
        """Return the search after the step."""


def there(value: T | None) -> T:
    """Return what a step needs, and has wherever it applies."""
    if value is None:
        raise TypeError("this step does not apply")
    return value
