"""Implement `rirag ingest`: load regulations into an index."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from rirag.cli.options import (
    encoder_option,
    footnotes_option,
    format_option,
    granularity_option,
    index_option,
    json_option,
    make_settings,
    print_json,
    titles_option,
    workers_option,
)
from rirag.cli.output.problems import raise_problems
from rirag.cli.output.progress import Progress

LEFT_OUT = "Files with a problem were left out; all others were {done}."


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE…")
@index_option
@encoder_option
@format_option
@granularity_option
@footnotes_option
@titles_option
@workers_option
@click.option(
    "--join", "joining", is_flag=True,
    help="Only encode, for a load of the same sources that another machine began (servers only).",
)  # fmt: skip
@click.option("--strict", is_flag=True, help="Load nothing if any file is refused.")
@click.option(
    "--prune",
    is_flag=True,
    help=(
        "Delete documents of the index that the sources do not contain; delete none if a "
        "file is refused."
    ),
)
@json_option
def command(  # noqa: PLR0913, PLR0917 - its options
    sources: tuple[str, ...],
    index: str | None,
    encoder: str | None,
    format_: str,
    granularity: Any,
    footnotes: bool,
    titles: Path | None,
    workers: int,
    joining: bool,
    strict: bool,
    prune: bool,
    as_json: bool,
) -> None:
    """Load regulations (files or folders) into an index.

    A document replaces its earlier version; other documents stay. A file that is refused is left
    out, the others are loaded, and the exit code is 2. Text that the index already holds is not
    encoded again, so running the same command again is cheap, also after a crash.

    Several machines can load into an index on a server: one begins, and the others run the same
    command with --join.
    """
    settings = make_settings(index=index, encoder=encoder)
    from rirag.service import loading

    if joining and prune:
        raise click.UsageError("--prune deletes documents and cannot be combined with --join.")
    work: Any = loading.help_load if joining else partial(loading.load, prune=prune)
    with Progress() as progress:
        report = work(
            settings,
            sources,
            loading.Reading(format_, titles, granularity, footnotes),
            progress=progress,
            workers=workers,
            strict=strict,
        )
    if as_json:
        print_json(report.to_json())
    else:
        from generation.text.sanitize import printable

        click.echo(printable(report.summary()))
    left_out = LEFT_OUT.format(done="encoded" if joining else "loaded")
    raise_problems(report.refused, left_out, () if joining else report.losses)
