"""Candidates are kept with their features, as search finds them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sample import ingest_rulebook

import indexer
import search
from rirag_workbench.training.data.questions_to_fit import QuestionToFit
from rirag_workbench.training.fitted.candidate_samples import (
    ReadingOnce,
    candidate_samples,
    retriever_sets,
)
from search.answered_questions.questions import AnsweredQuestion
from search.ranking.learned.features import NAMES
from search.ranking.profile_file import load_profile

PROFILE = load_profile("default")
QUESTION = "How soon must a material incident be notified?"


class CountsWords:
    """A reranker that counts the words that question and passage share."""

    name = "shared words"

    def score(self, question: str, passages: Sequence[str]) -> np.ndarray:
        asked = set(question.lower().split())
        return np.array([len(asked & set(one.lower().split())) for one in passages], np.float32)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[search.Index]:
    """The sample rulebook with one answered question, opened with a reranker."""
    folder: Path = ingest_rulebook(tmp_path_factory.mktemp("samples") / "index")
    with search.open(str(folder), reranker=None) as opened:
        answer = opened.search(QUESTION, 1).hits[0].id
    known = AnsweredQuestion("k1", "When is a material incident to be reported?", (answer,))
    indexer.add_questions([known], str(folder))
    with search.open(str(folder), reranker=CountsWords()) as opened:
        yield opened


@pytest.fixture(scope="module")
def asked(index: search.Index) -> QuestionToFit:
    answer = index.search(QUESTION, 1, rerank=False, answered_questions=False).hits[0].id
    return QuestionToFit("q1", QUESTION, frozenset({answer}), "question")


def column(rows: np.ndarray, name: str) -> np.ndarray:
    return rows[:, NAMES.index(name)]


def test_every_combination_of_retrievers_is_asked(
    index: search.Index, asked: QuestionToFit
) -> None:
    sets = retriever_sets(index.pipeline)
    assert [sorted(one) for one in sets] == [[], ["memory"], ["rerank"], ["memory", "rerank"]]
    assert retriever_sets(replace(index.pipeline, answered_questions=None, reranker=None)) == [
        frozenset()
    ]
    (found,) = candidate_samples(index.pipeline, [asked], lambda _: PROFILE, {})
    assert set(found) == set(sets)
    for retrievers, sample in found.items():
        assert (column(sample.rows, "votes").max() > 0) == ("memory" in retrievers)
        assert (column(sample.rows, "logit").max() > 0) == ("rerank" in retrievers)


def test_candidates_stand_in_the_order_of_a_search(
    index: search.Index, asked: QuestionToFit
) -> None:
    (found,) = candidate_samples(index.pipeline, [asked], lambda _: PROFILE, {})
    for retrievers, options in (
        (frozenset(), {"answered_questions": False, "rerank": False}),
        (frozenset({"memory", "rerank"}), {"answered_questions": True, "rerank": True}),
    ):
        hits = index.search(QUESTION, 60, profile=PROFILE, **options).hits
        sample = found[retrievers]
        assert sample.before.tolist() == [hit.score for hit in hits]
        assert sample.answers.tolist() == [hit.id in asked.relevant for hit in hits]
    assert found[frozenset()].total == 1
    assert found[frozenset()].document == "GOVN"


def test_a_question_does_not_answer_itself(index: search.Index, asked: QuestionToFit) -> None:
    own = {"q1": frozenset({"k1"})}
    (found,) = candidate_samples(index.pipeline, [asked], lambda _: PROFILE, own)
    assert column(found[frozenset({"memory"})].rows, "votes").max() == 0


def test_a_question_of_which_a_retriever_proposes_nothing_is_passed_over(
    index: search.Index,
) -> None:
    nothing = QuestionToFit("q2", "xyzzy plugh", frozenset(), "question")
    told: list[int] = []
    found = candidate_samples(
        index.pipeline, [nothing], lambda _: PROFILE, {}, lambda: told.append(1)
    )
    assert (list(found), told) == ([], [1])


class Lengths:
    name = "lengths"

    def __init__(self):
        self.read = []

    def score(self, question, passages):
        self.read.append((question, *passages))
        return np.array([len(question) + len(text) for text in passages], np.float32)


def test_each_passage_is_read_once_for_a_question():
    lengths = Lengths()
    once = ReadingOnce(lengths)
    assert once.name == "lengths"
    assert once.score("q", ["a", "bb"]).tolist() == [2, 3]
    assert once.score("q", ["ccc", "bb", "a", "ccc"]).tolist() == [4, 3, 2, 4]
    assert lengths.read == [("q", "a", "bb"), ("q", "ccc")]


def test_another_question_has_scores_of_its_own():
    once = ReadingOnce(Lengths())
    assert once.score("q", ["a"]).tolist() == [2]
    assert once.score("long", ["a"]).tolist() == [5]
    assert once.score("q", ["a"]).tolist() == [2]
