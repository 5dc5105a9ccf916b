"""`rirag reindex`: build an index anew from what it holds, or go back to the state before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rirag.cli.options import (
    encoder_option,
    index_option,
    json_option,
    make_settings,
    print_json,
    workers_option,
)
from rirag.cli.output.progress import Progress
from search.errors import InputError

if TYPE_CHECKING:
    from rirag.settings import Settings


@click.command()
@index_option
@encoder_option
@workers_option
@click.option("--rollback", is_flag=True, help="Go back to the state before (servers only).")
@json_option
def command(
    index: str | None, encoder: str | None, workers: int, rollback: bool, as_json: bool
) -> None:
    """Build an index anew from what it holds: with another encoder, or for changed settings.

    No sources are needed. Searches go on meanwhile, and see the new state once it is complete. On
    a server the state before is kept, and --rollback goes back to it.
    """
    settings = make_settings(index=index, encoder=encoder)
    if rollback and encoder is not None:
        raise InputError("--rollback takes no --encoder: the state before has its own")
    if rollback:
        _go_back(settings, as_json)
    else:
        _build(settings, workers, as_json)


def _build(settings: Settings, workers: int, as_json: bool) -> None:
    import indexer
    from rirag.server_settings import server_options
    from search.models.encoders import load_encoder

    with Progress() as progress:
        report = indexer.reindex(
            settings.index,
            encoder=None if settings.encoder is None else load_encoder(settings.encoder),
            progress=progress,
            workers=workers,
            server=server_options(settings),
        )
    if as_json:
        print_json(report.to_json())
    else:
        from generation.text.terminal import printable

        click.echo(printable(report.summary()))


def _go_back(settings: Settings, as_json: bool) -> None:
    from dataclasses import asdict

    import indexer
    from indexer.load.report import count
    from rirag.server_settings import server_options

    now = indexer.rollback(settings.index, server=server_options(settings))
    if as_json:
        print_json(asdict(now))
        return
    click.echo(
        f"{settings.index} is back at generation {now.generation}: "
        f"{count(now.passages, 'passage')} of {count(now.documents, 'document')}, "
        f"encoder {now.encoder.name}."
    )
