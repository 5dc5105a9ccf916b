"""Implement `rirag ingest`, which loads regulations, and `rirag encode`, which makes vectors."""

from __future__ import annotations

from typing import Any

import click

from rirag.cli.options import make_settings, options, print_result, raise_problems, takes_reading
from rirag.cli.output.progress import Progress

LEFT_OUT = "What has a problem was left out; all else was {done}."


@click.command()
@click.argument("sources", nargs=-1, metavar="SOURCE…")
@options("ingest")
@takes_reading
def command(
    sources: tuple[str, ...], index: str | None, encoder: str | None, as_json: bool, **given: Any
) -> None:
    """Load regulations (files or folders) into an index.

    A document replaces its earlier version; other documents stay. A file, or a record of a JSON
    file, that is refused is left out, the others are loaded, and the exit code is 2. A file is
    refused if its DocumentID belongs to another document of the index, one with different text or a
    different title. Text that the index already holds is not encoded again, so running the same
    command again is cheap, also after a crash.

    With --history the commits of a git repository are loaded instead of a SOURCE: each that changes
    law is a version of the file's work. Its day is that of the file or of the commit's trailer
    Source-Date; the trailer Norm-Id names the work.

    To encode on several machines, see rirag encode.
    """
    if not sources and given["history"] is None:
        raise click.UsageError("Missing argument 'SOURCE…'.")
    settings = make_settings(index=index, encoder=encoder)
    from rirag.service import loading

    with Progress() as progress:
        report = loading.load(settings, sources, progress=progress, **given)
    print_result(as_json, report.to_json, report.summary)
    raise_problems(report.refused, LEFT_OUT.format(done="loaded"), report.losses)


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE…")
@options("encode")
@takes_reading
def encode(sources: tuple[str, ...], encoder: str | None, as_json: bool, **given: Any) -> None:
    """Encode regulations (files or folders) into files of vectors; nothing is loaded.

    Several machines can run this command with the same sources and different shards; they need no
    server. Afterwards rirag ingest --vectors DIR loads the sources with these vectors and encodes
    what is missing. Running the same command again finishes interrupted work.
    """
    settings = make_settings(encoder=encoder)
    from rirag.service import loading

    with Progress() as progress:
        report = loading.encode(settings, sources, progress=progress, **given)
    print_result(as_json, report.to_json, report.summary)
    raise_problems(report.refused, LEFT_OUT.format(done="encoded"), ())
