"""Implement `rirag train encoder`: fine-tune an encoder on questions with known answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rirag.cli.options import print_result
from rirag.cli.output.progress import say
from rirag_workbench.cli.options import options
from rirag_workbench.cli.training.options import (
    files_argument,
    indexed_passages,
    request_fields,
    training,
)


@click.command(short_help="Fine-tune an encoder on questions with known answers.")
@files_argument
@options("train-encoder")
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
