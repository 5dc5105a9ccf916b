"""Refusing a file with every problem in it at once, so that it can be mended in one go."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from search.errors import InputError

MOST_SHOWN = 20

Problem = tuple[int, str]
"""1-based line, and a sentence."""


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file.

    Raises:
        InputError: the file is missing, unreadable, empty or not UTF-8.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"the file cannot be read: {reason}.", path) from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError("this line is not UTF-8; save the file as UTF-8.", path, line) from None
    if not text.strip():
        raise InputError("the file is empty.", path)
    return text


def refuse_if_any(problems: Sequence[Problem], path: Path) -> None:
    """Raise one `InputError` that lists the problems in order of line, if there are any."""
    if not problems:
        return
    first, *more = sorted(problems)
    if not more:
        raise InputError(first[1], path, first[0])
    shown = [f"{path}:{line}: {text}" for line, text in more[: MOST_SHOWN - 1]]
    if len(problems) > MOST_SHOWN:
        shown.append(f"and {len(problems) - MOST_SHOWN} more problems")
    raise InputError("\n".join([first[1], *shown]), path, first[0])
