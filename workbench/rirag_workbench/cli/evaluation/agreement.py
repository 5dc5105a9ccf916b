"""Implement `rirag evaluate agreement`: measure how far raters agree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rirag.cli.options import FILE, print_result
from rirag_workbench.cli.options import options


@click.command(short_help="Measure how far raters (people or models) agree.")
@click.argument("files", type=FILE, nargs=-1, required=True, metavar="FILE…")
@options("evaluate-agreement")
def agreement(
    files: tuple[Path, ...], raters: tuple[str, ...], column: str | None, as_json: bool
) -> None:
    """Measure agreement over FILE… (CSV or JSONL): one file with a column per rater or with the
    columns rater and rating, or one file per rater. A file may also be the --json output of
    `rirag evaluate judge`; its columns are the criteria.

    The column item, id or question_id names an item. If a file has both item and question_id,
    confidence intervals are computed by resampling questions.
    """
    from rirag_workbench.evaluation.agreement.measuring import agreement_of, to_table
    from rirag_workbench.evaluation.agreement.ratings import read_ratings
    from rirag_workbench.evaluation.provenance import by_name, made_with
    from rirag_workbench.evaluation.significance import SEED

    found = agreement_of(read_ratings(files, raters, column))

    def to_json() -> dict[str, Any]:
        return {**found.to_json(), "made_with": made_with(by_name(files), seed=SEED)}

    print_result(as_json, to_json, lambda: to_table(found))
