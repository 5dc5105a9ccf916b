"""Copying an embedded index into a server, and the same bodies through the library alone."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np

import search
from indexer.load.documents import records_of
from indexer.load.encoding import vector_hash
from search.engines import locate
from search.engines.embedded import EmbeddedEngine
from search.engines.servers import ServerAddress, ServerOptions
from search.engines.servers.connection import connect
from search.engines.servers.connection.address import new_generation
from search.engines.servers.connection.client import Client
from search.engines.servers.indexing.actions import Actions
from search.engines.servers.indexing.current import Change
from search.engines.servers.manifest import Manifest
from search.engines.servers.mapping import document_index_body, passage_index_body
from search.engines.staging import Staging
from search.engines.stored_rows import Record
from search.errors import InputError
from search.records import DocumentSummary, Filters

BULK_SHARE = 0.9
VECTORS_AT_ONCE = 4096


@dataclass(frozen=True, slots=True)
class Loaded:
    """What one load cost."""

    passages: int
    bytes: int
    seconds: float
    bulk_per_second: float
    """Passages a second between the first and the last that the server acknowledged."""

    @property
    def per_second(self) -> float:
        """Passages a second, from the first vector to the published index."""
        return self.passages / self.seconds


def copy_index(embedded: search.Index, url: str) -> Loaded:
    """Load all passages with their vectors into a server, as `rirag ingest` would.

    The texts are analysed and the vectors read before the clock starts.
    """
    engine = _embedded(embedded)
    documents = [_records(engine, one) for one in engine.documents()]
    hashes = list(dict.fromkeys(r.vector_hash for d in documents for r in d if r.vector_hash))
    vectors = np.stack([_vector(engine, name) for name in hashes])
    told: list[tuple[int, float]] = []
    started = time.perf_counter()
    loading = locate(url).load(url, embedded.describe().encoder, rebuild=True)
    with loading as load, Staging.opened() as staging:
        for first in range(0, len(hashes), VECTORS_AT_ONCE):
            part = slice(first, first + VECTORS_AT_ONCE)
            load.add_vectors(hashes[part], vectors[part])
        for records in documents:
            staging.put(records[0].passage.document_id, "copied", records)
        about = load.commit(staging, lambda _, done, __: told.append((done, time.perf_counter())))
    seconds = time.perf_counter() - started
    (first, begun), (last, ended) = told[0], told[-1]
    return Loaded(about.passages, about.size_bytes, seconds, (last - first) / (ended - begun))


def raw_bulk(embedded: search.Index, url: str) -> float:
    """Send the bodies of the load with the library's `streaming_bulk`; return passages a second.

    The documents are made before the clock starts; the library turns them into JSON, as it does
    for everybody, and sends one request after the other.
    """
    with closing(connect(url, ServerOptions.from_environment())) as client:
        name, stamp = client.address.name, new_generation()
        passages, documents = f"{name}-raw-{stamp}", f"{name}-raw-documents-{stamp}"
        bodies = _bodies(_embedded(embedded), client, documents)
        made = passage_index_body(client, _manifest(_embedded(embedded)))
        client.request("PUT", f"/{passages}", made)
        client.request("PUT", f"/{documents}", document_index_body(client.options))
        actions = [{"_index": passages, **one} for one in bodies]
        started = time.perf_counter()
        taken = sum(ok for ok, _ in _library_bulk(client.address, actions))
        seconds = time.perf_counter() - started
        client.request("DELETE", f"/{passages},{documents}")
    if taken != len(actions):
        raise InputError(f"{url} took {taken:,} of {len(actions):,} passages and documents")
    return embedded.describe().passages / seconds


def stored_vectors(embedded: search.Index) -> tuple[list[str], np.ndarray]:
    """Return the IDs of all passages with text, and their vectors, shape (passages, dimension)."""
    engine = _embedded(embedded)
    passages = [p for _, p in engine.find(Filters()) if p.text.strip()]
    return [p.id for p in passages], np.stack([_vector(engine, vector_hash(p)) for p in passages])


def drop(url: str) -> None:
    """Delete an index with all of its generations."""
    with closing(connect(url, ServerOptions.from_environment())) as client:
        for name in client.request("GET", f"/{client.address.name}-*/_alias"):
            client.request("DELETE", f"/{name}")


def _library_bulk(address: ServerAddress, actions: list[dict[str, Any]]) -> Any:
    """Return the library's own stream, with the library's own settings."""
    if address.product == "elasticsearch":
        from elasticsearch import Elasticsearch
        from elasticsearch.helpers import streaming_bulk

        return streaming_bulk(Elasticsearch(address.node, request_timeout=120), actions)
    from opensearchpy import OpenSearch
    from opensearchpy.helpers import streaming_bulk

    return streaming_bulk(OpenSearch(address.node, timeout=120), actions)


def _bodies(engine: EmbeddedEngine, client: Client, documents: str) -> list[Mapping[str, Any]]:
    """Return every bulk action of a load of the whole index."""
    with Staging.opened() as staging:
        for document in engine.documents():
            staging.put(document.document_id, "copied", _records(engine, document))
        actions = Actions(
            Change.of((), staging.hashes(), staging.counts(), frozenset()),
            documents,
            lambda hashes: {name: _vector(engine, name) for name in hashes},
            client.vector_value,
        )
        return list(actions.given(staging))


def _manifest(engine: EmbeddedEngine) -> Manifest:
    encoder = engine.describe().encoder
    return Manifest(
        generation=new_generation(),
        encoder_name=encoder.name,
        encoder_dimension=encoder.dimension,
        encoder_revision=encoder.revision,
        exact=True,
    )


def _records(engine: EmbeddedEngine, document: DocumentSummary) -> list[Record]:
    found = engine.find(Filters({"document_id": (document.document_id,)}))
    return list(records_of(passage for _, passage in found))


def _vector(engine: EmbeddedEngine, name: str) -> np.ndarray:
    """Return a stored vector at length 1 again: it was rounded to half precision."""
    vector = engine.stored_vector(name)
    if vector is None:
        raise InputError(f"the index lacks the vector {name}; ingest it again")
    whole = vector.astype(np.float32)
    unit: np.ndarray = whole / np.linalg.norm(whole)
    return unit


def _embedded(index: search.Index) -> EmbeddedEngine:
    engine = index.pipeline.engine
    if not isinstance(engine, EmbeddedEngine):
        raise InputError(f"{index.url} is no folder; the first index must be an embedded one")
    return engine
