"""The reader: documents, and one rule with what it cites and what cites it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import unquote

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from markupsafe import Markup

from rirag.server import duties
from rirag.server.api.calls import Call, visiting
from rirag.server.api.documents import deleted, document_of, passage_of
from rirag.server.outline import OutlineEntry, outline
from rirag.server.pages.places import anchors_of, found_in, marks_of, parts_of, place_of
from rirag.server.pages.render import page
from rirag.server.pages.text import Anchor, Block, on_one_line, passage_blocks
from rirag.server.pages.versions import Shown, history, shown_version
from rirag.server.problems import refusal
from rirag.server.strings import WORDS
from search.law_in_time import asked_day, interval_on, stored_in
from search.text.spans import Span

if TYPE_CHECKING:
    from rirag.service import Service
    from search import DocumentSummary, Links, Passage
    from search.records import MetadataValue

router = APIRouter(include_in_schema=False)

BELOW = 200
"""Passages that are shown of a rule with all that is below it."""

MOST_CITED = 40
"""Passages of a rule for which is looked up what cites them."""

AROUND = 2
MOST_FOUND = 50
DATES = ("effective", "effective_from", "valid_from", "in_force", "valid_to", "version")
"""Metadata shown in the margin."""


@dataclass(frozen=True, slots=True)
class Row:
    """A passage as a line of the reader."""

    passage: Passage
    blocks: list[Block]
    heading: Markup | str = ""
    dates: tuple[tuple[str, str], ...] = ()
    current: bool = False
    level: int = 0
    """Of a heading, where `levelled`."""

    @property
    def depth(self) -> int:
        """How deep the passage is in its document, as far as it shows."""
        return min(len(self.passage.breadcrumb), 6)


def row_of(
    passage: Passage, shared: Mapping[str, MetadataValue], *, marks: Sequence[Span] = (),
    anchors: Sequence[Anchor] = (), current: bool = False,
) -> Row:  # fmt: skip
    """Return a passage as a line; what all of the document share is in its head alone."""
    first, last = interval_on(stored_in(passage), asked_day())
    given = dict(passage.metadata)
    if first or last:
        given |= {"in_force": first, "valid_to": last, "version": ""}
    own = {name: one for name, one in given.items() if one and shared.get(name) != one}
    dates = tuple((WORDS.field(name), str(own[name])) for name in DATES if name in own)
    if passage.kind == "heading":
        return Row(passage, [], on_one_line(passage.text, marks, anchors), dates, current)
    blocks = passage_blocks(passage.text, marks, "word", anchors)
    return Row(passage, blocks, dates=dates, current=current)


def _shared(document: DocumentSummary, shown: Shown) -> Mapping[str, MetadataValue]:
    """Return what the head of a document says of all its passages."""
    first, last = interval_on(stored_in(document), asked_day())
    shared = {"in_force": first, "valid_to": last, **document.metadata}
    if shown.version is None:
        return shared
    first = shown.states[-1].version.valid_from or ""
    return {**shared, "version": shown.version.version_id, "in_force": first}


def levelled(rows: Iterable[Row], above: int = 1) -> Iterator[Row]:
    """Return rows with the levels of their headings: none is skipped below the heading above."""
    depths: list[int] = []
    for row in rows:
        if row.passage.kind == "heading":
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
    if len(parts) == 3 and parts[2] == "history":
        return await history(request, call, parts[0], parts[1])
    raise refusal("request.not-found")


async def _document(request: Request, call: Call, document_id: str) -> dict[str, Any]:
    find = request.query_params.get("find", "").strip()[:1000]
    number, skip = _number(request, "part", 1), _number(request, "from", 0)

    def work(service: Service) -> dict[str, Any]:
        found = document_of(service, document_id)
        shown_in_time = shown_version(service, found.document_id)
        passages = service.passages({"document_id": [found.document_id]})
        part_of = parts_of(passages)
        parts = max(part_of.values(), default=1)
        part = min(max(number, 1), parts)
        shared = _shared(found, shown_in_time)
        marks = marks_of(passages, find)
        shown = [one for one in passages if part_of[one.id] == part]
        here = dict.fromkeys(one.id for one in shown)
        entries = outline(passages)
        listed = set(_entries(entries))
        before = [one.id for one in passages if part_of[one.id] < part] + [*here][:1]
        return {
            "about": found,
            "shown": shown_in_time,
            "outline": entries,
            "here": here,
            "current": next((one for one in reversed(before) if one in listed), ""),
            "address": partial(place_of, found.document_id, part_of),
            "rows": levelled(
                row_of(one, shared, marks=marks.get(one.id, ()), anchors=anchors_of(one, links))
                for one, links in zip(shown, service.links(shown, inward=False), strict=True)
            ),
            "part": part,
            "parts": parts,
            "find": find,
            "found": found_in(passages, marks, found.document_id, part_of, find)[skip:],
            "found_all": len(marks),
            "places": sum(map(len, marks.values())),
            "skip": skip,
            "most": MOST_FOUND,
        }

    return await call.read(work)


def _number(request: Request, name: str, otherwise: int) -> int:
    text = request.query_params.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 9 else otherwise


def _entries(entries: Iterable[OutlineEntry]) -> Iterator[str]:
    """Yield the IDs of the passages of contents, in their order."""
    for one in entries:
        yield one.id
        yield from _entries(one.children)


async def _rule(call: Call, document_id: str, number: str) -> dict[str, Any]:
    def work(service: Service) -> dict[str, Any]:
        document = document_of(service, document_id)
        shown_in_time = shown_version(service, document.document_id, number)
        numbered = service.numbered(document.document_id, number)
        if not numbered.passages:
            raise refusal(
                "passage.unknown/number", title=document.title or document_id, number=number[:80]
            )
        first = numbered.passages[0]
        passages = service.passages({"document_id": [first.document_id]})
        rule, above = _with_parts(passages, numbered.passages)
        shared = _shared(document, shown_in_time)
        found = service.links(rule[:MOST_CITED])
        found += service.links(rule[MOST_CITED:], inward=False)
        linked = dict(zip((one.id for one in rule), found, strict=True))
        rows = [row_of(one, shared) for one in above]
        rows += [
            row_of(one, shared, current=bool(above), anchors=anchors_of(one, linked[one.id]))
            for one in rule
        ]
        return {
            "about": document,
            "shown": shown_in_time,
            "first": first,
            "asked": number,
            "numbered": numbered,
            "rows": levelled(rows),
            "links": _together(found, {one.id for one in rule}),
            "here": place_of(first.document_id, parts_of(passages), first.id),
            **_beside(passages, rule),
        }

    return await call.read(work)


def _below(document: Sequence[Passage], chosen: Iterable[str]) -> set[str]:
    """Return the IDs of passages with those of all that is below them."""
    below = set(chosen)
    for one in document:
        if one.parent in below:
            below.add(one.id)
    return below


def _with_parts(
    document: Sequence[Passage], chosen: Sequence[Passage]
) -> tuple[list[Passage], list[Passage]]:
    """Return a rule with all that is below it, and the texts above of which it is a part."""
    below = _below(document, (one.id for one in chosen))
    by_id = {one.id: one for one in document}
    above, parent = [], by_id.get(chosen[0].parent or "")
    while parent and parent.kind != "heading":
        above.append(parent)
        parent = by_id.get(parent.parent or "")
    return [one for one in document if one.id in below][:BELOW], above[::-1]


def _beside(document: Sequence[Passage], rule: Sequence[Passage]) -> dict[str, str]:
    """Return the numbers before and after a rule, of its own level or the next above."""
    own, level = {one.id for one in rule}, len(rule[0].breadcrumb)
    places = [place for place, one in enumerate(document) if one.id in own]

    def nearest(passages: Iterable[Passage]) -> str:
        return next((one.passage_id for one in passages if len(one.breadcrumb) <= level), "")

    before = nearest(reversed(document[: places[0]]))
    return {"previous": before, "following": nearest(document[places[-1] + 1 :])}


def _together(links: Sequence[Links], own: Container[str]) -> dict[str, list[Any]]:
    """Return the links of all passages of a rule, each once, without those inside the rule."""
    cites = {
        one.target.id if one.target else f"{one.outside} {one.text}": one
        for each in links
        for one in each.cites
        if one.target is None or one.target.id not in own
    }
    cited_by = {one.id: one for each in links for one in each.cited_by if one.id not in own}
    terms = {one.term: one for each in links for one in each.terms}
    found: dict[str, dict[str, Any]] = {"cites": cites, "cited_by": cited_by, "terms": terms}
    return {name: [*one.values()] for name, one in found.items()}


@router.get("/duties")
async def duties_of(
    document_id: str,
    id: Annotated[list[str] | None, Query()] = None,  # noqa: A002 - the parameter
    call: Call = visiting("search"),
) -> Response:
    """Return who must do what by when, as a spreadsheet: of marked rules, or of a document."""

    def work(service: Service) -> bytes:
        found = document_of(service, document_id)
        passages = service.passages({"document_id": [found.document_id]})
        chosen = id or [one.id for one in passages]
        return duties.to_xlsx(duties.of_passages(passages, _below(passages, chosen)))

    headers = {"Content-Disposition": 'attachment; filename="duties.xlsx"'}
    return Response(await call.read(work), 200, headers, duties.MEDIA_TYPE)


@router.get("/parts/{part}")
async def part_of_page(
    request: Request,
    part: str,
    id: str,  # noqa: A002 - the parameter
    call: Call = visiting("search"),
) -> HTMLResponse:
    """Return what a passage is linked with, for opening in place; as `passage`, with what is
    around it.
    """

    def work(service: Service) -> dict[str, Any]:
        passage = passage_of(service, id)
        around = [*service.neighbours(passage, AROUND), passage] if part == "passage" else []
        around.sort(key=lambda one: one.order)
        shared = document_of(service, passage.document_id).metadata
        rows = [*levelled((row_of(one, shared) for one in around), above=2)]
        return {"rows": rows, "links": service.links([passage])[0], "id": id}

    return page(request, "part.html", **await call.read(work))


@router.get("/documents")
async def documents(request: Request, call: Call = visiting("search")) -> HTMLResponse:
    """List the documents."""
    found = await call.read(lambda service: service.documents())
    may_write = call.caller.may("ingest") and not call.state.options.read_only
    return page(
        request, "documents.html", documents=found, may_write=may_write,
        deleted="deleted" in request.query_params,
    )  # fmt: skip


@router.post("/documents/delete")
async def delete(request: Request, call: Call = visiting("ingest")) -> Response:
    """Delete a document."""
    form = await request.form()
    await deleted(call, str(form.get("document_id", "")))
    return RedirectResponse("/documents?deleted", 303)
