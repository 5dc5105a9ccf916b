"""Implement `rirag reindex`: rebuild an index from its contents, or roll it back."""

from __future__ import annotations

from dataclasses import asdict

import click

from rirag.cli.options import make_settings, options, print_result
from rirag.cli.output.progress import Progress
from rirag.refusals import unusable


@click.command()
@options("reindex")
def command(
    index: str | None, encoder: str | None, workers: int, rollback: bool, as_json: bool
) -> None:
    """Rebuild an index from its contents, with another encoder or changed settings.

    No sources are needed. Searches continue meanwhile, and use the new state once it is complete. A
    server keeps the previous state, and --rollback returns to it.
    """
    settings = make_settings(index=index, encoder=encoder)
    if rollback and encoder is not None:
        raise unusable("option.invalid/rollback")
    from indexer.load.report import count
    from rirag.service import loading

    if rollback:
        now = loading.rollback(settings)
        text = (
            f"{settings.index} is back at generation {now.generation}: "
            f"{count(now.passages, 'passage')} of {count(now.documents, 'document')}, "
            f"encoder {now.encoder.name}."
        )
        print_result(as_json, lambda: asdict(now), lambda: text)
        return
    with Progress() as progress:
        report = loading.reindex(settings, workers=workers, progress=progress)
    print_result(as_json, report.to_json, report.summary)
