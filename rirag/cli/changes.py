"""Implement `rirag changes`: what changed in the law of an index, and what that affects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rirag.cli.options import make_settings, options, print_result

if TYPE_CHECKING:
    from search.versions.changes import Amendment

NOTHING = "No change of law in these days among the versions that the index holds."


@click.command()
@options("changes")
def command(
    since: str, until: str, document: str, index: str | None, atom: Path | None, as_json: bool
) -> None:
    """Show what changed in the law since a day, or will change.

    All works of the index that have versions are compared, the latest change comes first, and
    future ones are among them. Below each work is what rests on the rules that changed: answered
    questions, and passages of other documents that cite them.
    """
    settings = make_settings(index=index)
    from rirag.files import write_text
    from rirag.reports.atom import atom as feed_of
    from rirag.service import Service
    from search.json_form import to_json

    with Service.open(settings, reranking=False) as service:
        wanted = service.document(document).document_id if document else ""
        found = service.changes(since, until, wanted)
    if atom is not None:
        write_text(atom, feed_of(found, settings.index), "the feed")
        return
    print_result(as_json, lambda: to_json(found), lambda: "\n".join(_lines(found)) or NOTHING)


def _lines(found: Sequence[Amendment]) -> Iterator[str]:
    from rirag.reports.atom import affected_line

    for one in found:
        held = one.comparison
        future = " (future)" if one.status == "future" else ""
        yield f"{one.valid_from}{future}  {held.document_id}  {one.document_title}"
        for change in held.changes:
            yield f"  {change.headline()}"
        yield from (f"  problem: {problem}" for problem in held.problems)
        yield from (f"  {of.number} affects {affected_line(of)}" for of in one.affects)
