"""Implement `rirag evaluate report`: show results of evaluations side by side in HTML."""

from __future__ import annotations

import json
from pathlib import Path

import click

from rirag.cli.options import FILE, this_command
from rirag_workbench.cli.options import options
from search.errors import InputError


@click.command(short_help="Show the results of evaluations side by side in one HTML file.")
@click.argument("files", type=FILE, nargs=-1, required=True)
@options("evaluate-report")
def report(files: tuple[Path, ...], output: Path) -> None:
    """Show the --json output of several evaluations side by side, one column for each of FILES."""
    from rirag.files import read_text, refuse_output, write_text
    from rirag_workbench.reports.side_by_side import figures_of, side_by_side

    refuse_output(output, "the report", files)
    results = {}
    for file in files:
        try:
            found = json.loads(read_text(file))
        except ValueError:
            raise InputError(
                "this is not JSON; save the output of an evaluation with --json.",
                file,
                code="evaluation.invalid",
            ) from None
        if not isinstance(found, dict) or not figures_of(found):
            raise InputError(
                "it holds no results of an evaluation.", file, code="evaluation.invalid"
            )
        results[file.stem if file.stem not in results else str(file)] = found
    write_text(output, side_by_side(results, this_command()), "the report")
    click.echo(f"{output} shows {len(results)} results side by side")
