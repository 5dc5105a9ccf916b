"""Interpolate a reranker's opinion with the score so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from search.errors import ModelError
from search.models.rerankers.protocol import Reranker
from search.ranking.fusion import min_max
from search.ranking.steps.protocol import Search, there
from search.records import RetrieverScore

if TYPE_CHECKING:
    from numpy.typing import NDArray


def run(search: Search) -> Search:
    """Return the search with its best candidates in another order.

    A failing reranker leaves their order and says so.
    """
    opened, ranking, count = search.opened, search.ranking, search.profile.rerank_count
    places, before = ranking.places[:count].tolist(), ranking.scores[:count].tolist()
    with search.timed("rerank"):
        passages = opened.engine.passages(search.fused.keys[places].tolist())
        texts = [passage.text for passage in passages]
        text, weight = search.question.text, search.profile.rerank_weight
        try:
            scored = rerank(there(opened.reranker), text, texts, before, weight)
        except Exception as error:  # any model may fail in its own way; search must not
            return search.noted(f"reranking failed, so the previous order is kept: {error}")
    read = {places[i]: retriever for i, _, retriever in scored}
    order, scores = [places[i] for i, _, _ in scored], [score for _, score, _ in scored]
    ranking = ranking.reordered(order, scores)._replace(rerank=read)
    return replace(search, ranking=ranking).noted(reranked=len(read))


def rerank(
    reranker: Reranker, question: str, texts: Sequence[str], before: Sequence[float], weight: float
) -> list[tuple[int, float, RetrieverScore]]:
    """Return (place before, new score, the reranker's score), best first.

    The new score is that of `mixed`; ties keep the order before.

    Args:
        reranker: the reranker.
        question: what is asked.
        texts: candidates, best first.
        before: their scores so far, 0 to 1.
        weight: 0 leaves the order, 1 lets the reranker decide alone.

    Raises:
        ModelError: the reranker gives something else than one finite number a passage.
        Exception: whatever a reranker of the user's own raises.
    """
    if not texts:
        return []
    raw = _scores(reranker, question, texts)
    normalised = min_max(raw).tolist()
    place = {i: rank for rank, i in enumerate(sorted(range(len(raw)), key=lambda i: -raw[i]), 1)}
    scored = [
        (i, score, RetrieverScore(raw[i], normalised[i], place[i]))
        for i, score in enumerate(mixed(before, raw, weight).tolist())
    ]
    return sorted(scored, key=lambda one: -one[1])


def _scores(reranker: Reranker, question: str, texts: Sequence[str]) -> list[float]:
    """Return the scores that a reranker gives.

    Raises:
        ModelError: they are not one finite number a passage.
    """
    scores = np.asarray(reranker.score(question, texts), np.float64)
    if scores.shape != (len(texts),):
        wanted = f"scores of the shape ({len(texts)},)"
        raise ModelError(f"{reranker.name} must return {wanted}, not {scores.shape}")
    if not np.isfinite(scores).all():
        raise ModelError(f"{reranker.name} returned a score that is not a number")
    found: list[float] = scores.tolist()
    return found


def mixed(
    before: Sequence[float] | NDArray[Any], scores: Sequence[float] | NDArray[Any], weight: float
) -> NDArray[np.float64]:
    """Return (1 - weight)·before + weight·min-max of a reranker's scores, shape (candidates,).

    Args:
        before: scores of the candidates so far, 0 to 1.
        scores: what the reranker gives each, on any scale.
        weight: of the reranker, 0 to 1.
    """
    return (1 - weight) * np.asarray(before, np.float64) + weight * min_max(scores)
