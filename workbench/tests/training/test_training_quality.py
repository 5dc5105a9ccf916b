from __future__ import annotations

import numpy as np
import pytest

from rirag_workbench.training.data.examples import ValidationQuestion
from rirag_workbench.training.figures import Figures
from rirag_workbench.training.runs.quality import (
    Candidates,
    Quality,
    quality_of,
    reranked_quality,
)

IDS = [f"p{number}" for number in range(12)]


def question(*relevant: str, seen: bool = False) -> ValidationQuestion:
    return ValidationQuestion(f"q{relevant}", "who reports?", frozenset(relevant), seen)


def figures(found: Quality, name: str) -> Figures:
    chosen = found.figures[name]
    assert chosen is not None
    return chosen


def test_dense_and_hybrid_are_measured_and_the_best_weight_is_found() -> None:
    """BM25 finds the first answer, cosine the second; only a mixture puts both in front."""
    asked = [question("p0", seen=True), question("p11")]
    lexical = [((0, 9.0), (1, 3.0), (2, 0.1)), ((2, 9.0), (1, 8.5), (11, 8.0))]
    passages = np.eye(12, dtype=np.float32)
    vectors = np.zeros((2, 12), dtype=np.float32)
    vectors[0, :3] = (0.5, 0.6, 0.7)
    vectors[1, 11] = 1.0
    found = quality_of(asked, lexical, vectors, passages, IDS)
    assert 0 < found.weight < 1
    assert figures(found, "dense").average_precision == pytest.approx((1 / 3 + 1) / 2)
    assert figures(found, "hybrid").average_precision == 1.0
    assert (figures(found, "seen").recall, found.questions) == (1.0, 2)
    stored = dict(sorted(found.to_json().items()))
    assert Quality.from_json(stored) == found, "the library sorts what it stores"


def test_a_given_weight_is_used() -> None:
    asked, lexical = [question("p0")], [((1, 1.0), (0, 0.5))]
    vectors = passages = np.eye(12, dtype=np.float32)
    found = quality_of(asked, lexical, vectors[:1], passages, IDS, alpha=1.0)
    assert (found.weight, figures(found, "hybrid").average_precision) == (1.0, 0.5)
    assert figures(found, "dense").average_precision == 1.0
    assert found.figures["seen"] is None
    assert str(found).endswith("seen -, unseen 1.0000 / 0.5000 (weight 1.0)")


def test_reranking_is_measured_by_the_best_mixture() -> None:
    """The fused order has the answer second, the cross-encoder has another wrong one first."""
    candidates = [Candidates((1, 0, 2), (1.0, 0.9, 0.0))]
    scores = [np.array([0.0, 0.9, 1.0], dtype=np.float32)]
    found = reranked_quality([question("p0", "missing")], candidates, scores, IDS)
    assert figures(found, "fused").average_precision == pytest.approx(0.25)
    assert figures(found, "alone").average_precision == pytest.approx(0.25)
    assert figures(found, "reranked").average_precision == pytest.approx(0.5)
    assert figures(found, "reranked").recall == 0.5
    assert 0 < found.weight < 1
    assert Quality.from_json(found.to_json()) == found


def test_only_the_first_ten_count() -> None:
    candidates = [Candidates(tuple(range(12)), tuple(np.linspace(1, 0, 12)))]
    scores = [np.zeros(12, dtype=np.float32)]
    found = reranked_quality([question("p10", "p9")], candidates, scores, IDS, weight=0.0)
    assert figures(found, "reranked").recall == 0.5
    assert figures(found, "reranked").average_precision == pytest.approx(0.05)


def test_a_question_without_candidates_counts_as_zero() -> None:
    found = reranked_quality([question("p0")], [Candidates((), ())], [np.zeros(0, np.float32)], IDS)
    assert figures(found, "reranked").recall == 0.0
