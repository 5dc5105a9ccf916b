"""The JSON forms of what a service returns (docs/json.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from search.serialize import document_to_json, links_to_json, passage_to_json, result_to_json

if TYPE_CHECKING:
    from indexer import Structure
    from rirag.service.query import Answered
    from search import DocumentSummary, Passage, SearchResult
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
    data = result_to_json(result)
    if why is not None:
        data["why"] = why.to_json()
    for hit, found in zip(data["hits"], links, strict=False):
        hit["links"] = links_to_json(found)
    if neighbours is not None:
        for hit in data["hits"]:
            hit["neighbours"] = [passage_to_json(one) for one in neighbours[hit["id"]]]
    return data


def answer_to_json(answered: Answered) -> dict[str, Any]:
    """Return an answer as `rirag ask --json` prints it, with the notes of its search."""
    return {**answered.answer.to_json(), "notes": list(answered.search.trace.notes)}


def shown_to_json(
    document: DocumentSummary, passages: Sequence[Passage], links: Sequence[Links] = ()
) -> dict[str, Any]:
    """Return a document with passages as `rirag documents show --json` prints it."""
    shown = [passage_to_json(passage) for passage in passages]
    for one, found in zip(shown, links, strict=False):
        one["links"] = links_to_json(found)
    return {**document_to_json(document), "passages": shown}


def structure_to_json(structure: Structure) -> list[dict[str, Any]]:
    """Return one record per passage, as `rirag structure --jsonl` prints them."""
    return [
        {
            "DocumentID": passage.document_id,
            "PassageID": passage.passage_id,
            "Passage": passage.text,
            "kind": passage.kind,
            "breadcrumb": list(passage.breadcrumb),
            "source": passage.source,
        }
        for passage in structure.passages()
    ]
