"""What refusals of the workbench say: the sentences of `refusals.toml`, by code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rirag.refusals import sentences
from search.errors import InputError

TABLE = Path(__file__).with_suffix(".toml")


def unusable(
    name: str, /, source: object = None, line: int | None = None, **values: Any
) -> InputError:
    """Return the refusal of an option, or of a file and a line in it."""
    says = sentences(TABLE)[name]["says"].format(**values)
    return InputError(says, source, line, code=name.partition("/")[0])
