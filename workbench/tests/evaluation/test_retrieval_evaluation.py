"""Retrieval is measured as trec_eval measures it, and told with what to know of the searches."""

from __future__ import annotations

import json
import math
import random
import re
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from rirag.inputs.gold import JudgedQuestions
from rirag_workbench.evaluation.retrieval.run import (
    MOST_TOLD,
    compute,
    evaluate_retrieval,
    evaluate_run,
    mean,
    parse_measures,
    to_json,
    to_table,
    told,
)
from rirag_workbench.evaluation.retrieval.runs import Ranking, read_run, write_run
from rirag_workbench.evaluation.statistics import compare
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


QUESTIONS = JudgedQuestions(
    texts={"q1": "one", "q2": "two", "q3": "three"},
    relevant={"q1": frozenset("a"), "q2": frozenset("bz"), "q3": frozenset("c")},
    references=4,
    missing=1,
)
MEASURES = ["R@10", "AP@10", "RR@10"]
FOUND = {
    "one": [("a", 1.0), ("b", 1.0)],  # tied, the right one first
    "two": [("x", 0.9), ("b", 0.8)],
    "three": [],
}


def search(question: str) -> Sequence[tuple[str, float]]:
    return FOUND[question]


def test_means_are_over_all_questions_and_in_the_order_of_the_search() -> None:
    evaluation = evaluate_retrieval(QUESTIONS, search, MEASURES)
    assert evaluation.questions == 3
    assert evaluation.means == pytest.approx(
        {"R@10": (1 + 0.5) / 3, "AP@10": (1 + 0.25) / 3, "RR@10": (1 + 0.5) / 3}
    )
    assert (evaluation.unanswered, evaluation.missing_gold) == (1, 1)


def test_written_run_gives_the_same_values_back(tmp_path: Path) -> None:
    evaluation = evaluate_retrieval(QUESTIONS, search, MEASURES)
    write_run(tmp_path / "run", evaluation.run)
    again = evaluate_run(QUESTIONS, read_run(tmp_path / "run"), MEASURES)
    assert again.values == evaluation.values
    assert again.unanswered == 1
    assert again.latency is None


def test_each_search_is_timed_and_progress_told() -> None:
    told = []

    def slow(question: str) -> Sequence[tuple[str, float]]:
        time.sleep(0.3 if question == "two" else 0)
        return search(question)

    evaluation = evaluate_retrieval(QUESTIONS, slow, MEASURES, lambda: told.append("asked"))
    assert told == ["asked"] * 3
    assert evaluation.milliseconds["q2"] >= 300 > evaluation.milliseconds["q1"]
    assert evaluation.latency is not None
    assert evaluation.latency.p50 < evaluation.latency.p95 <= max(evaluation.milliseconds.values())


def test_no_questions_are_refused() -> None:
    none = JudgedQuestions({}, {}, references=0, missing=0)
    with pytest.raises(InputError, match="there are no questions to evaluate"):
        evaluate_retrieval(none, lambda _: [], ["R@10"])


def test_run_of_other_questions_is_refused() -> None:
    with pytest.raises(InputError, match="has results for none of the questions"):
        evaluate_run(QUESTIONS, {"other": (("a", 1.0),)}, MEASURES)


def test_table_says_all_there_is_to_know() -> None:
    evaluation = evaluate_retrieval(QUESTIONS, search, MEASURES)
    table = to_table(evaluation, compare(evaluation.values, evaluation.values))
    rows = [" ".join(line.split()) for line in table.split("\n")]
    assert "AP@10 0.4167" in rows
    assert "3 questions, all counted" in table
    assert "1 found nothing and counts as 0" in table
    assert "1 relevant passage is not in the index; it counts as not found" in table
    assert "search time p50" in table
    assert "AP@10 0.4167 0.4167 +0.0000 0 0 3 1.0000" in rows


def test_table_of_a_finished_run_leaves_out_what_is_not_known() -> None:
    complete = JudgedQuestions({"q": "one"}, {"q": frozenset("a")}, 1, 0)
    table = to_table(evaluate_run(complete, {"q": (("a", 1.0),)}, ["R@10"]))
    assert table.split("\n") == ["measure    mean", "R@10     1.0000", "", table.split("\n")[-1]]
    assert table.endswith("1 question, all counted")


def test_table_speaks_of_several_in_the_plural() -> None:
    several = JudgedQuestions(
        {"q": "one", "p": "two"}, {"q": frozenset("a"), "p": frozenset("b")}, 2, 2
    )
    table = to_table(evaluate_retrieval(several, lambda _: [], ["R@10"]))
    assert "2 found nothing and count as 0" in table
    assert "2 relevant passages are not in the index; they count as not found" in table


def test_json_form_is_stable() -> None:
    evaluation = evaluate_retrieval(QUESTIONS, search, MEASURES)
    form = json.loads(
        json.dumps(to_json(evaluation, compare(evaluation.values, evaluation.values)))
    )
    assert list(form) == [
        "questions", "measures", "unanswered", "missing_gold", "answered_questions",
        "own_answered_questions", "milliseconds", "notes", "comparison",
    ]  # fmt: skip
    assert form["questions"] == 3
    assert list(form["measures"]) == MEASURES
    assert list(form["milliseconds"]) == ["p50", "p95", "mean"]
    assert form["comparison"][0] == {
        "measure": "R@10", "value": 0.5, "other": 0.5, "difference": 0.0, "p_value": 1.0,
        "better": 0, "worse": 0, "equal": 3,
    }  # fmt: skip
    values = to_json(evaluation, per_question=True)["per_question"]
    assert values["q2"] == {"R@10": 0.5, "AP@10": 0.25, "RR@10": 0.5}


def test_the_most_frequent_note_comes_first() -> None:
    assert told({}, 3) == ()
    assert told({"one": 1, "all": 3}, 3) == ("3 of 3 searches: all", "1 of 3 searches: one")
    assert told({"all": 1}, 1) == ("1 of 1 search: all",)


def test_of_very_many_notes_the_others_are_counted() -> None:
    sentences = told({str(number): 1 for number in range(MOST_TOLD + 2)}, 9)
    assert len(sentences) == MOST_TOLD + 1
    assert sentences[-1] == "and 2 more notes of single searches"
