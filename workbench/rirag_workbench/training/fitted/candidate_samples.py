"""Asking questions of an index, and keeping each candidate's features and whether it answers.

Candidates and features come from the search pipeline itself, so that what is fitted and what is
searched are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rirag.progress import Progress
from rirag_workbench.training.data.held_out import fold_of
from rirag_workbench.training.data.questions_to_fit import OwnKnown, QuestionToFit
from search.answered_questions.retriever import NOTHING
from search.models.encoders.protocol import Encoder
from search.models.rerankers.protocol import Reranker
from search.pipeline import Pipeline
from search.ranking.learned.features import Array, candidate_features, with_reranker
from search.ranking.learned.fitted_for import FittedFor
from search.ranking.learned.learned_fusion import LearnedFusion
from search.ranking.profiles import Profile
from search.ranking.steps.protocol import Search
from search.records import Filters, Key


@dataclass(frozen=True, slots=True)
class Origin:
    """The index that was asked, and with what."""

    encoder: Encoder
    reranker: str = ""
    """Name of the reranker that read the best candidates; empty: none did."""
    documents: Collection[str] = ()
    """`title_hash` of each document of the index."""

    def fitted_for(self, depth: int, words: Iterable[int]) -> FittedFor:
        """Return what a model says of where it holds."""
        lengths = list(words)
        return FittedFor(
            encoder=self.encoder.name.rsplit("/", 1)[-1],
            encoder_revision=self.encoder.revision,
            reranker=self.reranker,
            least_words=min(lengths),
            most_words=max(lengths),
            depth=depth,
            documents=tuple(sorted(self.documents)),
        )


ProfileOf = Callable[[str], Profile]
"""Takes the ID of a question and returns the profile to ask it with."""

Retrievers = frozenset[str]
"""`memory` and `rerank`, where these are there beside the lexical and the dense retriever."""

CANDIDATES = 60
"""How many of the best candidates are kept: of the answers that the retrievers of a trained encoder
find at all, the fixed weights put one in a hundred further back."""


@dataclass(frozen=True, slots=True)
class CandidateSample:
    """The best candidates of one question, in the order that search gives them."""

    question_id: str
    """Keyword versions carry that of their question."""
    kind: str
    words: int
    rows: Array
    """Features, shape (candidates, features)."""
    before: Array
    """Their scores, shape (candidates,)."""
    answers: NDArray[np.bool_]
    """Which candidates answer the question."""
    total: int
    """How many passages do, whether candidates or not; 0: a question without an answer."""
    document: str
    """The document of the first answer; empty: there is none."""
    answered_by: frozenset[str]
    """IDs of the passages that do."""


def retriever_sets(pipeline: Pipeline) -> list[Retrievers]:
    """Return every combination of retrievers that this pipeline can have, the smallest first."""
    sets: list[Retrievers] = [frozenset()]
    sets += [frozenset({"memory"})] if pipeline.answered_questions is not None else []
    if pipeline.reranker is not None:
        sets += [results | {"rerank"} for results in sets]
    return sets


def candidate_samples(
    pipeline: Pipeline,
    questions: Iterable[QuestionToFit],
    profile_of: ProfileOf,
    own: OwnKnown,
    progress: Progress = lambda: None,
) -> Iterator[dict[Retrievers, CandidateSample]]:
    """Yield the candidates of each question under every combination of retrievers.

    Questions of which a retriever proposes nothing are passed over, as the fitted models pass them
    over.
    """
    ids: dict[Key, str] = {}
    documents: dict[str, str] = {}
    for candidate, passage in pipeline.engine.find(Filters()):
        ids[candidate.key] = passage.id
        documents[passage.id] = passage.document_id
    sets = retriever_sets(pipeline)
    if pipeline.reranker is not None:
        pipeline = replace(pipeline, reranker=ReadingOnce(pipeline.reranker))
    for question in questions:
        profile = profile_of(question.question_id)
        prepared = pipeline.prepare(question.text, profile, None, own.get(question.question_id, ()))
        found = pipeline.find(prepared)
        if found.results.lexical and found.results.dense:
            yield {
                one: _sample(pipeline.ordered(_only(found, one)), question, ids, documents)
                for one in sets
            }
        progress()


def _only(found: Search, results: Retrievers) -> Search:
    found = found if "rerank" in results else found.without("rerank")
    return found if "memory" in results else replace(found, recall=None, recalled=NOTHING)


def _sample(
    found: Search,
    question: QuestionToFit,
    ids: Mapping[Key, str],
    documents: Mapping[str, str],
) -> CandidateSample:
    fused, ranking, words = found.fused, found.ranking, found.question.words
    rows = candidate_features(fused, words, found.terms, found.recalled.answered)
    head = ranking.places[:CANDIDATES]
    answered_in = sorted(documents.get(one, "") for one in question.relevant)
    return CandidateSample(
        question_id=question.question_id,
        kind=question.kind,
        words=words,
        rows=with_reranker(rows, ranking.rerank)[head],
        before=ranking.scores[:CANDIDATES],
        answers=np.array(
            [ids[key] in question.relevant for key in fused.keys[head].tolist()], np.bool_
        ),
        total=len(question.relevant),
        document=answered_in[0] if answered_in else "",
        answered_by=question.relevant,
    )


class ReadingOnce:
    """Wraps a reranker for runs that rank the same question in several ways, one by one."""

    def __init__(self, reranker: Reranker) -> None:
        self._reranker = reranker
        self._question = ""
        self._scores: dict[str, float] = {}

    @property
    def name(self) -> str:
        """The reranker's own name."""
        return self._reranker.name

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """Return the scores, shape (passages,); those of the last question are remembered."""
        if question != self._question:
            self._question, self._scores = question, {}
        new = [text for text in dict.fromkeys(passages) if text not in self._scores]
        if new:
            self._scores |= zip(new, self._reranker.score(question, new).tolist(), strict=True)
        return np.array([self._scores[text] for text in passages], np.float32)


def held_out_profile(profile: Profile, models: Sequence[LearnedFusion], folder: Path) -> ProfileOf:
    """Return what gives each question the profile with trees that have not seen it.

    Args:
        models: the learned ranking of each fold; none: the profile has none.
    """
    files = [folder / f"{fold}.learned.json" for fold in range(len(models))]
    for model, file in zip(models, files, strict=True):
        model.save(file)
    if not files:
        return lambda _: profile
    return lambda question: replace(profile, learned=str(files[fold_of(question)]))
