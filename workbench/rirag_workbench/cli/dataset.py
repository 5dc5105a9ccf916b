"""Implement `rirag dataset`: build and check questions with the passages that answer them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rirag.cli.options import (
    FILE,
    json_text,
    make_settings,
    parse_filters,
    print_json,
    print_result,
    search_settings,
    three_numbers,
)
from rirag.cli.output.progress import Progress
from rirag_workbench.cli.options import options
from rirag_workbench.refusals import unusable

if TYPE_CHECKING:
    from rirag.service import Service
    from rirag_workbench.datasets.build import Rank
    from rirag_workbench.datasets.records import Question


@click.group()
def command() -> None:
    """Build, check, split and export questions with the passages that answer them."""


@command.command(short_help="Let a language model write a data set, and check every question.")
@options("dataset-build")
def build(output: Path, against: tuple[Path, ...], as_json: bool, **options: Any) -> None:
    """Draw passages from an index, let a language model write questions, and keep the good ones.

    A question is dropped if it is malformed, copies the passage, names a rule by its number, or
    repeats another question or one of --against. The rank at which search finds its passage is kept
    as its difficulty. The same command continues an interrupted run without asking for a reply
    twice.
    """
    from rirag.files import refuse_output, write_text
    from rirag.inputs.own_prompts import read_prompts
    from rirag.service import Service
    from rirag.service.language_models import language_model
    from rirag_workbench.datasets.build import Funnel, Plan, Replies, kept, tasks_of, written
    from rirag_workbench.datasets.checks import Duplicates
    from rirag_workbench.datasets.records import to_lines
    from rirag_workbench.datasets.writing import read_topics
    from rirag_workbench.evaluation.provenance import by_name, made_with

    refuse_output(output, "the data set", against)
    if options["groups"] and options["topics"] is None:
        raise unusable("option.invalid/groups")
    settings = search_settings(options, "llm_url", "llm_model")
    llm, each = language_model(settings), options["each"]
    topics = read_topics(options["topics"]) if options["topics"] else {}
    plan = Plan(
        options["passages"], options["groups"], options["group_size"], options["near_misses"],
        options["unanswerable"], options["seed"],
    )  # fmt: skip
    replies = Replies(
        output.with_name(output.name + ".replies"), settings.llm_model or "",
        read_prompts(settings.prompts),
    )  # fmt: skip
    given = _questions_of(against)
    funnel = Funnel()
    questions: list[Question] = []
    with Service.open(settings) as service, Progress() as progress:
        tasks = tasks_of(service.passages(parse_filters(options["filters"])), plan, topics)
        encoder = service.index.pipeline.encoder
        duplicates = Duplicates(given, encoder.encode_questions)
        nli = _nli(options["nli"])
        best, rank = options["best"], _rank(service, options["best"])
        step = progress.begin("writing questions", len(tasks))
        for task, reply in replies.to_all(tasks, llm, each, options["requests"]):
            funnel.tasks[task.kind] += 1
            questions += kept(
                written(task, reply, each, funnel), duplicates, nli, rank, funnel, best
            )
            step()
    write_text(output, to_lines(questions), "the data set")
    report = {
        "model": settings.llm_model, "seed": plan.seed, "nli": options["nli"], **funnel.to_json(),
        "made_with": made_with(
            {"topics": options["topics"], **by_name(against)},
            {"writer": settings.llm_model, "nli": options["nli"]}, replies.prompts(), plan.seed,
        ),
    }  # fmt: skip
    write_text(output.with_name(output.name + ".funnel"), json_text(report, 1) + "\n", "the funnel")
    print_result(as_json, lambda: report, lambda: _funnel_text(output, report))


@command.command(
    short_help="Check a data set for bad questions and for overlap with evaluation questions."
)
@click.argument("dataset", type=FILE)
@options("dataset-check")
def check(dataset: Path, against: tuple[Path, ...], as_json: bool) -> None:
    """Check every question of DATASET; the exit code is 1 if one is bad.

    A question is bad if it is malformed, copies its passage, names a rule by its number, repeats
    another question, or is in an evaluation set of --against, even in other words.
    """
    from rirag_workbench.datasets.checks import Duplicates, mechanical_problem
    from rirag_workbench.datasets.records import read_dataset
    from search.models.encoders import DEFAULT_ENCODER, load_encoder

    questions = read_dataset(dataset)
    encoder = load_encoder(DEFAULT_ENCODER)
    duplicates = Duplicates(_questions_of(against), encoder.encode_questions)
    bad = {
        one.question_id: problem
        for one in questions
        if (problem := mechanical_problem(one) or duplicates.reason(one)) is not None
    }
    lines = [f"{key}: {problem}" for key, problem in bad.items()]
    lines.append(f"{len(questions):,} questions, {len(bad):,} bad")
    found = {"questions": len(questions), "bad": bad}
    print_result(as_json, lambda: found, lambda: "\n".join(lines))
    if bad:
        click.get_current_context().exit(1)


@command.command(name="split", short_help="Divide a data set into train, dev and test.")
@click.argument("dataset", type=FILE)
@options("dataset-split")
def split_(dataset: Path, output: Path, by: Any, shares: str, as_json: bool) -> None:
    """Divide DATASET by the hash of its questions or documents, and report the overlap.

    A split is refused if a question of dev or test is in train, word for word or nearly; with --by
    document, also if two parts share a document.
    """
    from rirag.files import refuse_output_folder, write_text
    from rirag_workbench.datasets.checks import audit, split
    from rirag_workbench.datasets.records import read_dataset, to_lines

    refuse_output_folder(output, "the parts")
    numbers = three_numbers("--shares", shares, "80,10,10")
    wanted = [one / sum(numbers) for one in numbers]
    parts = split(read_dataset(dataset), wanted, by)
    found = audit(parts, by)
    output.mkdir(parents=True, exist_ok=True)
    for name, questions in parts.items():
        write_text(output / f"{name}.jsonl", to_lines(questions), "the part")
    counts = {name: len(questions) for name, questions in parts.items()}
    if as_json:
        print_json({"questions": counts, "overlap_with_train": found})
        return
    for share, (name, count) in zip(wanted, counts.items(), strict=True):
        shared = found.get(name)
        told = "" if shared is None else (
            f"; shares {shared['passages']:,} passages and {shared['documents']:,} documents "
            "with train"
        )  # fmt: skip
        click.echo(f"{name}: {count:,} questions{told}")
        if share and not count:
            click.echo(f"note: {name} is empty; too few {by}s for these shares")


@command.command(short_help="Write a data set in the format of ObliQA or BEIR.")
@click.argument("dataset", type=FILE)
@options("dataset-export")
def export(dataset: Path, form: str, output: Path, index: str | None) -> None:
    """Write DATASET as ObliQA JSON, or as BEIR corpus, queries and qrels (from --index)."""
    from rirag.files import refuse_output, refuse_output_folder, write_text
    from rirag.service.opening import all_passages
    from rirag_workbench.datasets.records import read_dataset
    from rirag_workbench.datasets.writing import to_obliqa, write_beir

    questions = read_dataset(dataset)
    if form == "obliqa":
        refuse_output(output, "the data set", (dataset,))
        write_text(output, to_obliqa(questions), "the data set")
    else:
        refuse_output_folder(output, "the data set")
        write_beir(questions, all_passages(make_settings(index=index)), output)
    click.echo(f"{output} has {len(questions):,} questions")


def _rank(service: Service, best: int | None) -> Rank:
    from rirag.service import Query

    def rank(question: str, passages: Sequence[str]) -> int | None:
        hits = service.search(Query(question, max(10, best or 0), answered_questions=False)).hits
        return next((hit.rank for hit in hits if hit.id in passages), None)

    return rank


def _nli(name: str | None) -> Any:
    if name is None:
        return None
    from search.models.classifiers import load_entailment

    return load_entailment(name)


def _questions_of(files: Sequence[Path]) -> list[tuple[str, str]]:
    from rirag.inputs.questions import read_questions

    return [
        (one.question_id, one.text) for file in files for one in read_questions(file, judged=False)
    ]


def _funnel_text(output: Path, report: dict[str, Any]) -> str:
    asked = ", ".join(f"{count:,} {kind}" for kind, count in report["asked_about"].items())
    lines = [f"asked about: {asked}", f"lines written: {report['lines_written']:,}"]
    lines += [f"  {name}: {count:,}" for name, count in report["fates"].items() if count]
    ranks = ", ".join(
        f"{name}: {count:,}" for name, count in report["rank_of_first_relevant"].items()
    )
    return "\n".join([*lines, f"place of the first relevant passage: {ranks or '-'}",
                      f"{output} has {report['kept']:,} questions"])  # fmt: skip
