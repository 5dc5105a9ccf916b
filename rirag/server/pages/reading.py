"""The reader: documents, and one rule with what it cites and what cites it."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from rirag.reports.marking import Span, locate_phrase, locate_words
from rirag.server.api.calls import Call
from rirag.server.api.documents import deleted, document_of
from rirag.server.api.documents import reading as read_for
from rirag.server.outline import OutlineEntry, outline
from rirag.server.pages.passage_text import Anchor, marked, passage_html
from rirag.server.pages.render import WORDS, document_address, page, rule_address
from rirag.server.pages.visiting import visiting
from rirag.server.problems import Problem
from search.law_in_time import not_in_force
from search.text.analyzer import tokens

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

MOST_CITED = 40
"""Passages of a rule for which is looked up what cites them."""

AROUND = 2
SHORT = 160
"""Characters of a passage that are shown around the words of a find."""
MOST_FOUND = 50
QUOTES = '"“”„«»'
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
    depth = min(len(passage.breadcrumb), 6)
    dates = tuple(
        (WORDS.field(name), str(passage.metadata[name]))
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
    number, skip = _number(request, "part", 1), _number(request, "from", 0)

    def work(service: Service) -> dict[str, Any]:
        found = document_of(service, document_id)
        passages = service.passages({"document_id": [found.document_id]})
        part_of = _parts(passages)
        parts = max(part_of.values(), default=1)
        part = min(max(number, 1), parts)
        marks = _marks(passages, find)
        shared = dict(found.metadata)
        shown = [one for one in passages if part_of[one.id] == part]
        here = {one.id for one in shown}
        return {
            "document_id": found.document_id,
            "document_title": found.title or found.document_id,
            "facts": WORDS.facts(shared),
            "outline": [
                _contents(one, found.document_id, part_of, here) for one in outline(passages)
            ],
            "rows": levelled(
                row_of(one, marks.get(one.id, ()), shared=shared, anchors=_anchors(one, links))
                for one, links in zip(shown, service.links(shown, inward=False), strict=True)
            ),
            "part": part,
            "parts": parts,
            "find": find,
            "found": _found(passages, marks, found.document_id, part_of, find)[skip:],
            "found_all": len(marks),
            "skip": skip,
            "most": MOST_FOUND,
        }

    return await read_for(call, work)  # type: ignore[no-any-return]


def _number(request: Request, name: str, otherwise: int) -> int:
    text = request.query_params.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 9 else otherwise


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
    return {
        "number": entry.label,
        "heading": entry.heading,
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
    passages: Sequence[Passage], marks: Mapping[str, Sequence[Span]], document_id: str,
    part_of: dict[str, int], find: str,
) -> list[dict[str, Any]]:  # fmt: skip
    """Return the passages that have the words of a find, with the words and what is around them."""
    found = []
    for one in passages:
        if one.id in marks:
            part = {"part": part_of[one.id]} if part_of[one.id] > 1 else {}
            address = document_address(document_id, find=find, **part) + f"#p-{one.id}"
            start = marks[one.id][0][0]
            first = one.text.rfind(" ", 0, max(start - SHORT // 3, 0)) + 1
            last = one.text.find(" ", first + SHORT)
            text = one.text[first : last if last > 0 else None]
            near = [(a - first, b - first) for a, b in marks[one.id] if b - first <= len(text)]
            words = marked(text, near, before=first > 0, after=last > 0)
            found.append({"number": one.passage_id, "words": words, "address": address})
    return found


def _marks(passages: Sequence[Passage], find: str) -> dict[str, list[Span]]:
    """Return where a phrase is in the passages that have it; if none has, its words in any order.

    Words compare by their index terms; a phrase in quotation marks is only looked for as a phrase.
    """
    phrase = find.strip(QUOTES)
    wanted = tokens(phrase)
    if not wanted:
        return {}
    found = {one.id: spans for one in passages if (spans := locate_phrase(wanted, one.text))}
    if found or phrase != find:
        return found
    terms = frozenset(wanted)
    return {
        one.id: locate_words(terms, one.text)
        for one in passages
        if terms <= frozenset(tokens(one.text))
    }


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
        passages = service.passages({"document_id": [first.document_id]})
        rule, around = _in_context(passages, numbered.passages)
        linked = dict(zip((one.id for one in rule), service.links(rule, inward=False), strict=True))
        named = service.links(rule[:MOST_CITED])
        shared = dict(document.metadata)
        rows = [
            row_of(
                one, current=one.id in linked, shared=shared,
                anchors=_anchors(one, linked[one.id]) if one.id in linked else (),
            )
            for one in around
        ]  # fmt: skip
        return {
            "document_id": document.document_id,
            "document_title": document.title or document.document_id,
            "number": first.passage_id,
            "asked": number,
            "around": numbered.is_around,
            "breadcrumb": first.breadcrumb,
            "citation": first.citation(),
            "facts": WORDS.facts(shared),
            "rows": levelled(rows),
            "links": _together([*linked.values(), *named], {one.id for one in rule}),
            "here": _place(first.document_id, first.id, _parts(passages)),
            **_beside(passages, rule),
        }

    return await read_for(call, work)  # type: ignore[no-any-return]


def _in_context(
    document: Sequence[Passage], chosen: Sequence[Passage]
) -> tuple[list[Passage], Sequence[Passage]]:
    """Return a rule with all that is below it, and the same with a little of what is around it."""
    below = {one.id for one in chosen}
    for one in document:
        if one.parent in below:
            below.add(one.id)
    places = [place for place, one in enumerate(document) if one.id in below]
    first, last = max(places[0] - AROUND, 0), min(places[-1] + AROUND + 1, places[0] + BELOW)
    shown = document[first:last]
    return [one for one in shown if one.id in below], shown


def _beside(document: Sequence[Passage], rule: Sequence[Passage]) -> dict[str, str]:
    """Return the numbers before and after a rule, of its own level or the next above."""
    own, level = {one.id for one in rule}, len(rule[0].breadcrumb)
    places = [place for place, one in enumerate(document) if one.id in own]

    def nearest(passages: Iterable[Passage]) -> str:
        return next((one.passage_id for one in passages if len(one.breadcrumb) <= level), "")

    before = nearest(reversed(document[: places[0]]))
    return {"previous": before, "following": nearest(document[places[-1] + 1 :])}


def _together(links: Iterable[Links], own: Container[str]) -> dict[str, list[Any]]:
    """Return the links of all passages of a rule, each once, without those inside the rule."""
    cites: dict[str, Any] = {}
    cited_by: dict[str, Any] = {}
    terms: dict[str, Any] = {}
    for one in links:
        cites |= {
            c.target.id if c.target else f"{c.outside} {c.text}": c
            for c in one.cites
            if c.target is None or c.target.id not in own
        }
        cited_by |= {c.id: c for c in one.cited_by if c.id not in own}
        terms |= {t.term: t for t in one.terms}
    return {
        "cites": [*cites.values()],
        "cited_by": [*cited_by.values()],
        "terms": [*terms.values()],
    }


def _anchors(passage: Passage, links: Links) -> list[Anchor]:
    """Return the words of a passage that name another rule or a defined term, with where it is.

    What names a rule that is not here takes its words, so that no shorter name is found in them.
    """
    text, taken = passage.text, [False] * len(passage.text)
    found: list[Anchor] = []
    for one in sorted(links.cites, key=lambda one: -len(one.text)):
        words = r"\s+".join(map(re.escape, one.text.split()))
        for match in re.finditer(rf"(?<!\w){words}(?!\w)", text):
            start, end = match.span()
            if any(taken[start:end]):
                continue
            taken[start:end] = [True] * (end - start)
            if one.target is not None:
                address = rule_address(one.target.document_id, one.target.passage_id)
                found.append(Anchor(start, end, address, one.target.citation()))
            if one.relative:
                break  # from another place it may name another rule
    for term in links.terms:
        address = rule_address(term.passage.document_id, term.passage.passage_id)
        for match in re.finditer(rf"\b{re.escape(term.term)}\b", text):
            if not any(taken[slice(*match.span())]):
                found.append(Anchor(*match.span(), address, term.text, is_term=True))
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
        links = service.links([passage])[0]
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
        return {"links": service.links([_passage(service, id)])[0]}

    return page(request, "part_links.html", **await read_for(call, work))


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
