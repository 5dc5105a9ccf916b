"""Continue a file of JSON lines where an earlier run stopped."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from search.errors import InputError


def lines_so_far(
    output: Path, beginning: bytes, is_ours: Callable[[bytes], bool], foreign: str
) -> list[bytes]:
    """Return the lines of a file; what a crash or a full disk has cut of the last one is removed.

    Args:
        output: the file; it need not exist.
        beginning: how every line begins: a last line that begins otherwise is not one that was cut.
        is_ours: returns whether the command can have written a line.
        foreign: what is said where it cannot.

    Raises:
        InputError: the file holds something else, or cannot be read.
    """
    if not output.exists():
        return []
    try:
        *lines, rest = output.read_bytes().split(b"\n")
        for number, line in enumerate(lines, start=1):
            if not is_ours(line):
                raise InputError(foreign, output, number, code="output.foreign")
        if not (rest.startswith(beginning) or beginning.startswith(rest)):
            raise InputError(foreign, output, len(lines) + 1, code="output.foreign")
        if rest:
            os.truncate(output, output.stat().st_size - len(rest))
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror}", output, code="file.unreadable"
        ) from error
    return lines
