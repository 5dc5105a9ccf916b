"""The first page and the page of hits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from markupsafe import Markup

from rirag.reports.marking import locate_words
from rirag.server.api.calls import Call
from rirag.server.api.documents import reading, searching
from rirag.server.asking import Asked, index_name
from rirag.server.pages.forms import Form, asked, tidied, with_choices
from rirag.server.pages.passage_text import passage_html
from rirag.server.pages.render import WORDS, page, query_address, rule_address, streamed
from rirag.server.pages.visiting import visiting
from search.errors import IndexUnavailableError
from search.law_in_time import not_in_force

if TYPE_CHECKING:
    from rirag.service import Service
    from search import DocumentSummary, Hit, Plan, SearchResult, SearchTrace

router = APIRouter(include_in_schema=False)

ON_FIRST_PAGE = 8
"""Documents that are listed there; a link leads to all."""

SHOWN = 10
MOST_SHOWN = 100
STEPS = (
    ("lexical", "why.lexical"), ("dense", "why.dense"), ("document", "why.of_document"),
    ("votes", "why.votes"), ("rerank", "why.reranked"),
)  # fmt: skip
"""Scores of a hit and what they are called."""

ALWAYS = ("lexical", "dense")
"""Those of which it is worth knowing that they did not propose the hit."""


@router.get("/")
async def home(request: Request, call: Call = visiting()) -> HTMLResponse:
    """Show the question box, and what the index holds."""

    def read(service: Service) -> tuple[Form, Sequence[DocumentSummary]]:
        return with_choices(asked(request), service, call.state), service.documents()

    try:
        form, documents = await reading(call, read)
    except IndexUnavailableError:
        form, documents = Form(), ()
    return page(request, "home.html", form=form, documents=documents, shown=ON_FIRST_PAGE)


@router.get("/search")
async def search(request: Request, call: Call = visiting("search")) -> Response:
    """Show the passages that bear on a question."""
    form = asked(request)
    if not form.question.strip():
        return RedirectResponse("/", 303)
    if address := tidied(request):
        return RedirectResponse(address, 303)
    call.take(form.question)
    count = _count(request.query_params.get("k", ""))
    form, result = await searching(
        call,
        lambda service: (
            with_choices(form, service, call.state),
            service.search(Asked(form.question, filters=form.filters).query(count)),
        ),
    )
    await call.audit(
        "search", generation=result.plan.generation, hits=len(result.hits),
        **call.state.logged(form.question),
    )  # fmt: skip
    return streamed(request, "search.html", **_view(form, result, count))


def _count(text: str) -> int:
    return min(max(int(text), 1), MOST_SHOWN) if text.isdecimal() and len(text) < 4 else SHOWN


def _view(form: Form, result: SearchResult, count: int) -> dict[str, Any]:
    plan, trace = result.plan, result.trace
    doubt = trace.doubt()
    more = len(result.hits) == count < MOST_SHOWN
    return {
        "form": form,
        "count": len(result.hits),
        "hits": (_shown(hit, result) for hit in result.hits),
        "notes": [*trace.notes, *([doubt] if doubt else [])],
        "plan": _sentences(plan, trace),
        "facets": _facets(form, result.hits),
        "index": {"url": index_name(plan.index), "generation": plan.generation},
        "more": query_address("/search", form.question, form.filters, k=min(2 * count, MOST_SHOWN))
        if more
        else "",
    }


@dataclass(frozen=True, slots=True)
class _ShownHit:
    """A hit as the page shows it."""

    hit: Hit
    address: str
    html: Markup
    match: str
    why: tuple[tuple[str, str], ...]
    note: str


def _shown(hit: Hit, result: SearchResult) -> _ShownHit:
    marks = locate_words(result.plan.tokens, hit.text)
    return _ShownHit(
        hit,
        rule_address(hit.document_id, hit.passage_id),
        passage_html(hit.text, marks, "word"),
        _match(hit, result.trace),
        tuple(_why(hit)),
        not_in_force(hit.passage),
    )


def _match(hit: Hit, trace: SearchTrace) -> str:
    """Return in one word how near a hit is; probabilities only where they were calibrated here."""
    if hit.scores.number == 1:
        return "named"
    if hit.definition:
        return "defines"
    if hit.relevance is not None and trace.answerable_by == "calibration":
        return "likely" if hit.relevance >= 0.7 else "may" if hit.relevance >= 0.3 else "unlikely"
    return "strong" if hit.score >= 0.7 else "possible" if hit.score >= 0.4 else "weak"


def _why(hit: Hit) -> Iterator[tuple[str, str]]:
    for name, label in STEPS:
        score = getattr(hit.scores, name)
        if score is not None:
            yield WORDS(label), WORDS("why.rank", rank=score.rank)
        elif name in ALWAYS:
            yield WORDS(label), WORDS("why.absent")
    yield WORDS("why.final"), f"{hit.score:.3f}"


def _sentences(plan: Plan, trace: SearchTrace) -> Iterator[str]:
    terms = ", ".join(plan.tokens) or WORDS("why.tokens_none")
    yield WORDS("why.question", words=plan.words, tokens=terms)
    yield WORDS(
        "why.alpha",
        lexical=f"{plan.alpha:.0%}",
        dense=f"{1 - plan.alpha:.0%}",
        profile=plan.profile,
    )
    if plan.document_weight:
        yield WORDS("why.document", weight=f"{plan.document_weight:.0%}")
    if plan.filters.fields:
        conditions = [f"{name} = {' or '.join(v)}" for name, v in plan.filters.fields.items()]
        yield WORDS("why.filters", filters="; ".join(conditions))
    found = trace.candidates
    yield WORDS("why.candidates", lexical=found["lexical"], dense=found["dense"])
    if plan.reranker and trace.reranked:
        yield WORDS("why.rerank", name=plan.reranker, count=trace.reranked)
    for rule in trace.numbers:
        yield WORDS("why.numbers", text=rule.describe())
    if trace.answerable is not None:
        yield WORDS("why.answerable", value=f"{trace.answerable:.2f}")
    spent = f"{sum(trace.milliseconds.values()):.0f}"
    yield WORDS("why.time", ms=spent, generation=plan.generation)


def _facets(form: Form, hits: tuple[Hit, ...]) -> list[dict[str, Any]]:
    """Return documents and kinds of the hits, with the address of the search that keeps to one."""
    titles = {hit.document_id: hit.document_title or hit.document_id for hit in hits}
    kinds = {hit.passage.kind: WORDS(f"kind.{hit.passage.kind}") for hit in hits}
    facets = []
    for name, labels, values in (
        ("document_id", titles, Counter(hit.document_id for hit in hits)),
        ("kind", kinds, Counter(str(hit.passage.kind) for hit in hits)),
    ):
        shown = []
        for value, number in values.most_common(12):
            active = form.filters.get(name) == [value]
            kept = {one: held for one, held in form.filters.items() if one != name}
            chosen = kept if active else {**kept, name: [value]}
            address = query_address("/search", form.question, chosen)
            label = labels[value]  # type: ignore[index]
            shown.append({"label": label, "count": number, "address": address, "active": active})
        if len(shown) > 1 or any(one["active"] for one in shown):
            facets.append({"label": WORDS(f"field.{name}"), "entries": shown})
    return facets
