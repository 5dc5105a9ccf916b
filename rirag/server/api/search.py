"""`POST /v1/search`, for one question or several, and `POST /v1/verify`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Body

from rirag.server.api.calls import Call, responses, scoped
from rirag.server.api.documents import encoded, place_of
from rirag.server.asking import Asked
from rirag.server.problems import refusal, told
from rirag.server.schemas import (
    BatchRequest,
    BatchResponse,
    SearchRequest,
    SearchResponse,
    VerificationResponse,
    VerifyRequest,
)
from rirag.server.streaming import unless_left
from rirag.server.strict import JsonResponse, StrictRoute, with_urls
from search.engines.stored_rows import facets_of
from search.law_in_time import as_of, shown_fields
from search.messages.refusals import unknown_filter_field

if TYPE_CHECKING:
    from rirag.service import Service
    from search import SearchResult

router = APIRouter(prefix="/v1", route_class=StrictRoute, tags=["Search"])


@router.post("/search", responses=responses(200, SearchResponse, "The hits, best first."))
async def search(
    body: Annotated[SearchRequest, Body()], call: Call = scoped("search")
) -> JsonResponse:
    """Find the passages that bear on a question.

    `next` of a response is the `cursor` of the next page; all else must be sent as before.
    """
    return JsonResponse(await _found(call, body))


@router.post(
    "/search/batch", responses=responses(200, BatchResponse, "A result for each search, in order.")
)
async def search_batch(
    body: Annotated[BatchRequest, Body()], call: Call = scoped("search")
) -> JsonResponse:
    """Search for several questions, one after the other; each counts as a request of the key.

    A search that is refused has a problem as its result, and the others go on.
    """

    async def result(place: int) -> dict[str, Any]:
        try:
            if place and call.caller.key is not None:
                call.state.gate.rates.take(call.caller.key)
            return await _found(call, body.searches[place])
        except Exception as error:
            problem = told(error, "search failed", request_id=call.request_id)
            return problem.to_json("/v1/search/batch")

    async def results() -> list[dict[str, Any]]:
        return [await result(place) for place in range(len(body.searches))]

    seconds = call.state.options.limits.request_seconds
    found = await call.within(seconds, unless_left(call.request, results()))
    return JsonResponse({"results": found})


async def _found(call: Call, body: SearchRequest) -> dict[str, Any]:
    call.take(body.question, body.profile)
    names = ("question", "filters", "profile", "search_help", "as_of", "version")
    asked = Asked(**{name: getattr(body, name) for name in names})
    day = asked.query().day

    def on_its_day(service: Service) -> tuple[SearchResult, dict[str, Any]]:
        with as_of(day):
            return searched(service, asked, body)

    found = await call.found(asked, on_its_day)
    return with_urls(found)  # type: ignore[no-any-return]


def searched(
    service: Service, asked: Asked, body: SearchRequest
) -> tuple[SearchResult, dict[str, Any]]:
    """Return a search, and what `rirag search --json` prints of it, with what the page adds."""
    from rirag.service.query import search_to_json

    known = service.describe().filter_fields
    for name in body.facets:
        if name not in known:
            raise unknown_filter_field(name, shown_fields(known))
    first = place_of(body.cursor) or 0
    result = service.search(replace(asked.query(first + body.k), others=bool(body.facets)))
    shown = replace(result, hits=result.hits[first:])
    around = (
        {hit.id: service.neighbours(hit.passage, body.neighbours) for hit in shown}
        if body.neighbours
        else None
    )
    links = service.links([hit.passage for hit in shown]) if body.explain else ()
    data = search_to_json(shown, around, links)
    is_last = len(result.hits) >= result.total
    data["next"] = None if is_last else encoded(str(len(result.hits)))
    if body.facets:
        counts = facet_counts(result, body.facets)
        data["facets"] = {
            name: [{"value": value, "count": count} for value, count in one.most_common()]
            for name, one in counts.items()
        }
    return result, data


def facet_counts(result: SearchResult, fields: Sequence[str]) -> dict[str, Counter[str]]:
    """Return filter field → value → how many of all passages that a search found have it."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in fields}
    for passage in (*(hit.passage for hit in result), *result.others):
        for name, value in facets_of(passage):
            if name in counts:
                counts[name][value] += 1
    return counts


@router.post(
    "/verify", tags=["Answers"],
    responses=responses(200, VerificationResponse, "The verdict on each statement."),
)  # fmt: skip
async def verify(
    body: Annotated[VerifyRequest, Body()], call: Call = scoped("ask")
) -> JsonResponse:
    """Check each statement of an answer against the passages that it cites."""
    answer = body.model_dump()
    work = call.search(lambda service: verified(service, answer))
    return JsonResponse(await unless_left(call.request, work))


def verified(service: Service, answer: dict[str, Any]) -> dict[str, Any]:
    """Return what `rirag verify --json` prints of an answer that holds its passages."""
    from rirag.inputs.answer_records import answer_of

    try:
        record = answer_of(answer, Path("answer"), 1)
    except ValueError as error:
        raise refusal("request.invalid", why=error) from None
    lacking = [one.id for one in record.cited if one.text is None]
    if lacking:  # such as a definition that was cited and not retrieved
        held = {one.id: one.text for one in service.passages({"id": lacking})}
        cited = (replace(one, text=one.text or held.get(one.id)) for one in record.cited)
        record = replace(record, cited=tuple(cited))
    return service.verify(record).to_json()
