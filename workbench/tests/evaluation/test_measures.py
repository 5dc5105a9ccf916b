"""Measures: right by hand on small cases, and trec_eval's own on random ones."""

from __future__ import annotations

import math
import random
import re
import shutil

import pytest

from rirag_workbench.evaluation.retrieval.measures import compute, mean, parse_measures
from rirag_workbench.evaluation.retrieval.runs import Ranking
from search.errors import InputError


def ranking(*passages: str) -> Ranking:
    return tuple((passage, float(-place)) for place, passage in enumerate(passages))


def test_measures_are_right_by_hand() -> None:
    relevant = {"q": {"a", "b", "c"}}
    run = {"q": ranking("x", "a", "y", "b", "z")}
    values = compute(relevant, run, ["R@2", "R@10", "AP@10", "RR@10", "nDCG@10", "RR@1"])
    ideal = 1 + 1 / math.log2(3) + 1 / math.log2(4)
    gain = 1 / math.log2(3) + 1 / math.log2(5)
    expected = {
        "R@2": 1 / 3,
        "R@10": 2 / 3,
        "AP@10": (1 / 2 + 2 / 4) / 3,
        "RR@10": 1 / 2,
        "nDCG@10": gain / ideal,
        "RR@1": 0.0,
    }
    for name, value in expected.items():
        assert values[name]["q"] == pytest.approx(value), name


def test_question_that_finds_nothing_counts_as_zero() -> None:
    relevant = {"found": {"a"}, "empty": {"a"}, "absent": {"a"}, "wrong": {"a"}}
    run = {"found": ranking("a"), "empty": (), "wrong": ranking("b"), "unjudged": ranking("a")}
    for values in compute(relevant, run, ["R@10", "AP@10", "RR@10", "nDCG@10"]).values():
        assert values == {"found": 1.0, "empty": 0.0, "absent": 0.0, "wrong": 0.0}
        assert mean(values) == 0.25


def test_run_that_answers_nothing_is_all_zero() -> None:
    assert compute({"q": {"a"}}, {}, ["RR@10", "AP@10"]) == {"RR@10": {"q": 0}, "AP@10": {"q": 0}}


def test_ties_go_by_passage_id_descending_for_every_measure() -> None:
    run = {"q": (("a", 1.0), ("b", 1.0))}
    for name in ("RR@1", "R@1", "AP@1", "nDCG@1", "Success@1", "RR"):
        assert compute({"q": {"b"}}, run, [name])[name]["q"] == 1.0, name
        assert compute({"q": {"a"}}, run, [name])[name]["q"] == (0.5 if name == "RR" else 0), name


@pytest.mark.parametrize("seed", range(5))
def test_values_are_those_of_trec_eval_on_random_runs_with_ties(seed: int) -> None:
    import pytrec_eval

    draw = random.Random(seed)
    passages = [f"{draw.choice('abXYé9')}{n}" for n in range(60)]
    qrels, scored = {}, {}
    for number in range(40):
        question = f"q{number}"
        qrels[question] = dict.fromkeys(draw.sample(passages, draw.randint(1, 6)), 1)
        found = draw.sample(passages, draw.randint(1, 60))
        # Few distinct scores, some apart by less than 32 bits hold.
        scored[question] = {p: draw.randint(0, 4) + draw.choice((0, 1e-9)) for p in found}
    names = {
        "R@10": "recall_10",
        "AP@10": "map_cut_10",
        "RR": "recip_rank",
        "nDCG@10": "ndcg_cut_10",
        "R@100": "recall_100",
        "P@5": "P_5",
    }
    values = compute(
        {question: set(judged) for question, judged in qrels.items()},
        {question: tuple(found.items()) for question, found in scored.items()},
        list(names),
    )
    expected = pytrec_eval.RelevanceEvaluator(qrels, set(names.values())).evaluate(scored)
    for ours, theirs in names.items():
        for question in qrels:
            assert values[ours][question] == pytest.approx(expected[question][theirs], abs=1e-9)


def test_ids_may_hold_what_no_provider_takes() -> None:
    relevant = {"a\0b": {"p\0q"}, "a": {"p"}, "a\0c": {"p\0r"}}
    run = {"a\0b": ranking("p\0q"), "a": ranking("p\0q", "p"), "a\0c": ranking("p\0q")}
    assert compute(relevant, run, ["RR"]) == {"RR": {"a\0b": 1.0, "a": 0.5, "a\0c": 0.0}}


@pytest.mark.skipif(shutil.which("perl") is None, reason="ERR is computed by a Perl script")
def test_measures_of_a_provider_that_takes_numbers_only() -> None:
    run = {"first": ranking("a", "b"), "second": ranking("b", "a")}
    values = compute({"first": {"a"}, "second": {"a"}}, run, ["ERR@10"])["ERR@10"]
    # A grade of 1 among 0 to 4 stops a reader with a probability of 1/16.
    assert values == {
        "first": pytest.approx(1 / 16, abs=1e-5),
        "second": pytest.approx(1 / 32, abs=1e-5),
    }


def test_names_are_normalised_and_taken_once() -> None:
    assert parse_measures(" R@10  AP(rel=1)@10 R@10\nnDCG@5 ") == ("R@10", "AP@10", "nDCG@5")


@pytest.mark.parametrize(
    "name",
    ["recall", "R", "R@0", "R@-1", "R@ten", "P@5.5", "R@", "1", "RBP", "AP(rel=0)", "P(rel=0)@5"],
)
def test_unknown_measure_is_refused_with_examples(name: str) -> None:
    message = f"'{re.escape(name)}' is not a supported measure.* R@10 AP@10 RR@10"
    with pytest.raises(InputError, match=message):
        parse_measures(f"AP@10 {name}")


def test_no_measure_is_refused() -> None:
    with pytest.raises(InputError, match="no measure was given"):
        parse_measures("  ")
