"""Prompts of the user's own: a folder whose files replace those that ship."""

from __future__ import annotations

from pathlib import Path

from rirag.files import read_text
from rirag.refusals import unusable


def read_prompts(folder: str | None) -> dict[str, str]:
    """Return the prompts of a folder by name, without `.txt`; none for no folder."""
    if folder is None:
        return {}
    from generation.settings import check_prompt

    path = Path(folder)
    if not path.is_dir():
        raise unusable("prompt.invalid", path)
    found = {}
    for file in sorted(path.glob("*.txt")):
        found[file.stem] = read_text(file, may_be_empty=True)
        check_prompt(file.stem, found[file.stem], file)
    return found
