"""Implement `rirag reindex`: rebuild an index from its contents, or roll it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rirag.cli.options import (
    encoder_option,
    index_option,
    json_option,
    make_settings,
    print_json,
    print_report,
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
@click.option("--rollback", is_flag=True, help="Return to the previous state (servers only).")
@json_option
def command(
    index: str | None, encoder: str | None, workers: int, rollback: bool, as_json: bool
) -> None:
    """Rebuild an index from its contents, with another encoder or changed settings.

    No sources are needed. Searches continue meanwhile, and use the new state once it is complete. A
    server keeps the previous state, and --rollback returns to it.
    """
    settings = make_settings(index=index, encoder=encoder)
    if rollback and encoder is not None:
        raise InputError(
            "--rollback does not take --encoder: the previous state keeps its encoder",
            code="option.invalid",
        )
    if rollback:
        _go_back(settings, as_json)
    else:
        _build(settings, workers, as_json)


def _build(settings: Settings, workers: int, as_json: bool) -> None:
    from rirag.service import loading

    with Progress() as progress:
        report = loading.reindex(settings, workers=workers, progress=progress)
    print_report(report, as_json)


def _go_back(settings: Settings, as_json: bool) -> None:
    from dataclasses import asdict

    from indexer.load.report import count
    from rirag.service import loading

    now = loading.rollback(settings)
    if as_json:
        print_json(asdict(now))
        return
    click.echo(
        f"{settings.index} is back at generation {now.generation}: "
        f"{count(now.passages, 'passage')} of {count(now.documents, 'document')}, "
        f"encoder {now.encoder.name}."
    )
