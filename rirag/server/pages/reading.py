"""The reader: documents, and one rule with what it cites and what cites it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from rirag.reports.marking import Span, locate, locate_words
from rirag.server.api.calls import Call
from rirag.server.api.documents import deleted, document_of
from rirag.server.api.documents import reading as read_for
from rirag.server.outline import OutlineEntry, outline
from rirag.server.pages.passage_text import Anchor, passage_html
from rirag.server.pages.render import Words, document_address, page, rule_address
from rirag.server.pages.visiting import visiting
from rirag.server.problems import Problem
from search.law_in_time import not_in_force

if TYPE_CHECKING:
    from rirag.service import Service
    from search import Links, Passage
    from search.records import MetadataValue

router = APIRouter(include_in_schema=False)

MOST_CHARACTERS = 40_000
"""Text of one part of a document; a part ends before the passage that would exceed it."""

MOST_PASSAGES = 150
"""Passages of one part of a document."""

BELOW = 200
"""Passages that are shown of a rule with all that is below it."""

AROUND = 2
SHORT = 160
DATES = ("effective", "effective_from", "valid_from", "in_force", "version")
"""Metadata shown in the margin."""


@dataclass(frozen=True, slots=True)
class Row:
    """A passage as a line of the reader."""

    id: str
    anchor: str
    """ID in the page; empty where the page may have the passage twice."""
    document_id: str
    number: str
    kind: str
    depth: int
    html: Markup
    dates: tuple[tuple[str, str], ...] = ()
    current: bool = False
    level: int = 0
    """Of a heading, where `levelled`."""
    note: str = ""
    """That the passage is not in force; empty: it is, or nothing is known."""


def row_of(
    passage: Passage, marks: Sequence[Span] = (), *, current: bool = False,
    shared: dict[str, MetadataValue] | None = None,
    anchors: Sequence[Anchor] = (),
) -> Row:  # fmt: skip
    """Return a passage as a line; what all of the document share is in its head alone."""
    words = Words()
    depth = min(len(passage.breadcrumb), 6)
    dates = tuple(
        (words.field(name), str(passage.metadata[name]))
        for name in DATES
        if name in passage.metadata and (shared or {}).get(name) != passage.metadata[name]
    )
    return Row(
        passage.id, f"p-{passage.id}", passage.document_id, passage.passage_id, passage.kind, depth,
        passage_html(passage.text, marks, "word", anchors), dates, current,
        note=not_in_force(passage),
    )  # fmt: skip


def levelled(rows: Iterable[Row], above: int = 1) -> Iterator[Row]:
    """Return rows with the levels of their headings: none is skipped below the heading above."""
    depths: list[int] = []
    for row in rows:
        if row.kind == "heading":
            depths = [depth for depth in depths if depth < row.depth] + [row.depth]
            yield replace(row, level=min(above + len(depths), 6))
        else:
            yield row


@router.get("/d/{place:path}")
async def read(request: Request, call: Call = visiting("search")) -> HTMLResponse:
    """Show a document, or one rule of it."""
    # A DocumentID or a number may hold a slash: only those of the address part the two.
    raw = request.scope.get("raw_path", b"").decode("ascii", "replace")
    parts = [unquote(part) for part in raw.split("/")[2:]]
    if len(parts) == 1:
        return page(request, "document.html", **await _document(request, call, parts[0]))
    if len(parts) == 2:
        return page(request, "rule.html", **await _rule(call, parts[0], parts[1]))
    raise Problem("request.not-found", "this address does not exist.")


async def _document(request: Request, call: Call, document_id: str) -> dict[str, Any]:
    find = request.query_params.get("find", "").strip()[:1000]
    wanted = request.query_params.get("part", "1")
    number = int(wanted) if wanted.isdecimal() and len(wanted) < 9 else 1

    def work(service: Service) -> dict[str, Any]:
        from search.text.analyzer import tokens

        found = document_of(service, document_id)
        passages = service.passages({"document_id": [found.document_id]})
        part_of = _parts(passages)
        parts = max(part_of.values(), default=1)
        part = min(max(number, 1), parts)
        terms = frozenset(tokens(find))
        shared = dict(found.metadata)
        shown = [one for one in passages if part_of[one.id] == part]
        here = {one.id for one in shown}
        return {
            "document_id": found.document_id,
            "document_title": found.title or found.document_id,
            "facts": Words().facts(shared),
            "outline": [
                _contents(one, found.document_id, part_of, here) for one in outline(passages)
            ],
            "rows": levelled(
                row_of(one, locate_words(terms, one.text) if terms else (), shared=shared)
                for one in shown
            ),
            "part": part,
            "parts": parts,
            "find": find,
            "found": _found(passages, terms, found.document_id, part_of, find) if terms else [],
        }

    return await read_for(call, work)  # type: ignore[no-any-return]


def _parts(passages: Sequence[Passage]) -> dict[str, int]:
    """Return the part, from 1, in which each passage of a document is shown."""
    part, held, characters = 1, 0, 0
    part_of = {}
    for one in passages:
        if held == MOST_PASSAGES or (held and characters + len(one.text) > MOST_CHARACTERS):
            part, held, characters = part + 1, 0, 0
        held, characters = held + 1, characters + len(one.text)
        part_of[one.id] = part
    return part_of


def _contents(
    entry: OutlineEntry, document_id: str, part_of: dict[str, int], here: set[str]
) -> dict[str, Any]:
    children = [_contents(one, document_id, part_of, here) for one in entry.children]
    heading = entry.heading
    if heading.startswith(entry.number):
        heading = heading.removeprefix(entry.number).strip()
    return {
        "number": entry.number,
        "heading": heading,
        "address": _place(document_id, entry.id, part_of),
        "children": children,
        "open": entry.id in here and bool(children),
    }


def _place(document_id: str, passage_id: str, part_of: dict[str, int]) -> str:
    part = part_of[passage_id]
    address = (
        document_address(document_id, part=part) if part > 1 else document_address(document_id)
    )
    return f"{address}#p-{passage_id}"


def _found(
    passages: Sequence[Passage], terms: frozenset[str], document_id: str,
    part_of: dict[str, int], find: str,
) -> list[dict[str, str]]:  # fmt: skip
    """Return the passages that have all words of a find."""
    from search.text.analyzer import tokens

    found = []
    for one in passages:
        if terms <= frozenset(tokens(one.text)):
            place = _place(document_id, one.id, part_of)
            address = place.replace(
                document_address(document_id) + ("?" if "?" in place else ""),
                document_address(document_id, find=find) + ("&" if "?" in place else ""),
            )
            text = " ".join(one.text.split())
            short = text if len(text) <= SHORT else text[:SHORT].rpartition(" ")[0] + "…"
            found.append({"number": one.passage_id, "words": short, "address": address})
    return found


async def _rule(call: Call, document_id: str, number: str) -> dict[str, Any]:
    def work(service: Service) -> dict[str, Any]:
        document = document_of(service, document_id)
        numbered = service.numbered(document.document_id, number)
        if not numbered.passages:
            raise Problem(
                "passage.unknown",
                f"{document.title or document_id} has no passage {number[:80]!r}.",
            )
        first = numbered.passages[0]
        linked = service.links([first])
        links = linked[0].to_json()
        shared = dict(document.metadata)
        rows = _in_context(
            service, numbered.passages, shared, {first.id: _anchors(first, linked[0])}
        )
        return {
            "document_id": document.document_id,
            "document_title": document.title or document.document_id,
            "number": first.passage_id,
            "asked": number,
            "around": numbered.is_around,
            "breadcrumb": first.breadcrumb,
            "citation": first.citation(),
            "facts": Words().facts(shared),
            "rows": levelled(rows),
            "links": links,
            "here": _here(service, first),
        }

    return await read_for(call, work)  # type: ignore[no-any-return]


def _here(service: Service, passage: Passage) -> str:
    part_of = _parts(service.passages({"document_id": [passage.document_id]}))
    return _place(passage.document_id, passage.id, part_of)


def _in_context(
    service: Service,
    passages: Sequence[Passage],
    shared: dict[str, MetadataValue],
    anchors: Mapping[str, Sequence[Anchor]],
) -> list[Row]:
    """Return a rule with all that is below it, and a little of what is around it."""
    document = service.passages({"document_id": [passages[0].document_id]})
    chosen = {one.id for one in passages}
    below = set(chosen)
    for one in document:
        if one.parent in below:
            below.add(one.id)
    places = [place for place, one in enumerate(document) if one.id in below]
    first, last = max(places[0] - AROUND, 0), min(places[-1] + AROUND + 1, places[0] + BELOW)
    return [
        row_of(one, current=one.id in below, shared=shared, anchors=anchors.get(one.id, ()))
        for one in document[first:last]
    ]


def _anchors(passage: Passage, links: Links) -> list[Anchor]:
    """Return the words of a passage that name another rule or a defined term, with where it is."""
    found: list[Anchor] = []
    for one in links.cites:
        if one.target is not None:
            address = rule_address(one.target.document_id, one.target.passage_id)
            found += [
                Anchor(*span, address, one.target.citation())
                for span in locate(one.text, passage.text)
            ]
    for term in links.terms:
        address = rule_address(term.passage.document_id, term.passage.passage_id)
        words = re.compile(rf"\b{re.escape(term.term)}\b")
        found += [
            Anchor(*match.span(), address, term.text, is_term=True)
            for match in words.finditer(passage.text)
        ]
    return found


@router.get("/parts/passage")
async def part_of_page(
    request: Request,
    id: str,  # noqa: A002 - the parameter
    call: Call = visiting("search"),
) -> HTMLResponse:
    """Return what is around a passage and what it is linked with, for opening in place."""

    def work(service: Service) -> dict[str, Any]:
        passage = _passage(service, id)
        around = [*service.neighbours(passage, AROUND), passage]
        around.sort(key=lambda one: one.order)
        links = service.links([passage])[0].to_json()
        shared = dict(document_of(service, passage.document_id).metadata)
        rows = [replace(row_of(one, shared=shared), anchor="") for one in around]
        return {"rows": levelled(rows, above=2), "links": links, "id": id}

    return page(request, "part_passage.html", **await read_for(call, work))


@router.get("/parts/links")
async def part_of_links(
    request: Request,
    id: str,  # noqa: A002 - the parameter
    call: Call = visiting("search"),
) -> HTMLResponse:
    """Return what a passage is linked with, for opening in place."""

    def work(service: Service) -> dict[str, Any]:
        return service.links([_passage(service, id)])[0].to_json()

    return page(request, "part_links.html", links=await read_for(call, work))


def _passage(service: Service, passage_id: str) -> Passage:
    found = service.passages({"id": [passage_id]})
    if not found:
        raise Problem("passage.unknown", "the index has no passage with this ID.")
    return found[0]


@router.get("/documents")
async def documents(request: Request, call: Call = visiting("search")) -> HTMLResponse:
    """List the documents."""
    found = await read_for(call, lambda service: service.documents())
    may_write = call.caller.may("ingest") and not call.state.options.read_only
    return page(
        request, "documents.html", documents=found, may_write=may_write,
        deleted="deleted" in request.query_params,
    )  # fmt: skip


@router.post("/documents/delete")
async def delete(request: Request, call: Call = visiting("ingest")) -> HTMLResponse:
    """Delete a document."""
    from fastapi.responses import RedirectResponse

    form = await request.form()
    await deleted(call, str(form.get("document_id", "")))
    return RedirectResponse("/documents?deleted", 303)  # type: ignore[return-value]
