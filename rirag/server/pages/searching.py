"""The first page and the page of hits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from rirag.server.addresses import DAY
from rirag.server.api.calls import Call, visiting
from rirag.server.api.search import facet_counts
from rirag.server.asking import Asked, index_name
from rirag.server.pages.forms import Form, asked, to_search, with_choices
from rirag.server.pages.render import page, query_address, streamed
from rirag.server.strings import WORDS
from search.errors import IndexUnavailableError

if TYPE_CHECKING:
    from rirag.service import Service
    from search import DocumentSummary, Hit, SearchResult, SearchTrace

router = APIRouter(include_in_schema=False)

ON_FIRST_PAGE = 8
"""Documents that are listed there; a link leads to all."""

SHOWN = 10
MOST_SHOWN = 100


@router.get("/")
async def home(request: Request, call: Call = visiting()) -> HTMLResponse:
    """Show the question box, and what the index holds."""

    def read(service: Service) -> tuple[Form, Sequence[DocumentSummary]]:
        return with_choices(asked(request), service, call.state), service.documents()

    try:
        form, documents = await call.read(read)
    except IndexUnavailableError:
        form, documents = Form(), ()
    return page(request, "home.html", form=form, documents=documents, shown=ON_FIRST_PAGE)


@router.get("/search")
async def search(request: Request, call: Call = visiting("search")) -> Response:
    """Show the passages that bear on a question."""
    form = to_search(request)
    call.take(form.question)
    count = _count(request.query_params.get("k", ""))
    day = DAY.get()
    question = Asked(
        form.question,
        filters=form.filters,
        as_of=day.get("as_of", ""),
        version=day.get("version", ""),
    )

    def work(service: Service) -> tuple[SearchResult, dict[str, Any]]:
        result = service.search(replace(question.query(count), others=True))
        shown = with_choices(form, service, call.state)
        return result, _view(shown, result, count, service.documents())

    return streamed(request, "search.html", **await call.found(question, work))


def _count(text: str) -> int:
    return min(max(int(text), 1), MOST_SHOWN) if text.isdecimal() and len(text) < 4 else SHOWN


def _view(
    form: Form, result: SearchResult, count: int, documents: Sequence[DocumentSummary]
) -> dict[str, Any]:
    plan, trace = result.plan, result.trace
    doubt = trace.doubt()
    if not doubt and plan.tokens and not trace.candidates["lexical"]:
        doubt = WORDS("search.no_words")
    more = ""
    if count < min(result.total, MOST_SHOWN):
        shown = min(2 * count, MOST_SHOWN)
        more = query_address("/search", form.question, form.filters, k=shown)
    return {
        "form": form,
        "count": len(result.hits),
        "total": result.total,
        "hits": result.hits,
        "match": partial(_match, trace),
        "notes": [*trace.notes, *([doubt] if doubt else [])],
        "plan": plan,
        "trace": trace,
        "facets": _facets(form, result, {one.document_id: one.title for one in documents}),
        "index": index_name(plan.index),
        "more": more,
    }


def _match(trace: SearchTrace, hit: Hit) -> str:
    """Return in one word how near a hit is; probabilities only where they were calibrated here."""
    if hit.scores.number == 1:
        return "named"
    if hit.definition:
        return "defines"
    if hit.relevance is not None and trace.answerable_by == "calibration":
        return "likely" if hit.relevance >= 0.7 else "may" if hit.relevance >= 0.3 else "unlikely"
    return "strong" if hit.score >= 0.7 else "possible" if hit.score >= 0.4 else "weak"


def _facets(form: Form, result: SearchResult, titles: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return documents and kinds of all that was found, with the address of the search that keeps
    to one.
    """
    facets = []
    for name, values in facet_counts(result, ("document_id", "kind")).items():
        shown = []
        for value, number in values.most_common(12):
            active = form.filters.get(name) == [value]
            kept = {one: held for one, held in form.filters.items() if one != name}
            chosen = kept if active else {**kept, name: [value]}
            address = query_address("/search", form.question, chosen)
            label = WORDS(f"kind.{value}") if name == "kind" else titles.get(value) or value
            shown.append({"label": label, "count": number, "address": address, "active": active})
        if len(shown) > 1 or any(one["active"] for one in shown):
            facets.append({"label": WORDS(f"field.{name}"), "entries": shown})
    return facets
