"""Every set of weights orders candidates as search does."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest
from sample import ingest_rulebook

import indexer
import search
from rirag_workbench.evaluation.retrieval.run import compute
from rirag_workbench.training.data.questions_to_fit import OwnKnown, QuestionToFit
from rirag_workbench.training.profile.grid import (
    Sample,
    Weights,
    fused_scores,
    qualities,
    quality_under,
    samples_of,
)
from search.answered_questions.questions import AnsweredQuestion
from search.candidates import Candidate, Candidates
from search.engines.protocol import RetrievalResults
from search.ranking.candidate_set import FusedCandidates
from search.ranking.fusion import fuse
from search.ranking.profile_file import load_profile
from search.ranking.profiles import AlphaStep, Profile

TEXT = "Who must keep records of calls?"
BASE = replace(load_profile("even"), depth=20)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An index of the rulebook that knows the question."""
    folder = ingest_rulebook(tmp_path_factory.mktemp("retrieval") / "index")
    with search.open(str(folder), reranker=None) as index:
        answer = index.search("complaint final response").hits[0].id
    indexer.add_questions([AnsweredQuestion("k", TEXT, (answer,))], str(folder))
    return str(folder)


def asked(folder: str, own: OwnKnown) -> Sample:
    told: list[None] = []
    with search.open(folder, reranker=None) as index:
        hits = index.search(TEXT, 1, answered_questions=False).hits
        question = QuestionToFit("q", TEXT, frozenset({hits[0].id, "x"}), "keywords")
        (sample,) = samples_of(index.pipeline, [question], BASE, own, lambda: told.append(None))
    assert len(told) == 1
    return sample


def test_a_sample_holds_what_a_search_finds(folder: str) -> None:
    sample = asked(folder, {})
    assert (sample.question_id, sample.words, sample.kind) == ("q", 6, "keywords")
    assert np.count_nonzero(sample.dense) in (19, 20), "the last of the retriever has 0"
    assert (sample.answers.sum(), sample.total) == (1, 2)


def test_answered_questions_vote_but_not_for_themselves(folder: str) -> None:
    assert np.count_nonzero(asked(folder, {}).memory) == 1
    assert not asked(folder, {"q": frozenset({"k"})}).memory.any()
    assert asked(folder, {"other": frozenset({"k"})}).memory.any()


class Found(NamedTuple):
    """What the retrievers found for a question."""

    results: RetrievalResults
    memory: Candidates
    relevant: frozenset[str]

    def under(self, profile: Profile) -> FusedCandidates:
        """The candidates as search orders them."""
        return fuse(self.results, profile, profile.alpha_for(5), self.memory)

    @property
    def sample(self) -> Sample:
        fused = self.under(profile_of(0.5, 0.1, 0.1))
        question = QuestionToFit("q", "Who?", self.relevant, "question")
        return Sample.of(question, 5, fused, {n: f"p{n}" for n in range(40)})


def found(seed: int, documents: int) -> Found:
    """A question with random candidates; some are headings, some scores are equal."""
    draw = random.Random(seed)
    headings = set(draw.sample(range(40), 5))
    document_of = {n: f"D{draw.randint(0, 5)}" for n in range(40)}

    def retriever(size: int, most: float) -> Candidates:
        scores = {n: round(draw.uniform(0, most), 1) for n in draw.sample(range(40), size)}
        return Candidates.of(
            Candidate(n, document_of[n], score, "heading" if n in headings else "rule")
            for n, score in sorted(scores.items(), key=lambda item: -item[1])
        )

    ranked = tuple((f"D{n}", 50.0 - draw.uniform(0, 9) * (n + 1)) for n in range(documents))
    results = RetrievalResults(
        lexical=retriever(25, 30.0), dense=retriever(25, 1.0), documents=ranked
    )
    answers = {f"p{n}" for n in draw.sample(range(40), draw.randint(1, 5))}
    return Found(results, retriever(6 * (seed % 2), 1.0), frozenset(answers | {"elsewhere"}))


def profile_of(alpha: float, document: float, memory: float) -> Profile:
    return replace(
        BASE, alpha=(AlphaStep(alpha),), document_weight=document, votes_weight=memory,
        heading_weight=0.7,
    )  # fmt: skip


@pytest.mark.parametrize("documents", [0, 4])
@pytest.mark.parametrize("seed", range(10))
def test_every_fusion_orders_as_search_does(seed: int, documents: int) -> None:
    one = found(seed, documents)
    weights = Weights(np.array([0.0, 0.35, 1.0]), np.array([0.0, 0.2]), np.array([0.0, 0.3]), 0.7)
    keys = one.under(profile_of(0.5, 0.1, 0.1)).keys.tolist()
    scores = fused_scores(one.sample, weights)
    for a, w, m in np.ndindex(*weights.shape):
        chosen = weights.alphas[a], weights.documents[w], weights.memory[m]
        fused = one.under(profile_of(*map(float, chosen)))
        own = dict(zip(keys, scores[a, w, m], strict=True))
        in_order = np.array([own[key] for key in fused.keys.tolist()])
        ratio = in_order[0] / fused.scores[0] if fused.scores[0] else 1.0
        assert in_order == pytest.approx(fused.scores * ratio)


@pytest.mark.parametrize("seed", range(10))
def test_every_fusion_measures_what_trec_eval_does(seed: int) -> None:
    one = found(seed, 4)
    keys = one.under(profile_of(0.5, 0.1, 0.1)).keys.tolist()
    for alpha, document, memory in [(0.0, 0.2, 0.0), (0.35, 0.2, 0.3), (0.8, 0.0, 0.1)]:
        weights = Weights(*(np.array([w]) for w in (alpha, document, memory)), heading=0.7)
        order = np.argsort(-fused_scores(one.sample, weights)[0, 0, 0], kind="stable")
        run = {"q": tuple((f"p{keys[at]}", -float(rank)) for rank, at in enumerate(order))}
        expected = compute({"q": one.relevant}, run, ["R@10", "AP@10"])
        recall, average_precision = quality_under(one.sample, profile_of(alpha, document, memory))
        assert recall == pytest.approx(expected["R@10"]["q"])
        assert average_precision == pytest.approx(expected["AP@10"]["q"])


def test_question_without_candidates_scores_nothing() -> None:
    nothing = Found(RetrievalResults(), Candidates.of([]), frozenset({"a"}))
    weights = Weights(np.array([0.3, 0.7]), np.array([0.0]), np.array([0.0, 0.1]))
    assert qualities(nothing.sample, weights).tolist() == np.zeros((2, 1, 2, 2)).tolist()
