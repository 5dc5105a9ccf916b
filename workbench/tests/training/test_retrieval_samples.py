"""Samples are what the engine's retrievers and the answered questions propose."""

from __future__ import annotations

from pathlib import Path

import pytest
from sample import ingest_rulebook

import indexer
import search
from rirag_workbench.training.data.questions_to_fit import OwnKnown, QuestionToFit
from rirag_workbench.training.profile.fit import retrieval_samples
from rirag_workbench.training.ranking.samples import RetrievalSample
from search.answered_questions.questions import AnsweredQuestion

TEXT = "Who must keep records of calls?"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An index of the rulebook that knows the question."""
    folder = ingest_rulebook(tmp_path_factory.mktemp("retrieval") / "index")
    with search.open(str(folder), reranker=None) as index:
        answer = index.search("complaint final response").hits[0].id
    indexer.add_questions([AnsweredQuestion("k", TEXT, (answer,))], str(folder))
    return str(folder)


def asked(folder: str, own: OwnKnown, depth: int = 20) -> RetrievalSample:
    question = QuestionToFit("q", TEXT, frozenset({"x"}), "keywords")
    told: list[None] = []
    with search.open(folder, reranker=None) as index:
        (sample,) = retrieval_samples(
            index.pipeline, [question], depth, own, lambda: told.append(None)
        )
    assert len(told) == 1
    return sample


def test_retrievers_are_as_deep_as_asked_for_and_hold_what_a_search_shows(folder: str) -> None:
    sample = asked(folder, {})
    assert len(sample.dense) == 20
    assert (sample.question_id, sample.words, sample.kind) == ("q", 6, "keywords")
    with search.open(folder, reranker=None) as index:
        hits = index.search(TEXT, 100, profile="rirag-paper", answered_questions=False).hits
        headings = {one.id for one in index.passages() if one.kind == "heading"}
    shown = {hit.id: hit.scores.dense.raw for hit in hits if hit.scores.dense}
    for passage, cosine in sample.dense.items():
        assert shown[passage] == pytest.approx(cosine)
    assert sample.headings == headings & {*sample.dense, *sample.lexical}


def test_answered_questions_vote_but_not_for_themselves(folder: str, tmp_path: Path) -> None:
    assert len(asked(folder, {}).memory) == 1
    assert asked(folder, {"q": frozenset({"k"})}).memory == {}
    assert asked(folder, {"other": frozenset({"k"})}).memory != {}
