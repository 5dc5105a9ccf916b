"""Implement `rirag search`: find the passages that answer a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from rirag.cli.options import options, parse_filters, print_json, search_settings

if TYPE_CHECKING:
    from search import Links, Passage, SearchResult
    from search.why import Why


@click.command()
@click.argument("question")
@options("search")
def command(
    question: str,
    search_help: bool,
    explain: bool,
    neighbours: int,
    why: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Find the passages that answer a QUESTION, best first.

    If the question names a rule (COBS 3.4.2(b), section 5(1) FSMR), that rule comes first.
    """
    settings = search_settings(options, "k", "llm_url", "llm_model")
    from rirag.service import Query, Service
    from search.law_in_time import as_of as on_day

    query = Query(
        question, filters=parse_filters(options["filters"]), search_help=search_help,
        as_of=options["as_of"], version=options["version"],
    )  # fmt: skip
    with on_day(query.day), Service.open(settings) as service:
        result = service.search(query)
        asked_about = service.why(query, why) if why is not None else None
        around = {hit.id: service.neighbours(hit, neighbours) for hit in result.hits}
        linked = service.links(result.hits) if explain else []
        if as_json:
            from rirag.service.query import search_to_json

            print_json(search_to_json(result, around if neighbours else None, linked, asked_about))
        else:
            _show(result, around, linked, asked_about, explain=explain)


def _show(
    result: SearchResult,
    around: Mapping[str, Sequence[Passage]],
    linked: Sequence[Links],
    asked_about: Why | None,
    *,
    explain: bool,
) -> None:
    from rirag.cli.output.hits import hit_text, links_brief, plan_text, why_text
    from search.provisions.citations import distinct_citations

    if explain:
        click.echo(plan_text(result) + "\n")
    else:
        from generation.text.sanitize import printable

        for note in result.trace.notes:
            click.echo(f"note: {printable(note)}", err=True)
        doubt = result.trace.doubt()
        if doubt:
            click.echo(f"note: {doubt}", err=True)
    calibrated = result.trace.answerable_by == "calibration"
    cited = distinct_citations([hit.passage for hit in result.hits])
    texts = [
        hit_text(hit, citation, around[hit.id], explain=explain, calibrated=calibrated)
        for hit, citation in zip(result.hits, cited, strict=True)
    ]
    for place, links in enumerate(linked):
        texts[place] = "\n".join((texts[place], *links_brief(links)))
    texts += [why_text(asked_about)] if asked_about is not None else []
    click.echo("\n\n".join(texts) or "no hits")
