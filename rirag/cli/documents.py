"""Implement `rirag documents`: list, show and delete documents, and list their versions."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from rirag.cli.options import make_settings, options, print_json, print_result
from rirag.refusals import unusable
from search.errors import InputError
from search.json_form import to_json
from search.messages.refusals import on_index

if TYPE_CHECKING:
    from rirag.service import Service
    from search import DocumentSummary
    from search.versions.works import RuleState

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
    from search.law_in_time import not_in_force

    width = max((len(document.document_id) for document in documents), default=0)
    for document in documents:
        name = printable(document.document_id)
        title = printable(document.title)
        noun = "passage " if document.passages == 1 else "passages"
        told = f" ({printable(told)})" if (told := not_in_force(document)) else ""
        click.echo(f"{name:{width}}  {document.passages:6,} {noun}  {title}{told}")


@command.command()
@click.argument("document")
@options("documents")
def versions(document: str, index: str | None, as_json: bool) -> None:
    """List the versions of a DOCUMENT, oldest first, with their days."""
    from rirag.service import Service

    with Service.open(make_settings(index=index), reranking=False) as service:
        found = service.versions(service.document(document).document_id)
    if as_json:
        print_json(to_json(found))
        return
    from generation.text.sanitize import printable

    for one in found:
        click.echo(printable(str(one)))


@command.command()
@click.argument("document")
@click.argument("number", required=False)
@options("documents-show")
def show(
    document: str,
    number: str | None,
    as_of: str,
    version: str,
    history: bool,
    index: str | None,
    as_json: bool,
) -> None:
    """Show a DOCUMENT (DocumentID, short code or title), or its passage with a NUMBER.

    For a passage it also shows what the passage cites, what cites it, and which defined terms it
    uses. With --history it shows all wordings of the rule, each with its days.
    """
    settings = make_settings(index=index)
    from rirag.service import Service
    from rirag.service.query import asked_day_of
    from search.law_in_time import as_of as on_day

    with (
        on_day(asked_day_of(as_of, version)),
        Service.open(settings, reranking=False) as service,
    ):
        found = service.document(document)
        if history:
            if number is None:
                raise unusable("option.invalid/history")
            _show_wordings(service.rule_history(found.document_id, number), as_json)
            return
        service.index.asked_version(found.document_id)
        _show(service, found, number, as_json)


def _show_wordings(wordings: Sequence[RuleState], as_json: bool) -> None:
    if as_json:
        print_json(to_json(wordings))
        return
    from generation.text.sanitize import printable

    told = (f"{click.style(one.days(), bold=True)}\n{printable(one.text)}" for one in wordings)
    click.echo("\n\n".join(told))


def _show(service: Service, found: DocumentSummary, number: str | None, as_json: bool) -> None:
    index = service.settings.index
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
            + on_index(f"rirag documents show {shlex.quote(found.document_id)}", index),
            code="passage.unknown",
        )
    if as_json:
        shown = to_json(passages)
        for one, links in zip(shown, linked, strict=False):
            one["links"] = links.to_json()
        print_json({**found.to_json(), "passages": shown})
        return
    from generation.text.sanitize import printable
    from rirag.cli.output.hits import links_text
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
        click.echo(f"note: {_OLDER.format(reindex=on_index('rirag reindex', index))}", err=True)


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
        raise unusable("option.unconfirmed")
    left = delete_documents(settings, found)
    held = f"{count(left.passages, 'passage')} of {count(left.documents, 'document')}"
    click.echo(f"{settings.index} now holds {held}.")


@command.command()
@click.argument("documents", nargs=-1, required=True)
@options("documents-merge")
def merge(
    documents: tuple[str, ...], into: str, index: str | None, dry_run: bool, as_json: bool
) -> None:
    """Join DOCUMENTS (by DocumentID) that are versions of one work.

    Nothing is encoded. The day of each is found as when it is loaded, and answered questions that
    name its passages follow.
    """
    settings = make_settings(index=index)
    from rirag.service.loading import merge_documents

    report = merge_documents(settings, documents, into, dry_run=dry_run)
    print_result(as_json, report.to_json, report.summary)


def _confirmed() -> bool:
    try:
        return click.confirm("Delete?")
    except click.Abort:  # nobody is there to answer
        return False
