"""What is known of each candidate of a question, as numbers that a learned ranker can weigh.

Everything comes from what the retrievers said: no passage is fetched. Scores are taken as shares of
the question's own best wherever that is possible, so that a rulebook of another size or wording
shifts them little.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from search.answered_questions.co_answers import NOTHING_ANSWERED, Answered
from search.ranking.candidate_set import UNRANKED, FusedCandidates, RetrieverColumns
from search.records import RetrieverScore

Array = NDArray[np.float64]

Columns = Mapping[str, Array]
"""Feature → its values, shape (candidates,); shape () where it tells of the whole question."""

NEAR = 2
"""How many passages before and after one count as its neighbours: a rule is often answered
together with the paragraph beside it."""
TOP = 10
"""How deep the retrievers are compared, as deep as results are read."""
HEADS = 5
"""How many of the best speak for those that answered earlier questions together with them."""

GROUPS: Mapping[str, tuple[str, ...]] = {
    "lexical": ("lexical", "lexical share", "lexical rank", "lexical per term"),
    "dense": ("dense", "cosine", "cosine below best", "dense rank"),
    "document": ("document", "document rank", "document's share"),
    "memory": ("memory", "votes", "memory rank"),
    "together": ("together similar", "together share"),
    "fused": ("fused", "fused rank", "fused below best"),
    "neighbours": (
        "fused beside", "fused near", "lexical near", "dense near", "memory near",
    ),
    "heading": ("heading",),
    "question": (
        "words", "best lexical per term", "best cosine", "cosine spread", "lexical lead",
        "dense lead", "best votes", "agreement",
    ),
    "rerank": ("rerank", "logit", "rerank rank"),
}  # fmt: skip
"""The features by what they tell of; `--explain` adds up the contributions of each group."""

NAMES: tuple[str, ...] = tuple(name for names in GROUPS.values() for name in names)
"""The columns of `candidate_features`, in order."""


def candidate_features(
    fused: FusedCandidates, words: int, terms: int, answered: Answered = NOTHING_ANSWERED
) -> Array:
    """Return one row a candidate, shape (candidates, len(NAMES)); see `candidate_columns`."""
    if not len(fused):
        return np.empty((0, len(NAMES)))
    return first_rows(candidate_columns(fused, words, terms, answered), len(fused))


def candidate_columns(
    fused: FusedCandidates, words: int, terms: int, answered: Answered = NOTHING_ANSWERED
) -> Columns:
    """Return all features by their names, as if no reranker had read any candidate.

    Args:
        fused: all candidates of the question, at least one, best first.
        words: length of the question.
        terms: index terms of the question, with repetitions.
        answered: the passages of the nearest answered questions.
    """
    retrievers = {
        "lexical": fused.lexical,
        "dense": fused.dense,
        "document": fused.document,
        "memory": fused.memory,
    }
    return {
        **_of_retrievers(retrievers, max(terms, 1)),
        **_of_fusion(fused.scores, fused.documents),
        **_of_neighbours(fused),
        **_of_answered(fused, answered),
        **_of_question(retrievers, words, max(terms, 1)),
        "heading": fused.headings.astype(np.float64),
        **_UNREAD,
    }


def first_rows(columns: Columns, count: int, looked_at: Iterable[int] = range(len(NAMES))) -> Array:
    """Return the features of the first candidates, shape (count, len(NAMES)).

    Args:
        columns: of `candidate_columns`.
        count: how many candidates.
        looked_at: places in `NAMES`; the other features are left 0.
    """
    table = np.zeros((len(NAMES), count))
    for place in looked_at:
        column = columns[NAMES[place]]
        table[place] = column[:count] if column.ndim else column
    return table.T


def columns_of(rows: Array) -> Columns:
    """Return the features of rows, shape (candidates, len(NAMES)), by their names."""
    return dict(zip(NAMES, rows.T, strict=True))


def read_by_reranker(columns: Columns, size: int, rerank: Mapping[int, RetrieverScore]) -> Columns:
    """Return the features of `size` candidates with what a reranker said.

    Args:
        columns: of `candidate_columns`.
        size: how many candidates there are.
        rerank: what it said of those that it read, by their places.
    """
    return {**columns, **_of_reranker(size, rerank)} if rerank else columns


def with_reranker(rows: Array, rerank: Mapping[int, RetrieverScore]) -> Array:
    """Return the rows of `candidate_features` with what a reranker said, by the rows' places."""
    read = read_by_reranker(columns_of(rows), len(rows), rerank)
    return np.column_stack([read[name] for name in NAMES])


