"""Implement `rirag questions`: manage the answered questions of an index."""

from __future__ import annotations

from pathlib import Path

import click

from rirag.cli.options import FILE, make_settings, options, print_json, print_result
from rirag.cli.output.progress import Progress
from rirag.refusals import unusable


@click.group()
def command() -> None:
    """Add, list and remove answered questions: earlier questions with their relevant passages.

    Answered questions that resemble a new one vote for their passages (docs/answered-questions.md).
    """


@command.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…", type=FILE)
@options("questions")
def add(files: tuple[Path, ...], index: str | None, as_json: bool) -> None:
    """Add the questions of FILES (JSONL with question_id, question and relevant; or ObliQA JSON).

    Either all questions are added, or none. A question replaces an earlier one with the same ID.
    """
    settings = make_settings(index=index)
    from rirag.service import loading

    with Progress() as progress:
        report = loading.add_questions(settings, files, progress=progress)
    print_result(as_json, report.to_json, report.summary)


@command.command("list")
@options("questions")
def list_(index: str | None, as_json: bool) -> None:
    """List the answered questions; with --json in the format that `add` reads."""
    settings = make_settings(index=index)
    from rirag.service import loading

    known = loading.answered_questions(settings)
    if as_json:
        print_json(
            [
                {"question_id": one.id, "question": one.text, "relevant": list(one.passages)}
                for one in known
            ]
        )
        return
    from generation.text.sanitize import printable
    from indexer.load.report import count

    for one in known:
        passages = count(len(one.passages), "passage")
        click.echo(f"{printable(one.id)}  {printable(one.text)}  ({passages})")
    if not known:
        click.echo(f"{settings.index} has no answered questions", err=True)


@command.command()
@click.argument("ids", nargs=-1, metavar="[ID…]")
@options("questions-remove")
def remove(ids: tuple[str, ...], everything: bool, index: str | None, as_json: bool) -> None:
    """Remove the answered questions with these IDs: all of them, or none."""
    if bool(ids) == everything:
        raise unusable("option.invalid/questions")
    settings = make_settings(index=index)
    from rirag.service import loading

    with Progress() as progress:
        wanted = None if everything else ids
        report = loading.remove_questions(settings, wanted, progress=progress)
    print_result(as_json, report.to_json, report.summary)
