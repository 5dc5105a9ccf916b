"""The help of the commands for their page: options of several commands are listed once."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache

import click

from rirag.cli import rirag

WIDTH = 100
"""Characters per line."""

SEVERAL = 3
"""An option that reads the same in so many commands is in the table of common options."""

Record = tuple[str, str]
"""An option as help shows it: `--index URL`, and its meaning."""


@cache
def commands() -> dict[str, click.Command]:
    """Return every command by its full name, groups before their commands."""
    return dict(_below(rirag, "rirag"))


def help_of(name: str) -> str:
    """Return the help of a command: usage, meaning, its own options, and names of common ones."""
    command = commands()[name]
    context = _context(name)
    formatter = click.HelpFormatter(width=WIDTH)
    command.format_usage(context, formatter)
    command.format_help_text(context, formatter)
    own = [record for record in _options(name) if record not in common_options()]
    common = [record[0].split()[0] for record in _options(name) if record in common_options()]
    if own:
        with formatter.section("Options"):
            formatter.write_dl(own)
    if common:
        formatter.write_paragraph()
        formatter.write(_line(common))
    if command is rirag:
        rirag.format_commands(context, formatter)
    return formatter.getvalue()


@cache
def common_options() -> tuple[Record, ...]:
    """Return the options that read the same in several commands, in the order of the commands."""
    counts = Counter(record for name in commands() for record in _options(name))
    return tuple(record for record, count in counts.items() if count >= SEVERAL)


@cache
def _options(name: str) -> tuple[Record, ...]:
    context = _context(name)
    records = (
        one.get_help_record(context)
        for one in commands()[name].get_params(context)
        if isinstance(one, click.Option) and "--help" not in one.opts
    )
    return tuple(record for record in records if record)


def _line(common: Iterable[str]) -> str:
    text = "Common options: " + ", ".join(common)
    return textwrap.fill(text, WIDTH, break_on_hyphens=False) + "\n"


def _context(name: str) -> click.Context:
    return click.Context(commands()[name], info_name=name)


def _below(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for below in command.list_commands(context):
            part = command.get_command(context, below)
            assert part is not None, below
            yield from _below(part, f"{name} {below}")
