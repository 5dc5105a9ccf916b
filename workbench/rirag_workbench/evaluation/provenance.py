"""What a result was made with, so that it can be made again."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rirag.files import named_hash


def made_with(
    files: Mapping[str, Path | None],
    models: Mapping[str, str | None] | None = None,
    prompts: Iterable[str] = (),
    seed: int | None = None,
) -> dict[str, Any]:
    """Return the version, files, models, prompts and seed behind a result, as plain JSON values.

    Args:
        files: what each file was used as → the file; None: it was not given.
        models: what each model was used for → its name; None: none was used.
        prompts: the texts of the prompts; the record has their SHA-256 together.
    """
    texts = list(prompts)
    return {
        "rirag": version("rirag"),
        "files": {name: named_hash(file) for name, file in files.items() if file is not None},
        "models": {name: model for name, model in (models or {}).items() if model},
        "prompts": hashlib.sha256("\0".join(texts).encode()).hexdigest() if texts else None,
        "seed": seed,
    }


def by_name(files: Iterable[Path]) -> dict[str, Path]:
    """Return name → file, and whole path → file where several have the same name."""
    given = list(files)
    counts = Counter(one.name for one in given)
    return {one.name if counts[one.name] == 1 else str(one): one for one in given}
