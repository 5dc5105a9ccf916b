"""Refusing a file with every problem in it at once, so that it can be repaired in one go."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from search.errors import InputError

MOST_SHOWN = 20

Problem = tuple[int, str]
"""1-based line, and a sentence."""


def refuse_if_any(problems: Sequence[Problem], path: Path) -> None:
    """Raise one `InputError` that lists the problems in order of line, if there are any."""
    if not problems:
        return
    first, *more = sorted(problems)
    if not more:
        raise InputError(first[1], path, first[0], code="file.invalid")
    shown = [f"{path}:{line}: {text}" for line, text in more[: MOST_SHOWN - 1]]
    if len(problems) > MOST_SHOWN:
        shown.append(f"and {len(problems) - MOST_SHOWN} more problems")
    raise InputError("\n".join([first[1], *shown]), path, first[0], code="file.invalid")
