"""The reranker's count and weight are found, and judged on other questions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from sample import ingest_rulebook

import search
from rirag_workbench.training.data.questions_to_fit import QuestionToFit
from rirag_workbench.training.profile.rerank_fit import (
    COUNTS,
    RerankSample,
    fit_rerank,
    rerank_samples,
)
from search.ranking.profile_file import load_profile
from search.ranking.steps.ordering.rerank import rerank


def sample(fold: int, gold: int, favoured: int, candidates: int = 50) -> RerankSample:
    """The order before is that of the places; the reranker favours one candidate."""
    places = np.arange(candidates)
    return RerankSample(
        fold=fold,
        before=1 - places / 100,
        scores=np.where(places == favoured, 9.0, 0.0),
        relevant=places == gold,
        total=1,
    )


def test_a_cross_encoder_that_knows_gets_weight_and_is_given_what_it_needs() -> None:
    fitted = fit_rerank([sample(n % 5, gold=25, favoured=25) for n in range(20)], "knows")
    assert fitted.count == 30, "the fewest among which gold is"
    assert fitted.weight > 0.2
    assert (fitted.gain.before.recall, fitted.gain.after.recall) == (0.0, 1.0)


def test_more_is_read_only_where_it_is_worth_its_time() -> None:
    first = [sample(n % 5, gold=0, favoured=0) for n in range(400)]
    # To read ten more must gain .005: one of 401 questions gains 2/401, four of 404 gain 8/404.
    seldom = [*first, sample(0, gold=12, favoured=12)]
    often = [*first, *(sample(n, gold=12, favoured=12) for n in range(4))]
    assert fit_rerank(seldom, "knows").count == 10
    assert fit_rerank(often, "knows").count == 20


def test_a_cross_encoder_that_misleads_gets_none() -> None:
    fitted = fit_rerank([sample(n % 5, gold=9, favoured=10 + n % 10) for n in range(20)], "errs")
    assert fitted.weight == 0.0
    assert fitted.gain.after == fitted.gain.before


def test_figures_come_from_questions_the_weight_was_not_fitted_to() -> None:
    knows = [sample(n % 4 + 1, gold=9, favoured=9) for n in range(40)]
    misled = [sample(0, gold=0, favoured=1) for _ in range(10)]
    fitted = fit_rerank([*knows, *misled], "mixed")
    misled_average_precision = 0.5
    expected = (40 * 1.0 + 10 * misled_average_precision) / 50
    assert fitted.gain.after.average_precision == pytest.approx(expected)


@pytest.mark.parametrize("weight", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("count", COUNTS)
def test_it_reorders_as_search_does(count: int, weight: float) -> None:
    draw = np.random.default_rng(count)
    fused = np.sort(draw.random(40))[::-1]
    scores = draw.random(40)

    class Scripted:
        name = "scripted"

        def score(self, question: str, passages: Sequence[str]) -> list[float]:
            return [float(scores[int(text)]) for text in passages]

    head = rerank(Scripted(), "q", [str(n) for n in range(40)][:count], fused[:count], weight)
    best = [place for place, _, _ in head][:10]
    one = RerankSample(0, fused, scores, np.isin(np.arange(40), best[:3]), 3)
    from rirag_workbench.training.profile.rerank_fit import _quality

    assert _quality(one, count, weight) == (1.0, pytest.approx(1.0))


def test_candidates_come_from_the_pipeline(tmp_path) -> None:
    class Length:
        name = "length"

        def score(self, question: str, passages: Sequence[str]) -> list[float]:
            return [float(len(text)) for text in passages]

    with search.open(str(ingest_rulebook(tmp_path / "index")), reranker=None) as index:
        hits = index.search("annual fee", 50, profile="even").hits
        gold = frozenset({hits[3].id, "elsewhere"})
        told: list[None] = []
        (found,) = rerank_samples(
            index.pipeline, Length(), [QuestionToFit("q", "annual fee", gold, "question")],
            lambda _: load_profile("even"), {}, lambda: told.append(None),
        )  # fmt: skip
    assert np.flatnonzero(found.relevant).tolist() == [3]
    assert found.total == 2
    assert found.before.tolist() == [hit.score for hit in hits]
    assert found.scores.tolist() == [float(len(hit.text)) for hit in hits]
    assert len(told) == 1
