"""The JSON of a search with what is asked for besides its hits (docs/json.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from search.json_form import to_json

if TYPE_CHECKING:
    from search import Passage, SearchResult
    from search.provisions.links.links import Links
    from search.why import Why


def search_to_json(
    result: SearchResult,
    neighbours: Mapping[str, Sequence[Passage]] | None = None,
    links: Sequence[Links] = (),
    why: Why | None = None,
) -> dict[str, Any]:
    """Return a search as `rirag search --json` prints it.

    Args:
        result: of a search.
        neighbours: `ID` of each hit → the passages around it; None: they were not asked for.
        links: of each hit; empty: they were not asked for.
        why: of the passage that was asked about; None: none was.
    """
    data = result.to_json()
    if why is not None:
        data["why"] = why.to_json()
    for hit, found in zip(data["hits"], links, strict=False):
        hit["links"] = found.to_json()
    if neighbours is not None:
        for hit in data["hits"]:
            hit["neighbours"] = to_json(neighbours[hit["id"]])
    return data
