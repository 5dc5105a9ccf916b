"""Implement `rirag train reranker`: fine-tune a reranker on the candidates that it will sort."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rirag.cli.options import make_settings, options, print_result
from rirag.cli.output.progress import say
from rirag_workbench.cli.training.options import (
    NumberRange,
    data_options,
    request_fields,
    run_options,
    training,
)


@click.command(short_help="Fine-tune a reranker on the candidates that it will sort.")
@data_options
@click.option(
    "--base",
    metavar="NAME",
    help=(
        "Encoder or cross-encoder to start from: a built-in one, or a folder, ideally "
        "`float32` of a trained one.  [default: all-MiniLM-L6-v2]"
    ),
)
@click.option(
    "--encoder",
    metavar="NAME",
    help="Encoder that ranks the candidates.  [default: that of the index]",
)
@click.option(
    "--layers",
    type=click.IntRange(1),
    metavar="N",
    help="Number of layers of the base to keep.  [default: all]",
)
@click.option(
    "--epochs", type=click.IntRange(1), metavar="N", help="Maximum number of rounds.  [default: 1]"
)
@click.option(
    "--negatives", type=click.IntRange(1), metavar="N", help="Negatives per list.  [default: 7]"
)
@click.option("--auxiliary-share", type=NumberRange(0, 0.9), metavar="N",
              help="Share of auxiliary pairs in a round.  [default: 0.1]")  # fmt: skip
@run_options
@options("index")
@options("json")
def reranker(
    files: tuple[Path, ...],
    encoder: str | None,
    index: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Fine-tune a reranker on FILE… (question files, or pair files), and export it.

    The reranker is a cross-encoder, which reads question and passage together. It learns to rank
    the passage that answers a question above high-ranked candidates that do not. The output folder
    is a reranker for `rirag search --reranker FOLDER`, with a record of the training beside it.

    --resume continues an interrupted run.
    """
    with training(options.pop("threads")):
        from rirag.service.opening import open_index
        from rirag_workbench.training.reranker.run import RerankerRequest, train_reranker
        from rirag_workbench.training.runs.settings import RerankerSettings
        from search.models.encoders import load_encoder
        from search.models.encoders.model_folder import ENCODER_CARD, RERANKER_CARD

        bases = [ENCODER_CARD, RERANKER_CARD]
        request = RerankerRequest(**request_fields(files, options, RerankerSettings, bases))
        with open_index(make_settings(index=index), reranking=False) as opened:
            passages = opened.passages()
            chosen = load_encoder(encoder or opened.describe().encoder.name)
        report = train_reranker(request, chosen, passages, say)
    print_result(as_json, report.to_json, report.to_table)
