"""Prompts of the user's own: a folder whose files replace those that ship."""

from __future__ import annotations

from pathlib import Path

from rirag.files import read_text
from search.errors import InputError


def read_prompts(folder: str | None) -> dict[str, str]:
    """Return the prompts of a folder by name, without `.txt`; none for no folder.

    Raises:
        InputError: the folder or a file cannot be read, or a file is not a prompt that can be used.
    """
    if folder is None:
        return {}
    from generation.prompts.own import check_prompt

    path = Path(folder)
    if not path.is_dir():
        raise InputError(
            "this folder of prompts does not exist; correct the setting prompts.",
            path,
            code="prompt.invalid",
        )
    found = {}
    for file in sorted(path.glob("*.txt")):
        found[file.stem] = read_text(file, may_be_empty=True)
        check_prompt(file.stem, found[file.stem], file)
    return found
