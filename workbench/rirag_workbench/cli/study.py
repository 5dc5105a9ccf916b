"""Implement `rirag study`: give answers to experts, and score what they return."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rirag.cli.options import FILE, json_text, print_result, three_numbers
from rirag_workbench.cli.options import options
from rirag_workbench.refusals import unusable


@click.group()
def command() -> None:
    """Collect expert scores for answers with a form that works offline."""


@command.command(short_help="Make a form for scoring answers, as HTML and as a spreadsheet.")
@click.argument("answers", type=FILE, nargs=-1, required=True, metavar="ANSWERS…")
@options("study-make")
def make(
    answers: tuple[Path, ...], output: Path, questions: int, planted: float, seed: int, title: str
) -> None:
    """Draw questions that all files of ANSWERS… answer, and lay out their answers without system
    names.

    Send form.html or form.xlsx to the raters, and keep key.json: it records which system gave which
    answer, and which answers are deliberately wrong.
    """
    from rirag.files import refuse_output_folder, write_text
    from rirag.inputs.answer_records import read_answers
    from rirag_workbench.evaluation.study.form import make_study, to_html
    from rirag_workbench.evaluation.study.ratings import write_sheet

    if len({one.stem for one in answers}) < len(answers):
        raise unusable("option.invalid/same-name")
    refuse_output_folder(output, "the form")
    study = make_study({one.stem: read_answers(one) for one in answers}, questions, planted, seed)
    output.mkdir(parents=True, exist_ok=True)
    write_text(output / "form.html", to_html(study, title), "the form")
    write_sheet(study, output / "form.xlsx")
    write_text(output / "key.json", json_text(study.key_json(), 1) + "\n", "the key")
    wrong = sum(entry.planted is not None for entry in study.key.values())
    click.echo(
        f"{output} has {len(study.items)} answers to score, {wrong} of them deliberately wrong"
    )
    if wrong < int(planted * len(study.items)):
        click.echo("note: the other answers cite no words that could be made wrong")


@command.command(short_help="Score the forms that raters returned.")
@click.argument("files", type=FILE, nargs=-1, required=True, metavar="FILE…")
@options("study-score")
def score(files: tuple[Path, ...], key: Path, weights: str, as_json: bool) -> None:
    """Score the systems from FILE… (CSV, JSON or XLSX), one file per rater.

    The output has the scores with 95 % intervals, the agreement of the raters, and the raters who
    missed the deliberately wrong answers.
    """
    from rirag_workbench.evaluation.provenance import by_name, made_with
    from rirag_workbench.evaluation.statistics import SEED
    from rirag_workbench.evaluation.study.ratings import read_key, read_returned
    from rirag_workbench.evaluation.study.scoring import score_study, to_table

    shares = three_numbers("--weights", weights, "2,1,1")
    study, entries = read_key(key)
    ratings, notes = read_returned(files, study, entries)
    result = score_study(ratings, entries, shares, notes)
    if not result.systems:
        raise unusable("option.invalid/no-score")

    def to_json() -> dict[str, Any]:
        read = {"key": key, **by_name(files)}
        return {**result.to_json(), "made_with": made_with(read, seed=SEED)}

    print_result(as_json, to_json, lambda: to_table(result))
