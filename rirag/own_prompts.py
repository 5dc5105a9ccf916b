"""Prompts of the user's own: a folder whose files replace those that ship."""

from __future__ import annotations

from pathlib import Path

from search.errors import InputError


def read_prompts(folder: str | None) -> dict[str, str]:
    """Return the prompts of a folder by name, without `.txt`; none for no folder.

    Raises:
        InputError: the folder or a file cannot be read, or a file is no prompt that can be used.
    """
    if folder is None:
        return {}
    from generation.prompts.own import check_prompt

    path = Path(folder)
    if not path.is_dir():
        raise InputError("there is no such folder of prompts; it is the setting prompts.", path)
    found = {}
    for file in sorted(path.glob("*.txt")):
        found[file.stem] = _text(file)
        check_prompt(file.stem, found[file.stem], file)
    return found


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot be read: {(error.strerror or '').lower()}.", file) from None
    except UnicodeDecodeError:
        raise InputError("is not UTF-8; save it as UTF-8.", file) from None
