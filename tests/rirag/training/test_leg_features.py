"""Fusion on arrays: the written rules for ties and gaps, and trec_eval's measures."""

from __future__ import annotations

import random

import numpy as np
import pytest

from rirag.evaluation.measures import compute
from rirag.training.legs import LegSample, features, min_max, qualities


def test_scores_are_normalised_over_the_candidates_of_a_leg() -> None:
    assert min_max({"a": 3.0, "b": 1.0, "c": 2.0}) == {"a": 1.0, "b": 0.0, "c": 0.5}


def test_tied_and_single_candidates_become_one() -> None:
    assert min_max({"a": 3.0, "b": 3.0}) == {"a": 1.0, "b": 1.0}
    assert min_max({"a": -0.2}) == {"a": 1.0}
    assert min_max({}) == {}


def test_what_a_leg_did_not_propose_has_zero() -> None:
    sample = LegSample(
        question_id="q",
        words=3,
        relevant={"b", "elsewhere"},
        lexical={"a": 2.0, "b": 1.0},
        dense={"c": 0.9, "a": 0.7, "d": 0.8},
        documents={"D1": 5.0, "D2": 4.0},
        document_of={"a": "D1", "b": "D2", "c": "D3", "d": "D1"},
    )
    found = features(sample)
    assert found.lexical.tolist() == [1, 0, 0, 0]  # a, b, c, d
    assert found.dense == pytest.approx(np.array([0, 0, 1, 0.5]))
    assert found.document.tolist() == [1, 0, 0, 1]
    assert found.relevant.tolist() == [False, True, False, False]
    assert found.total == 2


def test_question_without_candidates_scores_nothing() -> None:
    sample = LegSample("q", 3, {"a"}, {}, {}, {}, {})
    values = qualities(features(sample), np.array([0.3, 0.7]), np.array([0.0]))
    assert values.tolist() == np.zeros((2, 1, 2)).tolist()


@pytest.mark.parametrize("seed", range(10))
def test_every_fusion_measures_what_trec_eval_does(seed: int) -> None:
    draw = random.Random(seed)
    passages = [f"p{n}" for n in range(40)]
    sample = LegSample(
        question_id="q",
        words=5,
        relevant=set(draw.sample(passages, draw.randint(1, 5))) | {"elsewhere"},
        lexical={p: draw.uniform(1, 30) for p in draw.sample(passages, 25)},
        dense={p: draw.uniform(0, 1) for p in draw.sample(passages, 25)},
        documents={f"D{n}": draw.uniform(5, 50) for n in range(4)},
        document_of={p: f"D{draw.randint(0, 5)}" for p in passages},
    )
    alphas, weights = [0.0, 0.35, 1.0], [0.0, 0.2]
    values = qualities(features(sample), np.array(alphas), np.array(weights))
    lexical, dense = min_max(sample.lexical), min_max(sample.dense)
    documents = min_max(sample.documents)
    for a, w in np.ndindex(3, 2):
        alpha, weight = alphas[a], weights[w]
        fused = [
            (
                p,
                (1 - weight) * (alpha * lexical.get(p, 0) + (1 - alpha) * dense.get(p, 0))
                + weight * documents.get(sample.document_of[p], 0),
            )
            for p in [*sample.lexical, *(p for p in sample.dense if p not in sample.lexical)]
        ]
        order = sorted(fused, key=lambda item: -item[1])
        run = {"q": tuple((p, -float(place)) for place, (p, _) in enumerate(order))}
        expected = compute({"q": sample.relevant}, run, ["R@10", "AP@10"])
        assert values[a, w, 0] == pytest.approx(expected["R@10"]["q"])
        assert values[a, w, 1] == pytest.approx(expected["AP@10"]["q"])
