"""Evaluating retrieval: ask every question, or take a finished run, and measure."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from rirag.inputs.gold import JudgedQuestions, missing_notes
from rirag.progress import Progress
from rirag_workbench.evaluation.retrieval.measures import compute
from rirag_workbench.evaluation.retrieval.records import Evaluation
from rirag_workbench.evaluation.retrieval.runs import Ranking, Run, strictly_decreasing
from rirag_workbench.evaluation.significance import Comparison
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


def to_table(evaluation: Evaluation, comparisons: Sequence[Comparison] = ()) -> str:
    """Return a readable report: one line a measure, then what to know about the run."""
    width = max(len(name) for name in (*evaluation.means, "measure"))
    lines = [f"{'measure':{width}}   mean"]
    lines += [f"{name:{width}}  {value:.4f}" for name, value in evaluation.means.items()]
    lines += ["", *_facts(evaluation)]
    if comparisons:
        header = f"{'compared':{width}}   other   difference  better  worse  equal        p"
        lines += ["", header, *(_comparison_line(row, width) for row in comparisons)]
    return "\n".join(lines)


def to_json(
    evaluation: Evaluation, comparisons: Sequence[Comparison] = (), *, per_question: bool = False
) -> dict[str, Any]:
    """Return the stable JSON form, as `rirag evaluate retrieval --json` prints it.

    `per_question` adds question_id → measure → value.
    """
    form: dict[str, Any] = {
        "questions": evaluation.questions,
        "measures": evaluation.means,
        "unanswered": evaluation.unanswered,
        "missing_gold": evaluation.missing_gold,
        "answered_questions": evaluation.known,
        "own_answered_questions": evaluation.own_known,
        "milliseconds": asdict(evaluation.latency) if evaluation.latency else None,
        "notes": list(evaluation.notes),
    }
    if comparisons:
        form["comparison"] = [row.to_json() for row in comparisons]
    if per_question:
        names = list(evaluation.values)
        form["per_question"] = {
            question: {name: evaluation.values[name][question] for name in names}
            for question in evaluation.values[names[0]]
        }
    return form


def _facts(evaluation: Evaluation) -> list[str]:
    noun = "question" if evaluation.questions == 1 else "questions"
    facts = [f"{evaluation.questions:,} {noun}, all counted"]
    if evaluation.unanswered:
        verb = "counts" if evaluation.unanswered == 1 else "count"
        facts.append(f"{evaluation.unanswered} found nothing and {verb} as 0")
    facts += missing_notes(evaluation.missing_gold)
    if evaluation.known:
        noun = "answered question" if evaluation.known == 1 else "answered questions"
        facts.append(
            f"{evaluation.known:,} {noun} could vote; {evaluation.own_known:,} of the "
            "asked questions are among them and did not vote for themselves"
        )
    if evaluation.latency:
        facts.append(
            f"search time p50 {evaluation.latency.p50:.1f} ms, p95 {evaluation.latency.p95:.1f} ms"
        )
    return [*facts, *(f"note: {note}" for note in evaluation.notes)]


def _comparison_line(row: Comparison, width: int) -> str:
    return (
        f"{row.measure:{width}}  {row.other:.4f}  {row.difference:+11.4f}  {row.better:6d}  "
        f"{row.worse:5d}  {row.equal:5d}  {row.p_value:7.4f}"
    )
