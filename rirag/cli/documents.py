"""`rirag documents`: list, show and delete the documents of an index."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from rirag.cli.named_document import named_document
from rirag.cli.options import index_option, json_option, make_settings, open_index, print_json
from search.errors import InputError
from search.messages.commands import on_index

if TYPE_CHECKING:
    from search import Index, Passage


_OLDER = (
    "the index was made by an older rirag, so what cites a passage and where its terms are defined "
    "is not known; run: {reindex}"
)


@click.group()
def command() -> None:
    """List, show and delete the documents of an index."""


@command.command("list")
@index_option
@json_option
def list_(index: str | None, as_json: bool) -> None:
    """List the documents with their titles and sizes."""
    with open_index(make_settings(index=index), reranking=False) as opened:
        documents = opened.documents()
    if as_json:
        from search.jsonform import document_to_json

        print_json([document_to_json(document) for document in documents])
        return
    from generation.text.terminal import printable

    width = max((len(document.document_id) for document in documents), default=0)
    for document in documents:
        name = printable(document.document_id)
        title = printable(document.title)
        noun = "passage " if document.passages == 1 else "passages"
        click.echo(f"{name:{width}}  {document.passages:6,} {noun}  {title}")


@command.command()
@click.argument("document")
@click.argument("number", required=False)
@index_option
@json_option
def show(document: str, number: str | None, index: str | None, as_json: bool) -> None:
    """Show a DOCUMENT (DocumentID, short code or title), or the passage of a NUMBER in it.

    With a NUMBER it tells as well what the passage cites, what cites it, and which defined terms
    it uses.
    """
    settings = make_settings(index=index)
    with open_index(settings, reranking=False) as opened:
        found = named_document(opened, document)
        if number is None:
            passages = opened.passages({"document_id": found.document_id})
        else:
            passages = _numbered(opened, found.document_id, number)
        linked = opened.links(passages) if number is not None else []
    if number is not None and not passages:
        raise InputError(
            f"{found.title} has no passage {number!r}; see all with: "
            + on_index(f"rirag documents show {shlex.quote(found.document_id)}", settings.index)
        )
    if as_json:
        from search.jsonform import document_to_json, links_to_json, passage_to_json

        shown = [passage_to_json(passage) for passage in passages]
        for one, links in zip(shown, linked, strict=False):
            one["links"] = links_to_json(links)
        print_json({**document_to_json(found), "passages": shown})
        return
    from generation.text.terminal import printable
    from rirag.cli.output.links import links_text

    click.echo(click.style(printable(found.title), bold=True))
    for place, passage in enumerate(passages):
        part = f" (part {passage.part})" if passage.part else ""
        heading = click.style(printable(passage.passage_id + part), bold=True)
        click.echo(f"\n{heading}  {printable(passage.text)}".rstrip())
        if linked and (text := links_text(linked[place])):
            click.echo(f"\n{text}")
    if any(not links.complete for links in linked):
        click.echo(
            f"note: {_OLDER.format(reindex=on_index('rirag reindex', settings.index))}", err=True
        )


def _numbered(opened: Index, document_id: str, number: str) -> list[Passage]:
    """Return the passages of a number as the source writes it, or else as people name it.

    Of a rule without a passage of its own it is the one around it, and a note says so.
    """
    from search.provisions.numbering import lookup_keys
    from search.provisions.rule_numbers.find import find_rule_numbers

    own = lookup_keys(number)[:1] or (number,)
    named = (
        rule
        for words in (number, f"Rule {number}")
        for rule in find_rule_numbers(words, opened.pipeline.names)
    )
    for key in dict.fromkeys((*own, *(key for rule in named for key in rule.keys))):
        passages = opened.passages({"document_id": document_id, "number": key})
        if passages:
            if own[0].startswith(f"{key}/"):
                around = f"{number} has no passage of its own; this one is around it"
                click.echo(f"note: {around}", err=True)
            return passages
    return []


@command.command()
@click.argument("documents", nargs=-1, required=True)
@index_option
@click.option("--yes", is_flag=True, help="Do not ask.")
def delete(documents: tuple[str, ...], index: str | None, yes: bool) -> None:
    """Delete DOCUMENTS (DocumentID, short code or title) from the index."""
    settings = make_settings(index=index)
    from indexer.answered_questions.load import refuse_known_questions
    from rirag.server_settings import server_options
    from search.engines import locate

    backend = locate(settings.index, server_options(settings))
    refuse_known_questions(backend, settings.index)
    with open_index(settings, reranking=False) as opened:
        named = [named_document(opened, name) for name in documents]
        encoder = opened.describe().encoder
    from generation.text.terminal import printable

    found = {document.document_id: document for document in named}
    for document in found.values():
        name = printable(f"{document.document_id}  {document.title}")
        click.echo(f"{name}, {_counted(document.passages, 'passage')}")
    if not (yes or _confirmed()):
        raise InputError("nothing was deleted; to delete without being asked, add --yes")
    with backend.load(settings.index, encoder) as load:
        for document_id in found:
            load.delete_document(document_id)
        left = load.commit()
    held = f"{_counted(left.passages, 'passage')} of {_counted(left.documents, 'document')}"
    click.echo(f"{settings.index} now holds {held}.")


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _confirmed() -> bool:
    try:
        return click.confirm("Delete?")
    except click.Abort:  # nobody is there to answer
        return False
