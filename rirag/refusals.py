"""What refusals say: the sentences of `refusals.toml`, by code."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from search.errors import InputError, StorageError

TABLE = Path(__file__).with_suffix(".toml")


@cache
def sentences(table: Path = TABLE) -> Mapping[str, Mapping[str, Any]]:
    """Return name → what the refusal says."""
    return tomllib.loads(table.read_text("utf-8"))


def said(name: str, /, **values: Any) -> str:
    """Return what a refusal says, with values put in."""
    return str(sentences()[name]["says"].format(**values))


def unusable(
    name: str, /, source: object = None, line: int | None = None, **values: Any
) -> InputError:
    """Return the refusal of an option, or of a file and a line in it."""
    return InputError(said(name, **values), source, line, code=name.partition("/")[0])


def failed(name: str, /, **values: Any) -> StorageError:
    """Return the error of a disk or a database."""
    return StorageError(said(name, **values))
