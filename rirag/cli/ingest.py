"""Implement `rirag ingest`, which loads regulations, and `rirag encode`, which makes vectors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rirag.cli.options import (
    FILE,
    encoder_option,
    index_option,
    json_option,
    make_settings,
    print_result,
    raise_problems,
    reading_options,
    strict_option,
    workers_option,
)
from rirag.cli.output.progress import Progress

if TYPE_CHECKING:
    from rirag.service.loading import Reading

LEFT_OUT = "What has a problem was left out; all else was {done}."


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE…")
@index_option
@encoder_option
@reading_options
@workers_option
@click.option(
    "--vectors", type=FILE, metavar="DIR",
    help="Folder of vectors that rirag encode made from the same sources.",
)  # fmt: skip
@strict_option
@click.option(
    "--prune",
    is_flag=True,
    help=(
        "Delete documents of the index that the sources do not contain; delete none if a "
        "file is refused."
    ),
)
@click.option(
    "--replace",
    is_flag=True,
    help="Let a document replace another one that the index holds under its DocumentID.",
)
@json_option
def command(  # noqa: PLR0913, PLR0917 - its options
    sources: tuple[str, ...],
    index: str | None,
    encoder: str | None,
    reading: Reading,
    workers: int,
    vectors: Path | None,
    strict: bool,
    prune: bool,
    replace: bool,
    as_json: bool,
) -> None:
    """Load regulations (files or folders) into an index.

    A document replaces its earlier version; other documents stay. A file, or a record of a JSON
    file, that is refused is left out, the others are loaded, and the exit code is 2. A file is
    refused if its DocumentID belongs to another document of the index, one with different text or a
    different title. Text that the index already holds is not encoded again, so running the same
    command again is cheap, also after a crash.

    To encode on several machines, see rirag encode.
    """
    settings = make_settings(index=index, encoder=encoder)
    from rirag.service import loading

    with Progress() as progress:
        report = loading.load(
            settings,
            sources,
            reading,
            progress=progress,
            workers=workers,
            strict=strict,
            prune=prune,
            replace=replace,
            vectors=vectors,
        )
    print_result(as_json, report.to_json, report.summary)
    raise_problems(report.refused, LEFT_OUT.format(done="loaded"), report.losses)


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE…")
@click.option(
    "--output", type=FILE, required=True, metavar="DIR",
    help="Folder of the vectors, a file for each shard.",
)  # fmt: skip
@click.option(
    "--shard", default="1/1", show_default=True, metavar="I/N",
    help="Encode only the I-th of N equal shares of the texts.",
)  # fmt: skip
@click.option(
    "--encoder", metavar="NAME", help="Encoder of the load.  [default: the one that ships]"
)
@reading_options
@workers_option
@strict_option
@json_option
def encode(
    sources: tuple[str, ...],
    output: Path,
    shard: str,
    encoder: str | None,
    reading: Reading,
    workers: int,
    strict: bool,
    as_json: bool,
) -> None:
    """Encode regulations (files or folders) into files of vectors; nothing is loaded.

    Several machines can run this command with the same sources and different shards; they need no
    server. Afterwards rirag ingest --vectors DIR loads the sources with these vectors and encodes
    what is missing. Running the same command again finishes interrupted work.
    """
    settings = make_settings(encoder=encoder)
    from rirag.service import loading

    with Progress() as progress:
        report = loading.encode(
            settings, sources, output, reading,
            shard=shard, strict=strict, workers=workers, progress=progress,
        )  # fmt: skip
    print_result(as_json, report.to_json, report.summary)
    raise_problems(report.refused, LEFT_OUT.format(done="encoded"), ())
