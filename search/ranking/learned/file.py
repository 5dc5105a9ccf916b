"""A fitted model kept as one JSON file, `{"form", "sha256", "content"}`, refused where altered."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from search.errors import ModelError

T = TypeVar("T")


def write_fitted(path: Path, form: str, content: dict[str, Any]) -> None:
    """Write a model; `form` says what it is, with a version that changes when readers must."""
    # One line a field, so that differences between two fits can be read.
    fields = ",\n".join(f"  {json.dumps(name)}: {_json(one)}" for name, one in content.items())
    head = f'{{"form": {json.dumps(form)},\n "sha256": "{_digest(content)}",\n "content": {{\n'
    path.write_text(f"{head}{fields}\n }}}}\n", encoding="utf-8")


def load_fitted(
    path: str | Path,
    form: str,
    built: Callable[[dict[str, Any]], T],
    features: tuple[str, ...] = (),
) -> T:
    """Return the model that is made of the content of a file; the same file is read once.

    Args:
        path: of the file.
        form: that it must have.
        built: makes the model of the content.
        features: those that the model must have been fitted on; none: it says itself.

    Raises:
        ModelError: the file cannot be read, is of another form or other features, was altered, or
            holds something that no model can be made of.
    """
    try:
        changed = os.stat(path).st_mtime_ns  # noqa: PTH116 - a path is given for every question
        model: T = _loaded(os.fspath(path), changed, form, built, features)
    except OSError as error:
        raise _unusable(f"{path} cannot be read ({error.strerror}); fit it again") from error
    return model


@lru_cache(maxsize=24)
def _loaded(
    path: str, _changed: int, form: str, built: Callable[[dict[str, Any]], Any],
    features: tuple[str, ...],
) -> Any:  # fmt: skip
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise _unusable(f"{path} is not JSON ({error}); fit it again") from error
    if not isinstance(data, dict) or data.get("form") != form:
        raise _unusable(f"{path} does not contain {form}; fit it again with this version of rirag")
    content = data.get("content")
    if not isinstance(content, dict) or data.get("sha256") != _digest(content):
        raise _unusable(
            f"{path} was changed after it was fitted (its SHA-256 differs); restore "
            "it by installing rirag again, or fit it again"
        )
    if features and content.get("features") != list(features):
        raise _unusable(f"{path} was fitted on other features; fit it again")
    try:
        return built(content)
    except (KeyError, TypeError, ValueError, AttributeError, ModelError) as error:
        raise _unusable(f"{path} cannot be used: {error}; fit it again") from error


def _unusable(problem: str) -> ModelError:
    return ModelError(problem, code="model.unloadable")


def _digest(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
