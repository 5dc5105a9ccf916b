"""The bodies of searches: pure functions of the question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from search.engines.servers.connection.client import Body
from search.engines.servers.records import facet, passage_key
from search.messages.refusals import unknown_filter_field
from search.records import Filters

MAX_QUERY_TERMS = 1000
"""Distinct words of a question that are searched: OpenSearch refuses more than 1,024 clauses, and
filters are clauses too."""
MAX_TERMS = 65_536
"""Values of one `terms` clause that both servers take."""
MAX_VALUES = 10_000
"""Values of a field that are listed: the servers' limit on all buckets of a search is 65,536."""
PASSAGE_FIELDS = (
    "row", "id", "document_id", "passage_id", "text", "original", "document_title", "kind",
    "order", "depth", "parent", "breadcrumb", "source", "metadata",
)  # fmt: skip
"""What is fetched of a passage: `row`, and what `records.passage_of` reads."""
DOCUMENT_FIELDS = ("row", "document_id", "title", "passages", "metadata")


def header(index: str) -> Body:
    """Return the first line of a search within an `_msearch`.

    BM25 takes its counts from all shards, so that a passage's score does not depend on its shard.
    """
    return {
        "index": index,
        "allow_partial_search_results": False,
        "search_type": "dfs_query_then_fetch",
    }


def best_hits(query: Body, limit: int, fields: Sequence[str]) -> dict[str, Any]:
    """Return a search that gives score and a few numbers of each hit, and reads nothing else.

    Hits are sorted by the score and, where it ties, by these numbers, because what is sorted by
    comes along in the shortest form: one list a hit.

    Args:
        query: the part of the body that finds.
        limit: how many hits.
        fields: numeric fields of each hit; `row` first, for ties in the order of the index.
    """
    return {
        **query,
        "size": limit,
        "_source": False,
        "stored_fields": "_none_",
        "sort": ["_score", *({name: "asc"} for name in fields)],
        "track_total_hits": False,
    }


def reading_ahead(count: int) -> dict[str, Any]:
    """Return the part of a search body that also gives the passages of its best hits."""
    best = {"size": count, "_source": {"includes": list(PASSAGE_FIELDS)}}
    return {"aggs": {"best": {"top_hits": best}}}


def words_query(tokens: Iterable[str], filters: Sequence[Body], field: str) -> dict[str, Any]:
    """Return BM25 over the analysed words of a field: one that occurs n times counts n times.

    Only the first `MAX_QUERY_TERMS` distinct words count.
    """
    clauses = [
        {"term": {field: {"value": word, "boost": count}}}
        for word, count in list(Counter(tokens).items())[:MAX_QUERY_TERMS]
    ]
    scored: dict[str, Any] = {"should": clauses, "minimum_should_match": 1}
    return {"query": {"bool": {**scored, "filter": list(filters)} if filters else scored}}


def filter_clauses(filters: Filters, known: Sequence[str]) -> list[Body]:
    """Return a clause a condition; a passage must meet every one.

    Raises:
        InputError: a field is neither a lookup nor in `known`.
    """
    conditions = [_clause(field, values, known) for field, values in filters.fields.items()]
    excluded = [_clause(field, values, known) for field, values in filters.excluded.items()]
    return [*conditions, *({"bool": {"must_not": [one]}} for one in excluded)]


def _clause(field: str, values: Sequence[str], known: Sequence[str]) -> Body:
    if field == "id":
        return any_of("_id", [passage_key(value) for value in values])
    if field == "parent":
        return any_of("key_of_parent", [passage_key(value) for value in values])
    if field == "number":
        return any_of("numbers", values)
    if field not in known:
        raise unknown_filter_field(field, known)
    return any_of("facets", [facet(field, value) for value in values])


def document_clause(document_ids: Sequence[str]) -> Body:
    """Return the condition on the index of whole documents that it is one of these."""
    return any_of("key", [facet("document_id", value) for value in document_ids])


def any_of(field: str, values: Sequence[str] | Sequence[int]) -> Body:
    """Return the clause that a field has one of the values; of none, it has none."""
    parts = [
        {"terms": {field: list(values[start : start + MAX_TERMS])}}
        for start in range(0, len(values), MAX_TERMS)
    ]
    if not parts:
        return {"match_none": {}}
    return parts[0] if len(parts) == 1 else {"bool": {"should": parts, "minimum_should_match": 1}}


def in_order(
    filters: Sequence[Body], limit: int, fields: Sequence[str], after: int | None = None
) -> dict[str, Any]:
    """Return a search for what meets filters, in the order of the index.

    Args:
        filters: clauses that all must hold.
        limit: how many at most.
        fields: what is read of each.
        after: the row to continue behind; None: from the beginning.
    """
    body: dict[str, Any] = {
        "query": {"bool": {"filter": list(filters)}} if filters else {"match_all": {}},
        "sort": [{"row": "asc"}],
        "size": limit,
        "_source": {"includes": list(fields)},
        "track_total_hits": False,
    }
    return body if after is None else {**body, "search_after": [after]}


def values_of(field: str) -> dict[str, Any]:
    """Return a search for the different values that passages have in a field."""
    values = {"field": "facets", "include": f"{facet(field, '')}.*", "size": MAX_VALUES}
    return {"size": 0, "aggs": {"values": {"terms": values}}, "track_total_hits": False}


def by_rows(rows: Sequence[int]) -> dict[str, Any]:
    """Return a search for the passages of rows."""
    return {
        "query": {"bool": {"filter": [any_of("row", rows)]}},
        "size": len(rows),
        "_source": {"includes": list(PASSAGE_FIELDS)},
        "track_total_hits": False,
    }


def documents_of(filters: Sequence[Body], limit: int, after: int | None) -> dict[str, Any]:
    """Return a search for the documents that have passages which meet filters, and how many each.

    Args:
        filters: clauses on passages.
        limit: how many documents at most.
        after: the last document of the page before; None: the first page.
    """
    pages: dict[str, Any] = {
        "size": limit,
        "sources": [{"document": {"terms": {"field": "document"}}}],
    }
    if after is not None:
        pages["after"] = {"document": after}
    return {
        "query": {"bool": {"filter": list(filters)}} if filters else {"match_all": {}},
        "size": 0,
        "aggs": {"documents": {"composite": pages}},
        "track_total_hits": False,
    }
