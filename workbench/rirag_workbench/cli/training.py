"""Implement `rirag train encoder` and `reranker`: fine-tune models on known answers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rirag.cli.options import FILE, make_settings, print_result
from rirag.cli.output.progress import say
from rirag_workbench.cli.options import options
from search.errors import MissingDependencyError, StorageError

if TYPE_CHECKING:
    from search.records import Passage


_OF_THE_REQUEST = ("output", "auxiliary", "resume")
"""Options that do not affect what is learned."""


files_argument = click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE…")


def request_fields(
    files: tuple[Path, ...],
    options: dict[str, Any],
    settings: Callable[..., Any],
    bases: Collection[str],
) -> dict[str, Any]:
    """Return what a training request takes of the options of `data_options` and `run_options`.

    Args:
        options: by name; those that remain are settings, and what was not given is None there.
    """
    from rirag.files import refuse_output_folder
    from rirag_workbench.training.weights.unpacking import base_folder

    fields = {name: options.pop(name) for name in _OF_THE_REQUEST}
    refuse_output_folder(fields["output"], "the model")
    fields["base"] = base_folder(options.pop("base"), fields["output"], bases)
    fields["validation"] = options.pop("validation") or files[0]
    given = {name: value for name, value in options.items() if value is not None}
    return {**fields, "files": files, "settings": settings(**given)}


def indexed_passages(url: str | None) -> list[Passage]:
    """Return all passages of the index that the settings name."""
    from rirag.service.opening import open_index

    with open_index(make_settings(index=url), reranking=False) as opened:
        return opened.passages()


@contextmanager
def training(threads: int | None) -> Iterator[None]:
    """Check that training is installed, and say how to continue a run that ended early.

    Args:
        threads: CPU threads of torch; None: as many as it takes by itself.
    """
    if any(find_spec(name) is None for name in ("torch", "sentence_transformers", "datasets")):
        raise MissingDependencyError("Training", "train", workbench=True)
    import torch
    from datasets import disable_progress_bars
    from safetensors import SafetensorError

    from search.models.encoders.torch_models import hide_weight_loading_bar

    hide_weight_loading_bar()
    disable_progress_bars()
    if threads is not None:
        torch.set_num_threads(threads)
    try:
        yield
    except KeyboardInterrupt:
        say("what was trained so far is kept; continue with the same command and --resume")
        raise
    except SafetensorError as error:  # which is not an OSError, whatever the disk said
        raise StorageError(
            f"the weights of a model cannot be read or written ({error}); if the disk "
            "is full, free some space, and continue with the same command and "
            "--resume"
        ) from error


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

    Before training, hard negatives are mined from the ranking of search itself. A fifth of the
    validation questions is never trained on and decides which round is kept. The output folder is
    an encoder for `rirag ingest --encoder FOLDER`, with a record of the training beside it.

    --resume continues an interrupted run.
    """
    with training(options.pop("threads")):
        from rirag_workbench.training.runs.encoder import train_encoder
        from rirag_workbench.training.runs.run import Request
        from rirag_workbench.training.runs.settings import EncoderSettings
        from search.models.encoders.model_folder import ENCODER_CARD

        request = Request(**request_fields(files, options, EncoderSettings, [ENCODER_CARD]))
        report = train_encoder(request, indexed_passages(index), say)
    print_result(as_json, report.to_json, report.to_table)


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
        from rirag_workbench.training.runs.reranker import train_reranker
        from rirag_workbench.training.runs.run import Request
        from rirag_workbench.training.runs.settings import RerankerSettings
        from search.models.encoders import load_encoder
        from search.models.encoders.model_folder import ENCODER_CARD, RERANKER_CARD

        bases = [ENCODER_CARD, RERANKER_CARD]
        request = Request(**request_fields(files, options, RerankerSettings, bases))
        with open_index(make_settings(index=index), reranking=False) as opened:
            passages = opened.passages()
            chosen = load_encoder(encoder or opened.describe().encoder.name)
        report = train_reranker(request, chosen, passages, say)
    print_result(as_json, report.to_json, report.to_table)
