"""The bodies of searches, pure functions of the question, and searches that read page by page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from search.engines.servers.connection.client import Body, Client
from search.engines.servers.records import facet, passage_key
from search.messages.refusals import unknown_filter_field
from search.records import Filters

MAX_QUERY_TERMS = 1000
"""Distinct words of a question that are searched: OpenSearch refuses more than 1,024 clauses, and
filters are clauses too."""
MAX_TERMS = 65_536
"""Values of one `terms` clause that both servers take."""
MAX_BUCKETS = 10_000
"""Buckets of an aggregation that are asked for: both servers stop at 65,536."""
PAGE = 1000
"""Documents of one answer: 1,000 passages of regulation are some 2 MB."""
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


def counts_of(field: str, terms: Sequence[str], filters: Sequence[Body]) -> dict[str, Any]:
    """Return a search that counts those that have each term: of all, and of what meets filters."""
    having = {"filters": {"filters": [{"term": {field: one}} for one in terms]}}
    met = {"having": having, "words": {"sum": {"field": "words"}}}
    return {
        "query": {"exists": {"field": field}},
        "size": 0,
        "aggs": {"having": having, "met": {"filter": _meeting(filters), "aggs": met}},
        "track_total_hits": True,
    }


def words_query(
    tokens: Iterable[str] | Mapping[str, float], filters: Sequence[Body], field: str
) -> dict[str, Any]:
    """Return BM25 over the analysed words of a field: one that occurs n times counts n times.

    Only the first `MAX_QUERY_TERMS` distinct words count. Tokens may come with their weights.
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
    body = {
        "query": _meeting(filters),
        "sort": [{"row": "asc"}],
        "size": limit,
        "_source": {"includes": list(fields)},
        "track_total_hits": False,
    }
    return body if after is None else {**body, "search_after": [after]}


def all_in_order(
    client: Client,
    index: str,
    fields: Sequence[str],
    filters: Sequence[Body] = (),
    *,
    limit: int | None = None,
    page: int | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield what meets filters, in the order of the index, however much it is.

    Args:
        client: of the server.
        index: of passages or of whole documents.
        fields: what is read of each; `row` must be among them.
        filters: clauses that all must hold.
        limit: how many at most; None: all.
        page: how many in an answer; None: `PAGE`.
    """
    left, after, page = limit, None, page or PAGE
    while left is None or left > 0:
        size = page if left is None else min(left, page)
        body = in_order(filters, size, fields, after)
        found = [hit["_source"] for hit in client.search(index, body)["hits"]["hits"]]
        yield from found
        if len(found) < size:
            return
        after = found[-1]["row"]
        left = None if left is None else left - size


def values_of(field: str) -> dict[str, Any]:
    """Return a search for the different values that passages have in a field."""
    values = {"field": "facets", "include": f"{facet(field, '')}.*", "size": MAX_BUCKETS}
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
        "query": _meeting(filters),
        "size": 0,
        "aggs": {"documents": {"composite": pages}},
        "track_total_hits": False,
    }


def passages_a_document(
    ask: Callable[[Body], dict[str, Any]], filters: Sequence[Body] = ()
) -> dict[int, int]:
    """Return position → passages that meet filters; `ask` sends the searches."""
    counts: dict[int, int] = {}
    after: int | None = None
    while True:
        found = ask(documents_of(filters, MAX_BUCKETS, after))["aggregations"]["documents"]
        counts |= {int(one["key"]["document"]): int(one["doc_count"]) for one in found["buckets"]}
        if not found.get("after_key"):
            return counts
        after = int(found["after_key"]["document"])


def _meeting(filters: Sequence[Body]) -> Body:
    return {"bool": {"filter": list(filters)}} if filters else {"match_all": {}}