def _of_retrievers(retrievers: Mapping[str, RetrieverColumns], terms: int) -> dict[str, Array]:
    lexical, dense, document = retrievers["lexical"], retrievers["dense"], retrievers["document"]
    memory = retrievers["memory"]
    bm25 = _or_nothing(lexical.raw)
    cosine = _or_lowest(dense.raw)
    return {
        "lexical": lexical.normalised,
        "lexical share": bm25 / max(bm25.max(), 1e-9),
        "lexical per term": bm25 / terms,
        "lexical rank": lexical.rank,
        "dense": dense.normalised,
        "cosine": cosine,
        "cosine below best": cosine.max() - cosine,
        "dense rank": dense.rank,
        "document": document.normalised,
        "document rank": document.rank,
        "memory": memory.normalised,
        "votes": _or_nothing(memory.raw),
        "memory rank": memory.rank,
    }


def _of_reranker(size: int, rerank: Mapping[int, RetrieverScore]) -> dict[str, Array]:
    raw, normalised, ranks = zip(*rerank.values(), strict=True) if rerank else ((), (), ())
    read = RetrieverColumns.of(size, list(rerank), raw, normalised, ranks)
    return {"rerank": read.normalised, "logit": _or_lowest(read.raw), "rerank rank": read.rank}


_UNREAD: Columns = {
    "rerank": np.array(0.0), "logit": np.array(0.0), "rerank rank": np.array(UNRANKED),
}  # fmt: skip
"""What a reranker says where there is none."""


def _or_nothing(raw: Array) -> Array:
    """Return scores that are never negative, with 0 where the retriever gave none."""
    return np.fmax(raw, 0.0)


def _or_lowest(raw: Array) -> Array:
    """Return scores with the retriever's lowest for those without one; 0 if it gave none."""
    lowest = np.fmin.reduce(raw)
    return np.where(np.isnan(raw), 0.0 if np.isnan(lowest) else lowest, raw)


def _of_fusion(score: Array, documents: NDArray[np.intp]) -> dict[str, Array]:
    best = np.bincount(documents[:TOP], minlength=documents.max() + 1)
    return {
        "fused": score,
        "fused rank": np.arange(1.0, len(score) + 1),
        "fused below best": score.max() - score,
        "document's share": best[documents] / min(TOP, len(score)),
    }


def _of_neighbours(fused: FusedCandidates) -> dict[str, Array]:
    retrievers = (fused.lexical, fused.dense, fused.memory)
    order = fused.keys.argsort()
    keys, documents = fused.keys.take(order), fused.documents.take(order)
    signals = np.array([fused.scores, *(retriever.normalised for retriever in retrievers)]).take(
        order, axis=1
    )
    found = np.zeros((1 + len(signals), len(keys)))
    beside, near = found[0], found[1:]
    for apart in range(1, NEAR + 1):  # in places: sorted keys are at least as far apart
        distance = keys[apart:] - keys[:-apart]
        same = documents[apart:] == documents[:-apart]
        close, next_to = same & (distance <= NEAR), distance == 1
        behind, before = slice(apart, None), slice(-apart)
        for one, other in ((behind, before), (before, behind)):
            theirs = signals[:, other] * close
            np.maximum(near[:, one], theirs, out=near[:, one])
            if apart == 1:
                np.maximum(beside[one], theirs[0] * next_to, out=beside[one])
    columns = np.empty_like(found)
    columns[:, order] = found
    names = ("fused beside", "fused near", "lexical near", "dense near", "memory near")
    return dict(zip(names, columns, strict=True))


def _of_answered(fused: FusedCandidates, answered: Answered) -> dict[str, Array]:
    together = answered.together(fused.keys, fused.scores[:HEADS])
    return {"together similar": together.similar, "together share": together.share}


def _of_question(
    retrievers: Mapping[str, RetrieverColumns], words: int, terms: int
) -> dict[str, Array]:
    lexical = _best_first(_or_nothing(retrievers["lexical"].raw))
    cosine = _best_first(retrievers["dense"].raw[retrievers["dense"].proposed])
    first = (retrievers["lexical"].rank <= TOP) & (retrievers["dense"].rank <= TOP)
    return {
        "words": np.array(float(words)),
        "best lexical per term": lexical[0] / terms,
        "lexical lead": _lead(lexical) / max(lexical[0], 1e-9),
        "best cosine": cosine[0],
        "cosine spread": cosine[0] - cosine[min(TOP, len(cosine)) - 1],
        "dense lead": _lead(cosine),
        "best votes": _or_nothing(retrievers["memory"].raw).max(),
        "agreement": np.array(np.count_nonzero(first) / TOP),
    }


def _best_first(scores: Array) -> Array:
    return np.sort(scores)[::-1] if len(scores) else np.zeros(1)


def _lead(ordered: Array) -> Array:
    """Return how far the best is ahead of the second."""
    return np.asarray(ordered[0] - ordered[min(1, len(ordered) - 1)])
