"""Whether the server still holds what was loaded."""

from __future__ import annotations

from collections.abc import Iterator

from search.engines.servers.connection.client import Body, Client
from search.engines.servers.generations.stored import Generation
from search.engines.servers.searching import queries
from search.engines.servers.searching.reading import document_counts, in_order, search
from search.messages.refusals import on_index

PAGE = 10_000


def problems(client: Client, generation: Generation, url: str) -> list[str]:
    """Return one sentence for everything that is missing or too much."""
    back = on_index("rirag reindex --rollback", url)
    mend = f"restore a snapshot, load into another index, or go back with: {back}"
    return [f"{what}; {mend}" for what in _wrong(client, generation)]


def _wrong(client: Client, generation: Generation) -> Iterator[str]:
    manifest = generation.manifest
    vectors: Body = {"exists": {"field": "vector"}}
    counts = [
        ("passages", manifest.passages, _count(client, generation.passages)),
        ("documents", manifest.documents, _count(client, generation.documents)),
        (
            "vectors",
            manifest.passages - manifest.empty_passages,
            _count(client, generation.passages, vectors),
        ),
    ]
    for name, wanted, found in counts:
        if wanted != found:
            held = f"{wanted:,} {name} and holds {found:,}"
            yield f"the index {generation.passages} should hold {held}"
    yield from _incomplete_documents(client, generation)


def _count(client: Client, index: str, query: Body | None = None) -> int:
    body = {"query": query or {"match_all": {}}}
    return int(client.request("POST", f"/{index}/_count", body)["count"])


def _incomplete_documents(client: Client, generation: Generation) -> Iterator[str]:
    found = _passages_a_document(client, generation)
    fields = ("row", "document_id", "passages")
    for page in in_order(client, generation.documents, fields):
        for document in page:
            here = found.pop(document["row"], 0)
            if here != document["passages"]:
                yield (
                    f"the document {document['document_id']!r} should have "
                    f"{document['passages']:,} passages and has {here:,}"
                )
    if found:
        yield f"{sum(found.values()):,} passages belong to no document"


def _passages_a_document(client: Client, generation: Generation) -> dict[int, int]:
    counts: dict[int, int] = {}
    after: int | None = None
    while True:
        body = queries.documents_of([], PAGE, after)
        page, after = document_counts(search(client, generation.passages, body))
        counts |= page
        if after is None:
            return counts
