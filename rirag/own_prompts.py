"""Prompts of the user's own: a folder whose files replace those that ship."""

from __future__ import annotations

from pathlib import Path

from rirag.config_file import unknown_name
from search.errors import InputError


def read_prompts(folder: str | None) -> dict[str, str]:
    """Return the prompts of a folder by name, without `.txt`; none for no folder.

    Raises:
        InputError: the folder or a file cannot be read, a name is not one of a prompt, or a file is
            empty.
    """
    if folder is None:
        return {}
    from generation.prompts import prompt_names

    path, known = Path(folder), prompt_names()
    if not path.is_dir():
        raise InputError("there is no such folder of prompts; it is the setting prompts.", path)
    found = {}
    for file in sorted(path.glob("*.txt")):
        if file.stem not in known:
            raise InputError(unknown_name("prompt", file.stem, known), file)
        found[file.stem] = _text(file)
    return found


def _text(file: Path) -> str:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot be read: {(error.strerror or '').lower()}.", file) from None
    except UnicodeDecodeError:
        raise InputError("is not UTF-8; save it as UTF-8.", file) from None
    if not text.strip():
        raise InputError("is empty; write a prompt, or remove the file.", file)
    return text
