"""Show light Markdown on a terminal: bold that is bold, and lines that fit."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap

import click

WIDEST = 100
"""Characters of a line: longer ones are hard to read on the widest terminal."""

_BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
_INDENT = re.compile(r"\s*(?:[-•]\s+)?")


def for_terminal(text: str, width: int | None = None, is_terminal: bool | None = None) -> str:
    """Return a text as standard output shows it: in a file or pipe it stays as it is.

    Args:
        text: safe to print.
        width: of a line; that of the terminal, at most `WIDEST`, if None.
        is_terminal: whether it is for a person; None: whether standard output is a terminal.
    """
    if not (sys.stdout.isatty() if is_terminal is None else is_terminal):
        return text
    width = width or min(shutil.get_terminal_size().columns, WIDEST)
    wrapped = "\n".join(_wrapped(line, width) for line in text.split("\n"))
    return _BOLD.sub(lambda found: _styled(found[1]), wrapped)


def _wrapped(line: str, width: int) -> str:
    found = _INDENT.match(line)
    indent = len(found[0]) if found else 0
    if len(_BOLD.sub(r"\1", line)) <= width or line.lstrip().startswith("|"):
        return line
    return textwrap.fill(
        line, width, subsequent_indent=" " * indent, break_long_words=False,
        break_on_hyphens=False, drop_whitespace=True,
    )  # fmt: skip


def _styled(text: str) -> str:
    return "\n".join(click.style(part, bold=True) for part in text.split("\n"))
