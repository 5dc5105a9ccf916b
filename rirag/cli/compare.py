"""Implement `rirag compare`: what changed between two versions of a document."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rirag.cli.options import make_settings, options, print_json


@click.command()
@click.argument("document")
@options("compare")
def command(
    document: str,
    old: str,
    new: str,
    html: Path | None,
    index: str | None,
    as_json: bool,
    **how: Any,
) -> None:
    """Compare two versions of a DOCUMENT (DocumentID, short code or title), rule by rule.

    Without --from and --to, the last two versions are compared. White space, quotation marks,
    dashes, other punctuation and marks of amendments make no difference. A rule that got another
    number has moved.
    """
    from rirag.service import Service

    with Service.open(make_settings(index=index), reranking=False) as service:
        found = service.document(document)
        compared = service.compare(found.document_id, old, new, **how)
    if html is not None:
        from rirag.files import write_text
        from rirag.reports.comparison import comparison_page

        write_text(html, comparison_page(compared, found.title), "the comparison")
        click.echo(f"{html}: {compared.summary()}")
    elif as_json:
        print_json(compared.to_json())
    else:
        from rirag.cli.output.changes import comparison_text

        click.echo(comparison_text(compared, found.title))
