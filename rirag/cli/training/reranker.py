"""`rirag train reranker`: fine-tune a reranker on the candidates it will have to sort."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rirag.cli.options import index_option, json_option, make_settings
from rirag.cli.output.progress import say
from rirag.cli.training.number_range import NumberRange
from rirag.cli.training.options import (
    data_options,
    print_report,
    request_fields,
    run_options,
    training,
)


@click.command(short_help="Fine-tune a reranker on the candidates it will sort.")
@data_options
@click.option("--base", metavar="NAME", help="Encoder or cross-encoder to start from: a "
              "shipped one, or a folder, best `float32` of a trained one.  [default: "
              "all-MiniLM-L6-v2]")  # fmt: skip
@click.option("--teacher", metavar="NAME",
              help="Reranker whose scores it learns as well.")  # fmt: skip
@click.option("--encoder", metavar="NAME", help="Encoder whose candidates are sorted.  "
              "[default: the index's]")  # fmt: skip
@click.option("--layers", type=click.IntRange(1), metavar="N", help="Layers of the base to keep.  "
              "[default: all]")  # fmt: skip
@click.option("--epochs", type=click.IntRange(1), metavar="N", help="Rounds at most.  [default: 1]")
@click.option(
    "--negatives", type=click.IntRange(1), metavar="N", help="Negatives a list.  [default: 7]"
)
@click.option("--auxiliary-share", type=NumberRange(0, 0.9), metavar="N",
              help="Share of auxiliary pairs in a round.  [default: 0.1]")  # fmt: skip
@run_options
@index_option
@json_option
def reranker(
    files: tuple[Path, ...],
    encoder: str | None,
    index: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Fine-tune a reranker on FILE… (question files, or pair files), and export it.

    It is a cross-encoder, which reads question and passage together.

    It learns to put a question's passage before those that the hybrid ranks high and that do not
    answer. The output folder is a reranker for `rirag search --reranker FOLDER`, with a record of
    the training beside it.

    What was stopped, or killed, goes on where it was with --resume.
    """
    with training(options.pop("threads"), as_json):
        from rirag.service.opening import open_index
        from rirag.training.reranker.run import RerankerRequest, train_reranker
        from rirag.training.runs.settings import RerankerSettings
        from search.models.encoders import load_encoder
        from search.models.encoders.model_folder import ENCODER_CARD, RERANKER_CARD

        bases = [ENCODER_CARD, RERANKER_CARD]
        request = RerankerRequest(**request_fields(files, options, RerankerSettings, bases))
        with open_index(make_settings(index=index), reranking=False) as opened:
            passages = opened.passages()
            chosen = load_encoder(encoder or opened.describe().encoder.name)
        report = train_reranker(request, chosen, passages, say)
    print_report(report, as_json)
