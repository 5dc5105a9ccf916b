"""Implement `rirag documents`: list, show and delete the documents of an index."""

from __future__ import annotations

import shlex

import click

from rirag.cli.options import make_settings, options, print_json
from search.errors import InputError
from search.json_form import to_json
from search.messages.refusals import on_index

_OLDER = (
    "the index was made by an older rirag and has no cross-references or defined "
    "terms; run: {reindex}"
)


@click.group()
def command() -> None:
    """List, show and delete the documents of an index."""


@command.command("list")
@options("documents")
def list_(index: str | None, as_json: bool) -> None:
    """List the documents with their titles and sizes."""
    from rirag.service import Service

    with Service.open(make_settings(index=index), reranking=False) as service:
        documents = service.documents()
    if as_json:
        print_json(to_json(documents))
        return
    from generation.text.sanitize import printable

    width = max((len(document.document_id) for document in documents), default=0)
    for document in documents:
        name = printable(document.document_id)
        title = printable(document.title)
        noun = "passage " if document.passages == 1 else "passages"
        click.echo(f"{name:{width}}  {document.passages:6,} {noun}  {title}")


@command.command()
@click.argument("document")
@click.argument("number", required=False)
@options("documents")
def show(document: str, number: str | None, index: str | None, as_json: bool) -> None:
    """Show a DOCUMENT (DocumentID, short code or title), or its passage with a NUMBER.

    For a passage it also shows what the passage cites, what cites it, and which defined terms it
    uses.
    """
    settings = make_settings(index=index)
    from rirag.service import Service

    with Service.open(settings, reranking=False) as service:
        found = service.document(document)
        if number is None:
            passages, linked = service.passages({"document_id": [found.document_id]}), []
        else:
            numbered = service.numbered(found.document_id, number)
            passages, linked = list(numbered.passages), service.links(numbered.passages)
            if numbered.is_around:
                around = f"{number} has no passage of its own; this passage contains it"
                click.echo(f"note: {around}", err=True)
    if number is not None and not passages:
        raise InputError(
            f"{found.title} has no passage {number!r}; see all with: "
            + on_index(f"rirag documents show {shlex.quote(found.document_id)}", settings.index),
            code="passage.unknown",
        )
    if as_json:
        shown = to_json(passages)
        for one, links in zip(shown, linked, strict=False):
            one["links"] = links.to_json()
        print_json({**found.to_json(), "passages": shown})
        return
    from generation.text.sanitize import printable
    from rirag.cli.output.links import links_text
    from search.law_in_time import not_in_force

    click.echo(click.style(printable(found.title), bold=True))
    for place, passage in enumerate(passages):
        part = f" (part {passage.part})" if passage.part else ""
        told = not_in_force(passage)
        part += f" ({told})" if told else ""
        heading = click.style(printable(passage.passage_id + part), bold=True)
        click.echo(f"\n{heading}  {printable(passage.text)}".rstrip())
        if linked and (text := links_text(linked[place])):
            click.echo(f"\n{text}")
    if any(not links.complete for links in linked):
        click.echo(
            f"note: {_OLDER.format(reindex=on_index('rirag reindex', settings.index))}", err=True
        )


@command.command()
@click.argument("documents", nargs=-1, required=True)
@options("documents-delete")
def delete(documents: tuple[str, ...], index: str | None, yes: bool) -> None:
    """Delete DOCUMENTS (DocumentID, short code or title) from the index."""
    settings = make_settings(index=index)
    from rirag.service import Service
    from rirag.service.loading import delete_documents, refuse_what_cannot_be_deleted_from

    refuse_what_cannot_be_deleted_from(settings)
    with Service.open(settings, reranking=False) as service:
        named = [service.document(name) for name in documents]
    from generation.text.sanitize import printable
    from indexer.load.report import count

    found = {document.document_id: document for document in named}
    for document in found.values():
        name = printable(f"{document.document_id}  {document.title}")
        click.echo(f"{name}, {count(document.passages, 'passage')}")
    if not (yes or _confirmed()):
        raise InputError(
            "nothing was deleted; add --yes to delete without confirmation",
            code="option.unconfirmed",
        )
    left = delete_documents(settings, found)
    held = f"{count(left.passages, 'passage')} of {count(left.documents, 'document')}"
    click.echo(f"{settings.index} now holds {held}.")


def _confirmed() -> bool:
    try:
        return click.confirm("Delete?")
    except click.Abort:  # nobody is there to answer
        return False
