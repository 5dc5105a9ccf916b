"""The indices of a generation, as the dicts that create them."""

from __future__ import annotations

import pytest
from fault_support import unconnected

from search.engines.servers.connection.client import Client
from search.engines.servers.connection.options import ServerOptions
from search.engines.servers.manifest import Manifest
from search.engines.servers.mapping import (
    document_index_body,
    passage_index_body,
    replica_settings,
)


@pytest.fixture(params=["elasticsearch", "opensearch"])
def client(request: pytest.FixtureRequest) -> Client:
    return unconnected(request.param)


def manifest(exact: bool = True) -> Manifest:
    return Manifest(
        generation="20260101t000000000000z", encoder_name="e", encoder_dimension=8,
        encoder_revision="1", exact=exact,
    )  # fmt: skip


def test_unknown_fields_are_refused_and_the_manifest_is_in_the_mapping(client: Client) -> None:
    mappings = passage_index_body(client, manifest())["mappings"]
    assert mappings["dynamic"] == "strict"
    assert mappings["_meta"] == manifest().meta()


def test_passages_are_found_by_words_exact_terms_and_dates(client: Client) -> None:
    fields = passage_index_body(client, manifest())["mappings"]["properties"]
    assert fields["searched"] == {"type": "text", "analyzer": "whitespace"}
    assert fields["text"] == {"type": "text", "index": False}
    for name in ("id", "document_id", "passage_id", "ancestors", "facets", "numbers", "topic"):
        assert fields[name]["type"] == "keyword", name
    assert fields["effective_from"] == {"type": "date", "ignore_malformed": True}
    assert fields["metadata"] == {"type": "object", "enabled": False}


def test_ties_are_in_the_order_of_rows_because_the_index_is_sorted_by_them(
    client: Client,
) -> None:
    for body in (
        passage_index_body(client, manifest()),
        document_index_body(ServerOptions()),
    ):
        assert body["settings"]["index"]["sort.field"] == "row"
        assert body["settings"]["index"]["sort.order"] == "asc"


def test_whole_documents_are_searched_by_words_and_not_kept() -> None:
    mappings = document_index_body(ServerOptions())["mappings"]
    assert mappings["properties"]["text"]["analyzer"] == "whitespace"
    assert mappings["_source"] == {"excludes": ["text"]}


@pytest.mark.parametrize(
    ("exact", "dimension", "kept_as"),
    [(True, 8, "flat"), (True, 768, "flat"), (False, 383, "int8_hnsw"), (False, 384, "bbq_hnsw")],
)
def test_elasticsearch_compares_small_indices_and_quantises_large_ones(
    exact: bool, dimension: int, kept_as: str
) -> None:
    made = manifest(exact).model_copy(update={"encoder_dimension": dimension})
    mappings = passage_index_body(unconnected("elasticsearch"), made)["mappings"]
    assert mappings["properties"]["vector"] == {
        "type": "dense_vector", "dims": dimension, "index": True, "similarity": "cosine",
        "index_options": {"type": kept_as},
    }  # fmt: skip


def test_opensearch_never_leaves_the_choice_of_the_library_to_the_server() -> None:
    client = unconnected("opensearch")
    exact, graph = (passage_index_body(client, manifest(exact)) for exact in (True, False))
    assert exact["mappings"]["properties"]["vector"] == {"type": "knn_vector", "dimension": 8}
    assert "knn" not in exact["settings"]["index"]
    assert graph["settings"]["index"]["knn"] is True
    method = graph["mappings"]["properties"]["vector"]["method"]
    assert method == {"name": "hnsw", "engine": "lucene", "space_type": "cosinesimil"}


AUTOMATIC = {"auto_expand_replicas": "0-1", "number_of_replicas": "0", "number_of_shards": "1"}
BY_HAND = {"number_of_replicas": "2", "number_of_shards": "4"}


@pytest.mark.parametrize(
    ("options", "replaced", "copies", "shards"),
    [
        (ServerOptions(), {}, {"auto_expand_replicas": "0-1"}, 1),
        (ServerOptions(), AUTOMATIC, {"auto_expand_replicas": "0-1", "number_of_replicas": "0"}, 1),
        (ServerOptions(), BY_HAND, {"number_of_replicas": "2"}, 4),
        (ServerOptions(replicas=2), {},
         {"auto_expand_replicas": "false", "number_of_replicas": 2}, 1),
        (ServerOptions(replicas=0, shards=3), BY_HAND,
         {"auto_expand_replicas": "false", "number_of_replicas": 0}, 3),
    ],
)  # fmt: skip
def test_shards_and_copies_follow_the_options_and_else_what_was_there(
    options: ServerOptions, replaced: dict[str, str], copies: dict[str, object], shards: int
) -> None:
    assert replica_settings(options, replaced) == copies
    index = document_index_body(options, replaced)["settings"]["index"]
    assert index["number_of_shards"] == shards and copies.items() <= index.items()
