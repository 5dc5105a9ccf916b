"""Reranking: interpolation by hand, and a search whose reranker misbehaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import search
from search.index import Index
from search.ranking.profile_file import load_profile
from search.ranking.profiles import Profile
from search.ranking.steps.ordering.rerank import rerank
from search.records import RetrieverScore

Score = Callable[[str, Sequence[str]], Sequence[float]]


class Scripted:
    """A reranker that scores by a function, and remembers what it was given."""

    name = "scripted"

    def __init__(self, score: Score) -> None:
        self._score = score
        self.read: list[str] = []

    def score(self, question: str, passages: Sequence[str]) -> np.ndarray:
        self.read += passages
        return np.asarray(self._score(question, passages), dtype=np.float32)


def shortest(_: str, passages: Sequence[str]) -> list[float]:
    return [-float(len(text)) for text in passages]


def failing(_: str, __: Sequence[str]) -> list[float]:
    raise RuntimeError("out of memory")


def not_a_number(_: str, passages: Sequence[str]) -> list[float]:
    return [float("nan"), *[0.0] * (len(passages) - 1)]


def too_few(_: str, passages: Sequence[str]) -> list[float]:
    return [0.5] * (len(passages) - 1)


def too_many(_: str, passages: Sequence[str]) -> list[float]:
    return [0.5] * (len(passages) + 1)


@pytest.fixture
def opened(rulebook_folder: Path) -> Iterator[Callable[[Score], Index]]:
    indexes: list[Index] = []

    def open_with(score: Score) -> Index:
        indexes.append(search.open(str(rulebook_folder), reranker=Scripted(score)))
        return indexes[-1]

    yield open_with
    for index in indexes:
        index.close()


def weighing(weight: float, count: int = 20) -> Profile:
    return replace(load_profile("default"), rerank_weight=weight, rerank_count=count)


def test_the_new_score_lies_between_the_old_one_and_the_rerankers() -> None:
    reranker = Scripted(lambda *_: [-2.0, 6.0, 2.0])
    ranked = rerank(reranker, "q", ["a", "b", "c"], [0.9, 0.8, 0.1], weight=0.5)
    assert ranked == [
        (1, pytest.approx(0.5 * 0.8 + 0.5 * 1.0), RetrieverScore(6.0, 1.0, 1)),
        (0, pytest.approx(0.5 * 0.9 + 0.5 * 0.0), RetrieverScore(-2.0, 0.0, 3)),
        (2, pytest.approx(0.5 * 0.1 + 0.5 * 0.5), RetrieverScore(2.0, 0.5, 2)),
    ]


@pytest.mark.parametrize(("weight", "order"), [(0.0, [0, 1, 2]), (1.0, [1, 2, 0])])
def test_weight_zero_keeps_the_order_and_weight_one_gives_it_away(
    weight: float, order: list[int]
) -> None:
    ranked = rerank(Scripted(lambda *_: [1, 3, 2]), "q", list("abc"), [0.9, 0.8, 0.1], weight)
    assert [place for place, _, _ in ranked] == order


def test_ties_keep_the_fused_order() -> None:
    ranked = rerank(Scripted(lambda *_: [5, 5, 5]), "q", list("abc"), [0.4, 0.4, 0.4], 1.0)
    assert [place for place, _, _ in ranked] == [0, 1, 2]
    assert [retriever.normalised for _, _, retriever in ranked] == [1.0, 1.0, 1.0]


def test_nothing_to_rerank_asks_nobody() -> None:
    assert rerank(Scripted(failing), "q", [], [], 1.0) == []


def test_a_reranker_that_decides_alone_orders_the_best(opened: Callable[[Score], Index]) -> None:
    index = opened(shortest)
    plain = index.search("client money", 100, profile=weighing(1.0), rerank=False).hits
    result = index.search("client money", 100, profile=weighing(1.0))
    head, tail = result.hits[:20], result.hits[20:]
    assert {hit.id for hit in head} == {hit.id for hit in plain[:20]}
    assert [len(hit.text) for hit in head] == sorted(len(hit.text) for hit in plain[:20])
    assert [hit.id for hit in tail] == [hit.id for hit in plain[20:]]
    assert [hit.scores.rerank.rank for hit in head if hit.scores.rerank] == list(range(1, 21))
    assert {hit.scores.rerank for hit in tail} == {None}
    scores = [hit.score for hit in result.hits]
    assert scores == sorted(scores, reverse=True), "what was not read stays below"
    assert result.plan.describe().count("rerank      scripted, best 20, weight 1.00") == 1


def test_a_reranker_of_weight_zero_is_not_asked_and_the_plan_says_so(
    opened: Callable[[Score], Index],
) -> None:
    index = opened(failing)
    plain = index.search("client money", 50, profile=weighing(0.0), rerank=False)
    result = index.search("client money", 50, profile=weighing(0.0))
    assert result.hits == plain.hits
    assert result.trace.notes == (
        "the reranker is not used: the profile default gives it weight 0",
    )
    assert (result.plan.reranker, result.plan.rerank_count) == ("scripted", 0)
    assert "rerank" not in result.trace.milliseconds
    assert plain.trace.notes == ()


def test_it_reads_no_more_passages_than_the_profile_says(rulebook_folder: Path) -> None:
    reranker = Scripted(shortest)
    with search.open(str(rulebook_folder), reranker=reranker) as index:
        index.search("client money", 3, profile=weighing(0.3, count=7))
        assert len(reranker.read) == 7
        index.search("client money", 3, rerank=False)
        assert len(reranker.read) == 7


def test_results_do_not_change_with_k_when_reranked(opened: Callable[[Score], Index]) -> None:
    index = opened(shortest)
    longest = index.search("client money", 100).hits
    for k in (1, 5, 19, 20, 21, 60):
        assert index.search("client money", k).hits == longest[:k]


@pytest.mark.parametrize(
    ("score", "reason"),
    [
        (failing, "out of memory"),
        (not_a_number, "scripted returned a score that is not a number"),
        (too_few, ""),
        (too_many, ""),
    ],
)
def test_a_failing_reranker_leaves_the_fused_order_and_says_so(
    opened: Callable[[Score], Index], score: Score, reason: str
) -> None:
    index = opened(score)
    plain = index.search("client money", 30, rerank=False).hits
    result = index.search("client money", 30)
    assert [(hit.id, hit.score) for hit in result.hits] == [(hit.id, hit.score) for hit in plain]
    (note,) = result.trace.notes
    assert note.startswith("reranking failed, so the previous order is kept: ")
    assert reason in note


def test_a_named_rule_stays_first_whatever_the_reranker_says(
    opened: Callable[[Score], Index],
) -> None:
    hits = opened(lambda _, texts: [-float(i) for i, _ in enumerate(texts)]).search("COND 6.2.2")
    assert hits.hits[0].passage_id == "6.2.2"


def test_without_reranker_the_plan_says_none(rulebook: Index) -> None:
    plan = rulebook.search("client money").plan
    assert (plan.reranker, plan.rerank_count, plan.rerank_weight) == (None, 0, 0.0)
