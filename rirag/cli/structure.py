"""Implement `rirag structure`: show how a reader understands a document before it is loaded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rirag.cli.options import options, print_json, raise_problems, takes_reading
from rirag.cli.output.progress import Progress

if TYPE_CHECKING:
    from indexer.review.structure import Structure
    from rirag.service.loading import Reading

DIFFERENT = 1
"""Exit code of `--check` if the hand-made file differs."""
RECORD = "DocumentID=document_id PassageID=passage_id Passage=text kind breadcrumb source"
"""What `--jsonl` prints of a passage."""


@click.command()
@click.argument("source", metavar="SOURCE")
@options("structure")
@takes_reading
def command(source: str, form: str, gold: Path | None, reading: Reading, *, as_json: bool) -> None:
    """Show how rirag reads a SOURCE (file or folder); nothing is loaded.

    The tree shows the number, kind and first words of each passage. Below it are warnings, such as
    gaps in the numbers, and the number of words that are in no passage, with the reason. With --why
    the readings of each document are shown instead: a law by its units, or an outline by the look
    and place of its numbers; --json prints them for programs.
    """
    from rirag.cli.output.structure import as_records, structure_lines, why_lines
    from rirag.service.loading import structure

    with Progress() as progress:
        found = structure(source, reading, progress=progress)
    if gold is not None:
        _check(found, gold)
    elif form == "jsonl":
        from search.json_form import to_json

        for passage in found.passages():
            print_json(to_json(passage, RECORD), indent=None)
    elif form == "why":
        if as_json:
            print_json(as_records(found))
        else:
            click.echo("\n".join(why_lines(found)))
    else:
        for line in structure_lines(found):
            click.echo(line)
    raise_problems(found.refused, "", found.losses)


def _check(found: Structure, gold: Path) -> None:
    """Print how the passages agree with a hand-made file."""
    from indexer.review.check import check
    from indexer.review.gold import read_gold
    from rirag.cli.output.structure import check_lines

    checked = check(found.passages(), read_gold(gold))
    for line in check_lines(checked):
        click.echo(line)
    if checked.differences:
        raise SystemExit(DIFFERENT)
