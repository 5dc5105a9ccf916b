"""`rirag ingest`: load regulations into an index."""

from __future__ import annotations

from pathlib import Path

import click

from rirag.cli.options import encoder_option, index_option, json_option, make_settings, print_json


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE…")
@index_option
@encoder_option
@click.option(
    "--format", "format_", default="auto", show_default=True, metavar="NAME",
    help="Format of the sources: auto, obliqa, jsonl or text.",
)  # fmt: skip
@click.option(
    "--titles", type=click.Path(path_type=Path), metavar="FILE",
    help="JSON object of DocumentID and title.  [default: titles.json beside the sources]",
)  # fmt: skip
@json_option
def command(
    sources: tuple[str, ...],
    index: str | None,
    encoder: str | None,
    format_: str,
    titles: Path | None,
    as_json: bool,
) -> None:
    """Load regulations (files or folders) into an index: all of them, or nothing.

    A document replaces its earlier version; documents not named stay. What the index holds already
    is not encoded again, so that running the same command once more is cheap, also after a crash.
    """
    settings = make_settings(index=index, encoder=encoder)
    import indexer
    from rirag.cli.progress import StageBars
    from search.encoders import load_encoder

    with StageBars() as bars:
        report = indexer.ingest(
            sources,
            settings.index,
            encoder=None if settings.encoder is None else load_encoder(settings.encoder),
            format=format_,
            titles=titles,
            progress=bars,
        )
    if as_json:
        print_json(report.to_json())
    else:
        from generation.terminal import printable

        click.echo(printable(report.summary()))
