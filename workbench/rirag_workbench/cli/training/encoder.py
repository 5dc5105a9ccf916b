"""Implement `rirag train encoder`: fine-tune an encoder on questions with known answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rirag.cli.options import options, print_result
from rirag.cli.output.progress import say
from rirag_workbench.cli.training.options import (
    NumberRange,
    data_options,
    indexed_passages,
    request_fields,
    run_options,
    training,
)


@click.command(short_help="Fine-tune an encoder on questions with known answers.")
@data_options
@click.option(
    "--base",
    metavar="NAME",
    help="Encoder to start from: a built-in one, or a folder.  [default: all-MiniLM-L6-v2]",
)
@click.option(
    "--epochs", type=click.IntRange(1), metavar="N", help="Maximum number of rounds.  [default: 3]"
)
@click.option(
    "--negatives", type=click.IntRange(1), metavar="N", help="Hard negatives per row.  [default: 1]"
)
@click.option("--auxiliary-share", type=NumberRange(0, 0.9), metavar="N",
              help="Share of auxiliary pairs in a round.  [default: 0.2]")  # fmt: skip
@click.option(
    "--questions-only",
    is_flag=True,
    default=None,
    help="Train what encodes questions alone.",
)
@run_options
@options("index")
@options("json")
def encoder(
    files: tuple[Path, ...],
    index: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Fine-tune an encoder on FILE… (question files, or pair files), and export it.

    Before each round, hard negatives are mined from the ranking of search itself. A fifth of the
    validation questions is never trained on and decides which round is kept. The output folder is
    an encoder for `rirag ingest --encoder FOLDER`, with a record of the training beside it.

    --resume continues an interrupted run.
    """
    with training(options.pop("threads")):
        from rirag_workbench.training.encoder.run import EncoderRequest, train_encoder
        from rirag_workbench.training.runs.settings import EncoderSettings
        from search.models.encoders.model_folder import ENCODER_CARD

        request = EncoderRequest(**request_fields(files, options, EncoderSettings, [ENCODER_CARD]))
        report = train_encoder(request, indexed_passages(index), say)
    print_result(as_json, report.to_json, report.to_table)
