"""Commands that messages advise, written so that they can be copied."""

from __future__ import annotations

import shlex


def on_index(command: str, url: object) -> str:
    """Return a command of rirag with the index it is for, quoted where a shell needs it.

    Args:
        command: such as `rirag documents list`.
        url: of the index, or its folder.
    """
    return f"{command} --index {shlex.quote(str(url))}"
