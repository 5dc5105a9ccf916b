"""Asking questions and measuring: from a search function to a table and a run."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from rirag.inputs.gold import JudgedQuestions
from rirag_workbench.evaluation.retrieval.run import (
    evaluate_retrieval,
    evaluate_run,
    to_json,
    to_table,
)
from rirag_workbench.evaluation.retrieval.runs import read_run, write_run
from rirag_workbench.evaluation.significance import compare
from search.errors import InputError

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
    assert "AP@10    0.4167" in table
    assert "3 questions, all counted" in table
    assert "1 found nothing and counts as 0" in table
    assert "1 relevant passage is not in the index; it counts as not found" in table
    assert "search time p50" in table
    assert "AP@10    0.4167      +0.0000       0      0      3   1.0000" in table


def test_table_of_a_finished_run_leaves_out_what_is_not_known() -> None:
    complete = JudgedQuestions({"q": "one"}, {"q": frozenset("a")}, 1, 0)
    table = to_table(evaluate_run(complete, {"q": (("a", 1.0),)}, ["R@10"]))
    assert table.split("\n") == ["measure   mean", "R@10     1.0000", "", table.split("\n")[-1]]
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
