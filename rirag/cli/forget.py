"""Implement `rirag forget`: delete what a server has stored of questions and answers."""

from __future__ import annotations

from pathlib import Path

import click

from rirag.cli.options import options
from rirag.refusals import unusable


@click.command()
@click.argument("answer_ids", nargs=-1)
@options("forget")
def command(answer_ids: tuple[str, ...], days: int | None, data: Path) -> None:
    """Delete stored answers by ANSWER_IDS or age, with their questions and feedback.

    Audit file and log are not changed.
    """
    from rirag.server.storage.answers import Answers
    from rirag.server.storage.database import FILE, Database
    from search.errors import InputError

    if days is None and not answer_ids:
        raise unusable("option.invalid/answers")
    if not (data / FILE).is_file():
        raise InputError("this is not the folder of a server", data, code="file.unreadable")
    database = Database(data)
    answers = Answers(database)
    old = answers.delete_older(days) if days is not None else 0
    deleted = old + sum(map(answers.delete, answer_ids))
    database.close()
    click.echo(f"Answers deleted: {deleted:,}.")
