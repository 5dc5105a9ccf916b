"""`POST /v1/search`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Body

from rirag.server.api.calls import Call, responses, scoped
from rirag.server.api.documents import searching
from rirag.server.asking import Asked
from rirag.server.schemas import SearchRequest, SearchResponse
from rirag.server.strict import JsonResponse, StrictRoute

if TYPE_CHECKING:
    from rirag.service import Service

router = APIRouter(prefix="/v1", route_class=StrictRoute, tags=["Search"])


@router.post("/search", responses=responses(200, SearchResponse, "The hits, best first."))
async def search(
    body: Annotated[SearchRequest, Body()], call: Call = scoped("search")
) -> JsonResponse:
    """Find the passages that bear on a question."""
    call.take(body.question, body.profile)
    found = await searching(call, lambda service: searched(service, body))
    await call.audit(
        "search", generation=found["plan"]["generation"], hits=len(found["hits"]),
        **call.state.logged(body.question),
    )  # fmt: skip
    return JsonResponse(found)


def searched(service: Service, body: SearchRequest) -> dict[str, Any]:
    """Return what `rirag search --json` prints."""
    from rirag.service.json_forms import search_to_json

    asked = Asked(
        body.question, filters=body.filters, profile=body.profile, search_help=body.search_help
    )
    result = service.search(asked.query(body.k))
    around = (
        {hit.id: service.neighbours(hit.passage, body.neighbours) for hit in result.hits}
        if body.neighbours
        else None
    )
    links = service.links([hit.passage for hit in result.hits]) if body.explain else ()
    return search_to_json(result, around, links)
