"""Every set of weights orders candidates as search does."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sample import ingest_rulebook

import indexer
import search
from rirag_workbench.evaluation.retrieval.run import compute
from rirag_workbench.training.data.questions_to_fit import OwnKnown, QuestionToFit
from rirag_workbench.training.data.samples import (
    RetrievalSample,
    Weights,
    features,
    fused_scores,
    min_max,
    qualities,
)
from rirag_workbench.training.profile.fit import retrieval_samples
from rirag_workbench.training.profile.grid import quality_under
from search.answered_questions.questions import AnsweredQuestion
from search.candidates import Candidate, Candidates
from search.engines.protocol import RetrievalResults
from search.ranking.candidate_set import FusedCandidates
from search.ranking.fusion import fuse
from search.ranking.profile_file import load_profile
from search.ranking.profiles import AlphaStep, Profile

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


def test_scores_are_normalised_over_the_candidates_of_a_retriever() -> None:
    assert min_max({"a": 3.0, "b": 1.0, "c": 2.0}) == {"a": 1.0, "b": 0.0, "c": 0.5}


def test_tied_and_single_candidates_become_one() -> None:
    assert min_max({"a": 3.0, "b": 3.0}) == {"a": 1.0, "b": 1.0}
    assert min_max({"a": -0.2}) == {"a": 1.0}
    assert min_max({}) == {}


def test_what_a_retriever_did_not_propose_has_zero() -> None:
    sample = RetrievalSample(
        question_id="q",
        words=3,
        relevant={"b", "elsewhere"},
        lexical={"a": 2.0, "b": 1.0},
        dense={"c": 0.9, "a": 0.7, "d": 0.8},
        documents={"D1": 5.0, "D2": 4.0},
        document_of={"a": "D1", "b": "D2", "c": "D3", "d": "D1", "e": "D2"},
        memory={"e": 0.4, "b": 0.1},
        headings={"c"},
    )
    found = features(sample)
    assert found.lexical.tolist() == [1, 0, 0, 0, 0]  # a, b, c, d, e
    assert found.dense == pytest.approx(np.array([0, 0, 1, 0.5, 0]))
    assert found.document.tolist() == [1, 0, 0, 1, 0]
    assert found.memory.tolist() == [0, 0.1, 0, 0, 0.4]
    assert found.heading.tolist() == [False, False, True, False, False]
    assert found.relevant.tolist() == [False, True, False, False, False]
    assert found.total == 2


def test_question_without_candidates_scores_nothing() -> None:
    sample = RetrievalSample("q", 3, {"a"}, {}, {}, {}, {})
    weights = Weights(np.array([0.3, 0.7]), np.array([0.0]), np.array([0.0, 0.1]))
    assert qualities(features(sample), weights).tolist() == np.zeros((2, 1, 2, 2)).tolist()


def test_a_shallower_retriever_has_its_best_only() -> None:
    sample = make_sample(1, documents=4)
    shallow = sample.to_depth(3)
    assert list(shallow.lexical.items()) == list(sample.lexical.items())[:3]
    assert list(shallow.dense.items()) == list(sample.dense.items())[:3]
    assert len(shallow.documents) == 3
    assert shallow.memory == sample.memory


def make_sample(seed: int, documents: int) -> RetrievalSample:
    """A question with random candidates; some are headings, some scores are equal."""
    draw = random.Random(seed)
    passages = [f"p{n}" for n in range(40)]

    def retriever(size: int, most: float) -> dict[str, float]:
        scores = {p: round(draw.uniform(0, most), 1) for p in draw.sample(passages, size)}
        return dict(sorted(scores.items(), key=lambda item: -item[1]))

    return RetrievalSample(
        question_id="q",
        words=5,
        relevant=set(draw.sample(passages, draw.randint(1, 5))) | {"elsewhere"},
        lexical=retriever(25, 30.0),
        dense=retriever(25, 1.0),
        documents={f"D{n}": 50.0 - draw.uniform(0, 9) * (n + 1) for n in range(documents)},
        document_of={p: f"D{draw.randint(0, 5)}" for p in passages},
        memory=retriever(6, 1.0) if seed % 2 else {},
        headings=set(draw.sample(passages, 5)),
    )


def number_of(passage: str) -> int:
    return int(passage.removeprefix("p"))


def fused_by_search(sample: RetrievalSample, profile: Profile) -> FusedCandidates:
    """The candidates as `search.ranking.fusion` orders them."""

    def candidates(retriever: dict[str, float]) -> Candidates:
        return Candidates.of(
            Candidate(
                number_of(p),
                sample.document_of[p],
                score,
                "heading" if p in sample.headings else "rule",
            )
            for p, score in retriever.items()
        )

    results = RetrievalResults(
        lexical=candidates(dict(sample.lexical)),
        dense=candidates(dict(sample.dense)),
        documents=tuple(sample.documents.items()),
    )
    alpha = profile.alpha_for(sample.words)
    return fuse(results, profile, alpha, candidates(dict(sample.memory)))


def profile_of(alpha: float, document: float, memory: float) -> Profile:
    return replace(
        load_profile("even"), alpha=(AlphaStep(alpha),), document_weight=document,
        votes_weight=memory, heading_weight=0.7,
    )  # fmt: skip


@pytest.mark.parametrize("documents", [0, 4])
@pytest.mark.parametrize("seed", range(10))
def test_every_fusion_orders_as_search_does(seed: int, documents: int) -> None:
    sample = make_sample(seed, documents)
    weights = Weights(np.array([0.0, 0.35, 1.0]), np.array([0.0, 0.2]), np.array([0.0, 0.3]), 0.7)
    candidates = list(dict.fromkeys([*sample.lexical, *sample.dense, *sample.memory]))
    scores = fused_scores(features(sample, headings_count_less=True), weights)
    for a, w, m in np.ndindex(*weights.shape):
        chosen = weights.alphas[a], weights.documents[w], weights.memory[m]
        fused = fused_by_search(sample, profile_of(*map(float, chosen)))
        own = dict(zip(candidates, scores[a, w, m], strict=True))
        in_order = np.array([own[f"p{one.key}"] for one in fused])
        ratio = in_order[0] / fused[0].score if fused[0].score else 1.0
        assert in_order == pytest.approx(np.array([one.score for one in fused]) * ratio)


@pytest.mark.parametrize("seed", range(10))
def test_every_fusion_measures_what_trec_eval_does(seed: int) -> None:
    sample = make_sample(seed, 4)
    for alpha, document, memory in [(0.0, 0.2, 0.0), (0.35, 0.2, 0.3), (0.8, 0.0, 0.1)]:
        profile = profile_of(alpha, document, memory)
        order = fused_by_search(sample, profile)
        run = {"q": tuple((f"p{one.key}", -float(place)) for place, one in enumerate(order))}
        expected = compute({"q": sample.relevant}, run, ["R@10", "AP@10"])
        recall, average_precision = quality_under(sample, profile)
        assert recall == pytest.approx(expected["R@10"]["q"])
        assert average_precision == pytest.approx(expected["AP@10"]["q"])
