"""A fitted model kept as one JSON file, `{"form", "sha256", "content"}`, refused where altered."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from search.errors import ModelError


def write_fitted(path: Path, form: str, content: dict[str, Any]) -> None:
    """Write a model; `form` says what it is, with a version that changes when readers must."""
    # One line a field, so that differences between two fits can be read.
    fields = ",\n".join(f"  {json.dumps(name)}: {_json(one)}" for name, one in content.items())
    head = f'{{"form": {json.dumps(form)},\n "sha256": "{_digest(content)}",\n "content": {{\n'
    path.write_text(f"{head}{fields}\n }}}}\n", encoding="utf-8")


def modified(path: str | Path) -> int:
    """Return when a model's file was last changed, in nanoseconds, so that it is read once.

    Raises:
        ModelError: there is no such file, or it cannot be looked at.
    """
    try:
        return os.stat(path).st_mtime_ns  # noqa: PTH116 - a path is given for every question
    except OSError as error:
        raise ModelError(
            f"{path} cannot be read ({error.strerror}); fit it again", code="model.unloadable"
        ) from error


def read_fitted(path: Path, form: str) -> dict[str, Any]:
    """Return the content of a model's file.

    Raises:
        ModelError: the file cannot be read, is of another form, or was altered.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ModelError(
            f"{path} cannot be read ({error.strerror}); fit it again", code="model.unloadable"
        ) from error
    except (ValueError, RecursionError) as error:
        raise ModelError(
            f"{path} is not JSON ({error}); fit it again", code="model.unloadable"
        ) from error
    if not isinstance(data, dict) or data.get("form") != form:
        raise ModelError(
            f"{path} does not contain {form}; fit it again with this version of rirag",
            code="model.unloadable",
        )
    content = data.get("content")
    if not isinstance(content, dict) or data.get("sha256") != _digest(content):
        raise ModelError(
            f"{path} was changed after it was fitted (its SHA-256 differs); restore "
            "it by installing rirag again, or fit it again",
            code="model.unloadable",
        )
    return content


def _digest(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
