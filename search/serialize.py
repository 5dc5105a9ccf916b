"""The stable JSON forms of what search returns, as `--json` prints them (docs/json.md)."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from search.pipeline import SearchResult
    from search.plan import Plan
    from search.provisions.links.links import Links
    from search.records import DocumentSummary, Hit, Passage, RetrieverScore
    from search.trace import SearchTrace


def result_to_json(result: SearchResult) -> dict[str, Any]:
    """Return a search, its plan with what happened, and its hits, for `rirag search --json`."""
    return {
        "question": result.plan.question,
        "plan": plan_to_json(result.plan, result.trace),
        "hits": [hit_to_json(hit) for hit in result.hits],
    }


def passage_to_json(passage: Passage) -> dict[str, Any]:
    """Return a passage under the names of the corpus format and more."""
    return {
        "id": passage.id,
        "document_id": passage.document_id,
        "passage_id": passage.passage_id,
        "document_title": passage.document_title,
        "breadcrumb": list(passage.breadcrumb),
        "passage": passage.text,
        "kind": passage.kind,
        "parent": passage.parent,
        "metadata": _plain(dict(passage.metadata)),
        "source": passage.source,
    }


def hit_to_json(hit: Hit) -> dict[str, Any]:
    """Return a hit with every score behind it."""
    scores = {
        name: _score_to_json(getattr(hit.scores, name))
        for name in ("lexical", "dense", "document", "votes", "fused", "rerank")
    }
    learned = hit.scores.learned
    scores["learned"] = None if learned is None else asdict(learned)
    scores["number"] = hit.scores.number
    return {
        "rank": hit.rank,
        **passage_to_json(hit.passage),
        "score": hit.score,
        "relevance": hit.relevance,
        "definition": hit.definition,
        "scores": scores,
    }


def plan_to_json(plan: Plan, trace: SearchTrace) -> dict[str, Any]:
    """Return a plan and its trace as plain data."""
    data = asdict(plan) | asdict(trace)
    data["filters"] = dict(plan.filters.fields)
    return {name: _plain(value) for name, value in data.items()}


def links_to_json(links: Links) -> dict[str, Any]:
    """Return what a passage is linked with."""
    return {
        "cites": [
            {
                "text": one.text,
                "relative": one.relative,
                "outside": one.outside,
                "target": None if one.target is None else place_to_json(one.target),
            }
            for one in links.cites
        ],
        "cited_by": [place_to_json(one) for one in links.cited_by],
        "terms": [
            {"term": one.term, "text": one.text, "target": place_to_json(one.passage)}
            for one in links.terms
        ],
        "complete": links.complete,
    }


def place_to_json(passage: Passage) -> dict[str, Any]:
    """Return where a passage is, without its text."""
    return {
        "id": passage.id,
        "document_id": passage.document_id,
        "passage_id": passage.passage_id,
        "document_title": passage.document_title,
    }


def document_to_json(document: DocumentSummary) -> dict[str, Any]:
    """Return one row of `rirag documents list --json`."""
    return {
        "document_id": document.document_id,
        "title": document.title,
        "passages": document.passages,
        "metadata": _plain(dict(document.metadata)),
    }


def _score_to_json(score: RetrieverScore | None) -> Any:
    return None if score is None else score._asdict()


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value
