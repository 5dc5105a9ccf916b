"""Candidates of a question as features on which all weights can be tried, and the figures."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from search.ranking import fusion

CUTOFF = 10
"""Recall and average precision are taken at this depth, as in the ObliQA paper."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Means over questions, 0 to 1."""

    recall: float
    """R@10."""
    average_precision: float
    """AP@10."""

    @property
    def objective(self) -> float:
        """What is maximised: R@10 + AP@10."""
        return self.recall + self.average_precision

    def __str__(self) -> str:
        return f"{self.recall:.4f} / {self.average_precision:.4f}"


def quality(answers: NDArray[np.bool_], total: int) -> tuple[float, float]:
    """Return R@10 and AP@10 of one question as trec_eval defines them.

    Args:
        answers: which candidates answer it, best candidate first.
        total: how many passages do, whether candidates or not; at least 1.
    """
    hits = answers[:CUTOFF]
    precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
    return float(hits.sum() / total), float((precision * hits).sum() / total)


def mean_figures(values: NDArray[np.float64]) -> Figures:
    """Return the means of R@10 and AP@10, shape (questions, 2)."""
    recall, average_precision = values.mean(axis=0)
    return Figures(float(recall), float(average_precision))


Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RetrievalSample:
    """One question with its gold and the raw candidates of its retrievers."""

    question_id: str
    """Keyword versions carry the ID of the question they were made from."""
    words: int
    """Length of the question in words, as search counts it."""
    relevant: AbstractSet[str]
    """IDs of the relevant passages, found or not; at least one."""
    lexical: Mapping[str, float]
    """Passage ID → BM25, best first."""
    dense: Mapping[str, float]
    """Passage ID → cosine, best first."""
    documents: Mapping[str, float]
    """Document ID → BM25 of the whole document, for the documents retrieved, best first."""
    document_of: Mapping[str, str]
    """Passage ID → document ID, for every candidate."""
    memory: Mapping[str, float] = field(default_factory=dict)
    """Passage ID → vote of answered questions, 0 to 1, best first."""
    headings: AbstractSet[str] = frozenset()
    """IDs of the candidates that are only headings."""
    kind: str = "question"
    """What sort of question it is: see `questions_to_fit.Kind`."""

    def to_depth(self, depth: int) -> RetrievalSample:
        """Return the sample as it is when each retriever proposes `depth` candidates at most."""
        return replace(
            self,
            lexical=dict(islice(self.lexical.items(), depth)),
            dense=dict(islice(self.dense.items(), depth)),
            documents=dict(islice(self.documents.items(), depth)),
        )


@dataclass(frozen=True, slots=True)
class Features:
    """The candidates of one question; arrays of shape (candidates,), all 0 to 1."""

    lexical: Array
    dense: Array
    document: Array
    memory: Array
    heading: NDArray[np.bool_]
    relevant: NDArray[np.bool_]
    total: int
    """Relevant passages in all, whether candidates or not."""
    has_documents: bool


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights to try, in all combinations."""

    alphas: Array
    """Lexical weights, shape (A,)."""
    documents: Array
    """Document weights, shape (W,)."""
    memory: Array = field(default_factory=lambda: np.zeros(1))
    """Votes weights, shape (M,)."""
    heading: float = 1.0
    """Heading weight: one, for it hardly matters."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """A, W and M."""
        return len(self.alphas), len(self.documents), len(self.memory)


def min_max(
    scores: Mapping[str, float], headings: AbstractSet[str] | None = None
) -> dict[str, float]:
    """Normalise the scores of one retriever for one question to 0..1, by the rules of search."""
    which = None if headings is None else np.array([one in headings for one in scores], np.bool_)
    return dict(zip(scores, fusion.min_max(list(scores.values()), which).tolist(), strict=True))


def features(sample: RetrievalSample, *, headings_count_less: bool = False) -> Features:
    """Return normalised scores for the union of the retrievers; 0 where one did not propose.

    Args:
        sample: one question.
        headings_count_less: whether the heading weight will be below 1.
    """
    candidates = list(dict.fromkeys([*sample.lexical, *sample.dense, *sample.memory]))
    headings = sample.headings if headings_count_less else None
    lexical, dense = min_max(sample.lexical, headings), min_max(sample.dense, headings)
    documents = min_max(sample.documents)
    return Features(
        lexical=np.array([lexical.get(key, 0.0) for key in candidates]),
        dense=np.array([dense.get(key, 0.0) for key in candidates]),
        document=np.array([documents.get(sample.document_of[key], 0.0) for key in candidates]),
        memory=np.array([sample.memory.get(key, 0.0) for key in candidates]),
        heading=np.array([key in sample.headings for key in candidates], dtype=np.bool_),
        relevant=np.array([key in sample.relevant for key in candidates], dtype=np.bool_),
        total=len(sample.relevant),
        has_documents=bool(documents),
    )


def fused_scores(found: Features, weights: Weights) -> Array:
    """Return scores that order candidates as `search.ranking.fusion.fuse` does.

    Returns:
        Shape (A, W, M, candidates). They are those of `fuse` times a number that depends on the
        question and the votes weight only.
    """
    alphas = weights.alphas[:, None, None, None]
    documents = weights.documents[:, None, None] * found.has_documents
    memory = weights.memory[:, None]
    passage = alphas * found.lexical + (1 - alphas) * found.dense
    with_documents = (1 - documents) * passage + documents * found.document
    factor = np.where(found.heading, weights.heading, 1.0)
    return np.asarray((1 - memory) * (with_documents * factor) + memory * found.memory)


def qualities(found: Features, weights: Weights) -> Array:
    """Return recall and average precision of every fusion of one question's candidates.

    Returns:
        Shape (A, W, M, 2): R@10 and AP@10 as trec_eval defines them; ties keep the retrievers'
        order.
    """
    if not found.relevant.any():
        return np.zeros((*weights.shape, 2))
    scores = fused_scores(found, weights)
    places = [_place(scores, index) for index in np.flatnonzero(found.relevant).tolist()]
    ranks = np.sort(np.stack(places, axis=-1), axis=-1)
    hits = ranks <= CUTOFF
    precision = np.arange(1, ranks.shape[-1] + 1) / ranks
    recall = hits.sum(axis=-1) / found.total
    average_precision = (precision * hits).sum(axis=-1) / found.total
    return np.stack([recall, average_precision], axis=-1)


def _place(scores: Array, index: int) -> NDArray[np.int64]:
    """Return the 1-based rank of a candidate in every fusion; of equals the first comes first."""
    own = scores[..., index, None]
    before = (scores > own).sum(axis=-1) + (scores[..., :index] == own).sum(axis=-1)
    return np.asarray(before + 1)
