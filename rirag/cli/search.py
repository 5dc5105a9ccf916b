"""`rirag search`: find the passages that bear on a question."""

from __future__ import annotations

from typing import Any

import click

from rirag.cli.options import json_option, open_index, print_json, run_search, search_options
from rirag.cli.options import search_settings as settings_of


@click.command()
@click.argument("question")
@search_options
@click.option("--explain", is_flag=True, help="Print the plan and the scores of every leg.")
@json_option
def command(question: str, explain: bool, as_json: bool, **options: Any) -> None:
    """Find the passages that bear on a QUESTION, best first.

    A question that names a rule (COBS 3.4.2(b), section 5(1) FSMR) shows that rule first.
    """
    settings = settings_of(options)
    with open_index(settings) as index:
        result = run_search(index, settings, question, options["filters"])
    if as_json:
        print_json(result.to_json())
        return
    from rirag.cli.render import hit_text, plan_text

    if explain:
        click.echo(plan_text(result.plan) + "\n")
    else:
        for note in result.plan.notes:
            click.echo(f"note: {note}", err=True)
    click.echo("\n\n".join(hit_text(hit, explain=explain) for hit in result.hits) or "no hits")
