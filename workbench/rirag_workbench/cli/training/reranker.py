"""Implement `rirag train reranker`: fine-tune a reranker on the candidates that it will sort."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rirag.cli.options import make_settings, print_result
from rirag.cli.output.progress import say
from rirag_workbench.cli.options import options
from rirag_workbench.cli.training.options import (
    files_argument,
    request_fields,
    training,
)


@click.command(short_help="Fine-tune a reranker on the candidates that it will sort.")
@files_argument
@options("train-reranker")
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
