"""Implement `rirag evaluate`: measure retrieval and answers on questions with known passages."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rirag.cli.options import (
    FILE,
    parse_filters,
    print_result,
    refuse_per_question,
    search_settings,
    this_command,
)
from rirag.cli.output.progress import Progress
from rirag_workbench.cli.answers import answers, judge
from rirag_workbench.cli.options import options
from rirag_workbench.cli.parts_of_search import ablation, articles
from rirag_workbench.refusals import unusable

if TYPE_CHECKING:
    from rirag.inputs.gold import JudgedQuestions
    from rirag.inputs.questions import Question
    from rirag.service import Service
    from rirag.settings import Settings
    from search import Index
    from search.answered_questions.questions import AnsweredQuestion


@click.group()
def command() -> None:
    """Measure retrieval and answers on questions with known passages."""


for part in (ablation, answers, articles, judge):
    command.add_command(part)


@command.command(short_help="Measure how far raters (people or models) agree.")
@click.argument("files", type=FILE, nargs=-1, required=True, metavar="FILE…")
@options("evaluate-agreement")
def agreement(
    files: tuple[Path, ...], raters: tuple[str, ...], column: str | None, as_json: bool
) -> None:
    """Measure agreement over FILE… (CSV or JSONL): one file with a column per rater or with the
    columns rater and rating, or one file per rater. A file may also be the --json output of
    `rirag evaluate judge`; its columns are the criteria.

    The column item, id or question_id names an item. If a file has both item and question_id,
    confidence intervals are computed by resampling questions.
    """
    from rirag_workbench.evaluation.agreement import agreement_of, to_table
    from rirag_workbench.evaluation.provenance import by_name, made_with
    from rirag_workbench.evaluation.ratings import read_ratings
    from rirag_workbench.evaluation.statistics import SEED

    found = agreement_of(read_ratings(files, raters, column))

    def to_json() -> dict[str, Any]:
        return {**found.to_json(), "made_with": made_with(by_name(files), seed=SEED)}

    print_result(as_json, to_json, lambda: to_table(found))


@command.command(short_help="Show the results of evaluations side by side in one HTML file.")
@click.argument("files", type=FILE, nargs=-1, required=True)
@options("evaluate-report")
def report(files: tuple[Path, ...], output: Path) -> None:
    """Show the --json output of several evaluations side by side, one column for each of FILES."""
    from rirag.files import read_text, refuse_output, write_text
    from rirag_workbench.reports.side_by_side import figures_of, side_by_side

    refuse_output(output, "the report", files)
    results = {}
    for file in files:
        try:
            found = json.loads(read_text(file))
        except ValueError:
            raise unusable("evaluation.invalid/not-json", file) from None
        if not isinstance(found, dict) or not figures_of(found):
            raise unusable("evaluation.invalid/no-result", file)
        results[file.stem if file.stem not in results else str(file)] = found
    write_text(output, side_by_side(results, this_command()), "the report")
    click.echo(f"{output} shows {len(results)} results side by side")


@command.command()
@click.argument("questions", type=FILE)
@options("evaluate-retrieval")
def retrieval(
    questions: Path,
    measures: str,
    run: Path | None,
    from_run: Path | None,
    compare: Path | None,
    per_question: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Measure retrieval on QUESTIONS (ObliQA JSON, or JSONL with the IDs of relevant passages).

    The mean is over all questions; a question that finds nothing counts as zero. An answered
    question of the index does not vote when it is itself asked (same ID or same words).
    """
    if from_run is not None:
        _refuse_ranking(options, run)
    refuse_per_question(per_question, as_json)
    settings = search_settings(options)
    from rirag.files import refuse_output
    from rirag.inputs.gold import resolve_gold, resolver
    from rirag.inputs.questions import read_questions
    from rirag.service import Service
    from rirag_workbench.evaluation.retrieval import run as report
    from rirag_workbench.evaluation.retrieval.run import (
        deepest,
        evaluate_retrieval,
        evaluate_run,
        own_entries,
        parse_measures,
        told,
    )
    from rirag_workbench.evaluation.retrieval.runs import DEPTH, read_run, write_run
    from rirag_workbench.evaluation.statistics import compare as compare_runs

    names = parse_measures(measures)
    depth = max(DEPTH, deepest(names))
    if from_run is None:
        _refuse_too_deep(depth)
    asked = read_questions(questions)
    if run is not None:
        refuse_output(run, "the run", (questions, compare))
    other = None if compare is None else read_run(compare)
    notes: Counter[str] = Counter()
    with Service.open(settings, reranking=from_run is None) as service:
        index = service.index
        judged = resolve_gold(asked, resolver(index.passages()), questions)
        _refuse_unwritable(run, index, options["filters"])
        memory = _voting(index, settings)
        left_out = own_entries(judged.texts, memory)
        if from_run is not None:
            evaluation = evaluate_run(judged, read_run(from_run), names)
        else:
            with Progress() as progress:
                asked_one = progress.begin("asking", len(judged.texts))
                found = _searching(service, options["filters"], depth, left_out, notes)
                evaluation = evaluate_retrieval(judged, found, names, asked_one)
            outside = _outside_filters(index, judged, options["filters"])
            evaluation = replace(
                evaluation, known=len(memory),
                own_known=sum(text in left_out for text in judged.texts.values()),
                notes=(*outside, *told(notes, len(judged.texts))),
            )  # fmt: skip
    evaluation = replace(evaluation, notes=(*_left_out(questions, asked), *evaluation.notes))
    if run is not None:
        write_run(run, evaluation.run, depth=depth)
    compared = compare_runs(
        evaluation.values, {} if other is None else evaluate_run(judged, other, names).values
    )
    print_result(
        as_json,
        lambda: report.to_json(evaluation, compared, per_question=per_question),
        lambda: report.to_table(evaluation, compared),
    )


