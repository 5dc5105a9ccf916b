"""Evaluating retrieval: ask every question, or take a finished run, and measure."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from rirag.inputs.gold import JudgedQuestions
from rirag.progress import Progress
from rirag_workbench.evaluation.retrieval.measures import compute
from rirag_workbench.evaluation.retrieval.records import Evaluation
from rirag_workbench.evaluation.retrieval.runs import Ranking, Run, strictly_decreasing
from search.errors import InputError

Search = Callable[[str], Sequence[tuple[str, float]]]
"""Takes a question, returns (passage ID, score), best first, 100 or as many as there are."""


def evaluate_retrieval(
    questions: JudgedQuestions,
    search: Search,
    measures: Sequence[str],
    progress: Progress = lambda: None,
) -> Evaluation:
    """Search for each question, one after another, and measure what was found.

    The order that `search` returns is what is measured: equal scores are told apart by it.

    Raises:
        InputError: there is no question.
    """
    if not questions.texts:
        raise InputError(
            "there are no questions to evaluate; give a file of questions.",
            code="evaluation.invalid",
        )
    run: dict[str, Ranking] = {}
    milliseconds: dict[str, float] = {}
    for question, text in questions.texts.items():
        started = time.perf_counter()
        found = search(text)
        milliseconds[question] = (time.perf_counter() - started) * 1000
        run[question] = strictly_decreasing(found)
        progress()
    return _evaluation(questions, run, measures, milliseconds)


def evaluate_run(questions: JudgedQuestions, run: Run, measures: Sequence[str]) -> Evaluation:
    """Measure a finished run.

    Raises:
        InputError: the run answers none of the questions.
    """
    if not any(question in run for question in questions.relevant):
        raise InputError(
            "the run has results for none of the questions; check that the run and "
            "the questions belong together.",
            code="evaluation.invalid",
        )
    return _evaluation(questions, run, measures, {})


def _evaluation(
    questions: JudgedQuestions, run: Run, measures: Sequence[str], milliseconds: dict[str, float]
) -> Evaluation:
    return Evaluation(
        values=compute(questions.relevant, run, measures),
        run=run,
        missing_gold=questions.missing,
        unanswered=sum(not run.get(question) for question in questions.relevant),
        milliseconds=milliseconds,
    )
