"""Implement `rirag evaluate answers` and `judge`: measure answers, or let a model grade them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rirag.cli.options import FILE, make_settings, print_result, refuse_per_question, this_command
from rirag.cli.output.progress import Progress
from rirag_workbench.cli.options import options
from rirag_workbench.refusals import unusable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rirag_workbench.evaluation.answers.evaluate import Wanted
    from rirag_workbench.evaluation.answers.measuring import Measured
    from rirag_workbench.evaluation.answers.report import ByClass
    from rirag_workbench.evaluation.answers.said import Supports
    from rirag_workbench.evaluation.statistics import Comparison


@click.command(short_help="Measure what answers cover, cite, refuse and omit.")
@click.argument("answers", type=FILE)
@options("evaluate-answers")
def answers(
    answers: Path,
    questions: Path | None,
    compare: Path | None,
    measures: tuple[str, ...],
    per_question: bool,
    index: str | None,
    report_file: Path | None,
    as_json: bool,
    **models: Any,
) -> None:
    """Measure the ANSWERS that `rirag ask --questions FILE --output ANSWERS` wrote.

    An obligation of a relevant passage counts as vital if its similarity to the question is at
    least half that of the best obligation. Questions without relevant passages should be refused.
    """
    refuse_per_question(per_question, as_json)
    from rirag_workbench.evaluation.answers.measuring import named_measures

    names = named_measures(measures)
    models["repass"] = models["repass"] or "RePASs" in names
    if models["closed_book"] is not None and not models["repass"]:
        raise unusable("option.invalid/closed-book")
    settings = make_settings(index=index)
    from rirag.files import refuse_output
    from rirag_workbench.evaluation.answers import report
    from rirag_workbench.evaluation.answers.evaluate import compare as compare_answers
    from rirag_workbench.evaluation.answers.evaluate import (
        compare_by_class,
        evaluate_answers,
        open_ground,
    )
    from rirag_workbench.evaluation.answers.measuring import only
    from rirag_workbench.evaluation.provenance import made_with
    from rirag_workbench.evaluation.statistics import SEED

    if report_file is not None:
        refuse_output(report_file, "the report", (answers, questions, compare, models["cache"]))
    wanted = _wanted(**models)
    ground = None
    if questions is not None:
        ground = open_ground(questions, settings)
    with Progress() as progress:
        measured = only(evaluate_answers(answers, ground, progress.begin, wanted), names)
        compared, by_class = [], {}
        if compare is not None:
            other = only(evaluate_answers(compare, ground, progress.begin, wanted), names)
            compared = compare_answers(measured, other)
            by_class = compare_by_class(measured, other)
    if report_file is not None:
        _write_report(report_file, measured, compared, by_class, (answers, questions, compare))

    def to_json() -> dict[str, Any]:
        files = {"answers": answers, "questions": questions, "compared with": compare,
                 "closed book": models["closed_book"]}  # fmt: skip
        used = {name: models[name] for name in ("nli", "coverage_nli", "obligations")}
        form = report.to_json(measured, compared, by_class, per_question=per_question)
        seed = SEED if compare is not None else None
        return {**form, "made_with": made_with(files, used, seed=seed)}

    print_result(as_json, to_json, lambda: report.to_table(measured, compared, by_class))


def _wanted(
    nli: str | None,
    repass: bool,
    coverage_nli: str | None,
    obligations: str,
    closed_book: Path | None,
    cache: Path | None,
) -> Wanted:
    """Load the models that the options name."""
    from rirag_workbench.evaluation.answers.evaluate import RepeatableClassifier, Wanted
    from rirag_workbench.evaluation.answers.repass import COVERAGE, NLI, load_repass
    from rirag_workbench.evaluation.answers.said import by_model, by_words
    from rirag_workbench.evaluation.cache import Cache
    from search.models.classifiers import Classifier, load_classifier

    kept = Cache(cache)

    @lru_cache
    def load(name: str) -> Classifier:
        return RepeatableClassifier(load_classifier(name), kept)

    supports: Supports = by_words
    if nli is not None:
        from search.models.classifiers import load_entailment

        supports = by_model(load_entailment(nli, load))
    if not repass:
        return Wanted(supports)
    measure = load_repass(nli or NLI, coverage_nli or nli or COVERAGE, obligations, load)
    return Wanted(supports, measure, closed_book)


def _write_report(
    output: Path,
    measured: Measured,
    compared: Sequence[Comparison],
    by_class: ByClass,
    files: tuple[Path | None, ...],
) -> None:
    from rirag.files import sha256_of, write_text
    from rirag_workbench.evaluation.answers.report import to_html

    about = [
        (name, f"{file.name} (SHA-256 {sha256_of(file)[:16]})")
        for name, file in zip(("answers", "questions", "compared with"), files, strict=True)
        if file is not None
    ]
    page = to_html(measured, compared, by_class, about, this_command())
    write_text(output, page, "the report")


@click.command(short_help="Let a language model grade answers against official ones.")
@click.argument("answers", type=FILE)
@options("evaluate-judge")
def judge(
    answers: Path,
    reference: Path,
    examples: int,
    planted: float,
    against: Path | None,
    cache: Path | None,
    seed: int,
    as_json: bool,
    **llm: Any,
) -> None:
    """Grade ANSWERS from 1 to 4 for correctness, completeness, citations and scope.

    The judge is measured too, with official answers and with corrupted ones (a changed number,
    party, negation, time or limit). The share of good answers is corrected for the judge's errors.
    """
    settings = make_settings(**llm)
    from rirag.inputs.answer_records import read_answers
    from rirag.service.language_models import language_model
    from rirag_workbench.evaluation.cache import Cache
    from rirag_workbench.evaluation.judge.judging import (
        asking,
        judge_answers,
        read_references,
        to_table,
    )
    from rirag_workbench.evaluation.judge.rubric import fingerprint, shipped
    from rirag_workbench.evaluation.provenance import made_with
    from rirag_workbench.evaluation.statistics import SEED

    records, official = read_answers(answers), read_references(reference)
    asked, model = language_model(settings), settings.llm_model or ""
    files, used = {"answers": answers, "reference": reference}, {"judge": model}
    if against is not None:
        from rirag_workbench.evaluation.judge import pairwise

        others, prefer = read_answers(against), pairwise.preferring(asked, model, Cache(cache))
        with Progress() as progress:
            step = progress.begin("judging", len(records))
            pairs = pairwise.judge_pairs(records, others, official, prefer, step)
        made = made_with({**files, "against": against}, used, [shipped("pairwise.txt")], SEED)
        form = {"model": settings.llm_model, **pairs.to_json(), "made_with": made}
        print_result(as_json, lambda: form, lambda: pairwise.to_table(pairs))
        return
    ask = asking(asked, model, examples, Cache(cache))
    with Progress() as progress:
        step = progress.begin("judging", len(records))
        found = judge_answers(records, official, ask, planted, seed, step)
    made = made_with(files, used, fingerprint(), seed)
    form = {
        "model": settings.llm_model, "examples": examples, **found.to_json(), "made_with": made,
    }  # fmt: skip
    print_result(as_json, lambda: form, lambda: to_table(found))