def _left_out(questions: Path, asked: Sequence[Question]) -> list[str]:
    """Return a note on the questions of a data set that nothing answers, if it has any."""
    from rirag.inputs.questions import read_questions

    count = len(read_questions(questions, judged=False)) - len(asked)
    return [f"{count:,} questions that nothing answers are left out"] if count else []


def _searching(
    service: Service,
    filters: Sequence[str],
    depth: int,
    left_out: Mapping[str, Collection[str]],
    notes: Counter[str],
) -> Callable[[str], list[tuple[str, float]]]:
    """Return what searches for a question without its own entries, and counts the notes."""
    from rirag.service import Query

    conditions = parse_filters(filters)

    def found(question: str) -> list[tuple[str, float]]:
        own = left_out.get(question, frozenset())
        result = service.search(Query(question, depth, conditions, leave_out=own))
        notes.update(result.trace.notes)
        return [(hit.id, hit.score) for hit in result.hits]

    return found


def _refuse_too_deep(depth: int) -> None:
    """Refuse measures that need more passages than a search returns."""
    from search.pipeline import MAX_K

    if depth > MAX_K:
        raise unusable("option.invalid/too-deep", depth=depth, max_k=MAX_K)


def _voting(index: Index, settings: Settings) -> list[AnsweredQuestion]:
    """Return the answered questions that vote."""

    profile = index.pipeline.profile(settings.profile)
    return (
        index.answered_questions()
        if settings.answered_questions and profile.votes_weight > 0
        else []
    )


def _refuse_unwritable(run: Path | None, index: Index, filters: Sequence[str]) -> None:
    """Refuse to write a run that its file format cannot hold; do nothing for None."""
    from rirag_workbench.evaluation.retrieval.runs import refuse_white_space

    if run is not None:
        refuse_white_space((one.id for one in index.passages(parse_filters(filters))), run)


def _outside_filters(index: Index, judged: JudgedQuestions, filters: Sequence[str]) -> list[str]:
    """Count the relevant passages that the filters exclude, so that no search can find them."""
    if not filters:
        return []
    inside = {passage.id for passage in index.passages(parse_filters(filters))}
    unfindable = sum(len(relevant - inside) for relevant in judged.relevant.values())
    outside = unfindable - judged.missing
    if not outside:
        return []
    if outside == 1:
        return ["1 relevant passage does not meet the filters; it counts as not found"]
    return [f"{outside:,} relevant passages do not meet the filters; they count as not found"]


def _refuse_ranking(options: Mapping[str, Any], run: Path | None) -> None:
    """Refuse options that shape or store a ranking when an existing run is measured."""
    if run is not None:
        raise unusable("option.invalid/run-not-written")
    for name in ("profile", "filters", "reranker", "no_rerank", "no_answered_questions", "encoder"):
        if options[name]:
            flag = "--" + name.removesuffix("s").replace("_", "-")
            raise unusable("option.invalid/not-searched", flag=flag)
