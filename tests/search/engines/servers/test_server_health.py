"""The health of an index in plain words, and the shards and copies that its loads keep or set."""

from __future__ import annotations

from typing import Any

import pytest
from engine_samples import IndexUnderTest, put, texts
from server_processes import TestServer

from search.engines.servers import ServerBackend, ServerOptions
from search.engines.servers.backend import health_of


def answer(status: str, nodes: int, missing: int = 0, copies: int = 0) -> dict[str, Any]:
    return {
        "status": status, "number_of_data_nodes": nodes, "active_shards": 4,
        "unassigned_shards": missing, "initializing_shards": 0,
        "indices": {"a": {"number_of_replicas": 0}, "b": {"number_of_replicas": copies}},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("given", "detail", "mend"),
    [
        (answer("green", 1), "all 4 shards are on 1 data node", ""),
        (answer("yellow", 1, 2, 1), "2 of 6 shards are unassigned on 1 data node; these are copies",
         "Each shard has 1 copy, which needs 2 nodes: set RIRAG_SERVER_REPLICAS=0 and load again"),
        (answer("yellow", 2, 4, 2), "4 of 8 shards are unassigned on 2 data nodes",
         "Each shard has 2 copies, which needs 3 nodes: set RIRAG_SERVER_REPLICAS=1"),
        (answer("yellow", 3, 1, 1), "these are copies", "Wait until the copies are made."),
        (answer("red", 1, 1), "1 of 5 shards are unassigned on 1 data node; some passages cannot",
         "Start the nodes that left, or restore a snapshot."),
    ],
)  # fmt: skip
def test_the_health_says_what_is_missing_and_what_to_do(
    given: dict[str, Any], detail: str, mend: str
) -> None:
    found = health_of(given)
    assert found is not None
    assert found.status == given["status"] and detail in found.detail
    assert found.mend.startswith(mend) and bool(found.mend) == bool(mend)


def test_an_index_that_is_not_there_has_no_health() -> None:
    assert health_of({**answer("green", 1), "indices": {}}) is None


def at(url: str, **options: int) -> IndexUnderTest:
    return IndexUnderTest(ServerBackend(ServerOptions(**options)), url)


def sizes(server: TestServer, name: str) -> list[tuple[str, str]]:
    """Shards and copies of every index, oldest generation first."""
    found = server.call("GET", f"/{name}-*/_settings")
    oldest_first = sorted(found, key=lambda index: index.rpartition("-")[2])
    settings = [found[index]["settings"]["index"] for index in oldest_first]
    return [(one["number_of_shards"], one["number_of_replicas"]) for one in settings]


def test_only_an_option_changes_the_shards_and_copies_of_an_index(
    server: TestServer, index_url: str, fresh_name: str
) -> None:
    at(index_url).write(texts("A", "one"))
    assert sizes(server, fresh_name) == [("1", "0")] * 2
    at(index_url, replicas=1).write(texts("B", "two"))  # a clone of what expands by itself
    assert sizes(server, fresh_name) == [("1", "1")] * 4  # the generation before, too
    at(index_url).write(texts("C", "three"))
    assert sizes(server, fresh_name) == [("1", "1")] * 6
    for index in (at(index_url, shards=2), at(index_url)):
        with index.begin(rebuild=True) as load:
            put(load, texts("A", "uno"))
            load.commit()
    assert sizes(server, fresh_name)[-4:] == [("2", "1")] * 4


def test_the_health_of_an_index_follows_its_copies(server: TestServer, index_url: str) -> None:
    backend = ServerBackend(ServerOptions(replicas=1))
    assert backend.health(index_url) is None
    at(index_url, replicas=1).write(texts("A", "one"))
    found = backend.health(index_url)
    assert found is not None and found.status == "yellow"
    assert "set RIRAG_SERVER_REPLICAS=0 and load again" in found.mend
    with at(index_url, replicas=0).begin():
        pass  # a load that changes nothing
    found = backend.health(index_url)
    assert found is not None and found.status == "green"
