"""`rirag evaluate answers`: what answers cover, cite, refuse and leave out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rirag.cli.options import index_option, json_option, make_settings, print_json
from rirag.cli.output.progress import Progress
from search.errors import InputError

if TYPE_CHECKING:
    from rirag.evaluation.answers.citations import Supports

_FILE = click.Path(path_type=Path)


@click.command(short_help="Measure what answers cover, cite, refuse and leave out.")
@click.argument("answers", type=_FILE)
@click.option("--questions", type=_FILE, metavar="FILE", help="Questions with the passages that "
              "are relevant to them; without it only what needs none is measured.")  # fmt: skip
@click.option("--compare", type=_FILE, metavar="FILE", help="Compare with these answers by a "
              "paired randomisation test.")  # fmt: skip
@click.option("--nli", metavar="MODEL", help="Entailment model that decides whether a passage "
              "supports a statement.  [default: the verifier, by words]")  # fmt: skip
@click.option("--per-question", is_flag=True, help="With --json: the values and obligations of "
              "each question.")  # fmt: skip
@index_option
@json_option
def answers(
    answers: Path,
    questions: Path | None,
    compare: Path | None,
    nli: str | None,
    per_question: bool,
    index: str | None,
    as_json: bool,
) -> None:
    """Measure the ANSWERS that `rirag ask --questions FILE --output ANSWERS` wrote.

    An obligation of a relevant passage counts as vital if its words bear on the question half as
    much as those of the best one. Questions without relevant passages are expected to be refused.
    """
    if per_question and not as_json:
        raise InputError("--per-question adds to --json; give both.")
    settings = make_settings(index=index)
    from generation.text.sanitize import printable
    from rirag.evaluation.answers import report
    from rirag.evaluation.answers.citations import by_model, by_words
    from rirag.evaluation.answers.comparing import compare as compare_answers
    from rirag.evaluation.answers.evaluate import evaluate_answers, open_ground
    from rirag.server_settings import server_options

    supports: Supports = by_words
    if nli is not None:
        from search.models.entailment import load_entailment

        supports = by_model(load_entailment(nli))
    ground = None
    if questions is not None:
        ground = open_ground(questions, settings.index, server_options(settings))
    with Progress() as progress:
        measured = evaluate_answers(answers, ground, progress.begin, supports)
        compared = []
        if compare is not None:
            other = evaluate_answers(compare, ground, progress.begin, supports)
            compared = compare_answers(measured, other)
    if as_json:
        print_json(report.to_json(measured, compared, per_question=per_question))
    else:
        click.echo(printable(report.to_table(measured, compared)))
