"""Define options and messages that the training commands share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rirag.cli.options import FILE, make_settings
from rirag.cli.output.progress import say
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
        files: what to train on.
        options: by name; those that remain are settings, and what was not given is None there.
        settings: class of the settings, which has the defaults.
        bases: card files of the exported models that training may start from.

    Raises:
        InputError: the base cannot be started from.
        StorageError: the output folder is a file.
    """
    from rirag.files import refuse_output_folder
    from rirag_workbench.training.weights.base_models import base_folder

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
