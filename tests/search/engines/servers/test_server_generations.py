"""Generations on real servers: what a load leaves, what it removes, and the way back."""

from __future__ import annotations

from typing import Any

import pytest
from engine_samples import HashedWords, IndexUnderTest, put, texts
from server_processes import TestServer

import indexer
from search.engines.servers import ServerBackend, ServerOptions, generations
from search.engines.servers.connection.faults import TooLateError
from search.errors import IndexBusyError, IndexUnavailableError, InputError, RiragError

DEAD = "20200101t000000000000z"


def at(url: str, **options: float) -> IndexUnderTest:
    chosen = ServerOptions(**options)
    return IndexUnderTest(ServerBackend(chosen), url)


@pytest.fixture
def index(index_url: str) -> IndexUnderTest:
    return at(index_url)


def stamps(server: TestServer, name: str) -> set[str]:
    """Time stamps of all generations on the server."""
    return {one.rpartition("-")[2] for one in server.indices(name) if one.endswith("z")}


def words(index: IndexUnderTest) -> list[str]:
    return [passage.text for passage in index.content()]


def test_a_load_leaves_two_write_blocked_indices_behind_two_aliases(
    server: TestServer, index: IndexUnderTest, fresh_name: str
) -> None:
    stamp = index.write(texts("A", "one")).generation
    assert server.indices(fresh_name) == {
        f"{fresh_name}-{stamp}": [fresh_name],
        f"{fresh_name}-documents-{stamp}": [f"{fresh_name}-documents"],
    }
    settings = server.call("GET", f"/{fresh_name}*/_settings")
    assert {one["settings"]["index"]["blocks"]["write"] for one in settings.values()} == {"true"}


def test_the_generation_before_stays_and_older_ones_go(
    server: TestServer, index_url: str, fresh_name: str
) -> None:
    index = at(index_url, keep_minutes=0)
    made = [index.write(texts("A", f"version {i}")).generation for i in range(3)]
    assert stamps(server, fresh_name) == set(made[1:])


def test_what_may_be_open_somewhere_stays(
    server: TestServer, index: IndexUnderTest, fresh_name: str
) -> None:
    made = {index.write(texts("A", f"version {i}")).generation for i in range(3)}
    assert stamps(server, fresh_name) == made


def test_rollback_goes_back_to_the_state_before(index: IndexUnderTest) -> None:
    first = index.write(texts("A", "first"))
    index.write(texts("A", "second"))
    assert index.backend.rollback(index.url) == first
    assert words(index) == ["first"]


def test_a_rollback_that_cannot_be_noted_is_one(
    index: IndexUnderTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "ABC":
        index.write(texts(name, name))
    noted = generations.set_manifest

    def late(*given: Any) -> None:
        noted(*given)
        raise TooLateError("no answer in time; try again")

    monkeypatch.setattr(generations, "set_manifest", late)
    assert index.backend.rollback(index.url).documents == 2
    assert words(index) == ["A", "B"]


def test_after_a_rollback_loads_begin_with_what_is_searched(index: IndexUnderTest) -> None:
    index.write(texts("A", "first"))
    index.write(texts("B", "second"))
    index.backend.rollback(index.url)
    index.write(texts("C", "third"))
    assert words(index) == ["first", "third"]
    index.backend.rollback(index.url)
    assert words(index) == ["first"]


def test_without_an_earlier_state_there_is_no_way_back(index: IndexUnderTest) -> None:
    with pytest.raises(IndexUnavailableError, match="rirag ingest"):
        index.backend.rollback(index.url)
    index.write(texts("A", "first"))
    with pytest.raises(InputError, match="no earlier state"):
        index.backend.rollback(index.url)
    assert words(index) == ["first"]


def test_nobody_goes_back_during_a_load(index: IndexUnderTest) -> None:
    index.write(texts("A", "first"))
    index.write(texts("A", "second"))
    with index.begin(), pytest.raises(IndexBusyError):
        index.backend.rollback(index.url)
    assert words(index) == ["second"]


def test_nobody_loads_while_a_rebuild_reads(index: IndexUnderTest) -> None:
    index.write(texts("A", "first"))
    refused = []

    def load_beside(stage: str, done: int, total: int) -> None:
        if stage == "read" and done == total:
            with pytest.raises(IndexBusyError):
                index.write(texts("B", "second"))
            refused.append(stage)

    indexer.reindex(index.url, encoder=HashedWords(), progress=load_beside)
    assert refused == ["read"]
    assert words(index) == ["first"]


def test_the_next_load_removes_what_a_dead_one_left(
    server: TestServer, index: IndexUnderTest, fresh_name: str
) -> None:
    stamp = index.write(texts("A", "one")).generation
    half = {"mappings": {"_meta": {"rirag": {"state": "building", "generation": DEAD}}}}
    server.call("PUT", f"/{fresh_name}-{DEAD}", half)
    server.call("PUT", f"/{fresh_name}-documents-{DEAD}")
    with index.begin():
        assert stamps(server, fresh_name) == {stamp}


def test_indices_of_others_are_left_alone(
    server: TestServer, index_url: str, fresh_name: str
) -> None:
    index = at(index_url, keep_minutes=0)
    others = {f"{fresh_name}-{DEAD}", f"{fresh_name}-of-somebody"}
    for one in others:
        server.call("PUT", f"/{one}")
    neighbour = at(f"{index_url}-2", keep_minutes=0)
    neighbour.write(texts("A", "of the neighbour"))
    for i in range(3):
        index.write(texts("A", f"version {i}"))
    assert others < set(server.indices(fresh_name))
    assert words(neighbour) == ["of the neighbour"]


def test_a_described_index_in_the_place_of_documents_is_left_alone(
    server: TestServer, index: IndexUnderTest, fresh_name: str
) -> None:
    described = {"mappings": {"_meta": {"rirag": {"state": "complete", "generation": DEAD}}}}
    server.call("PUT", f"/{fresh_name}-documents-{DEAD}", described)
    index.write(texts("A", "one"))
    assert f"{fresh_name}-documents-{DEAD}" in server.indices(fresh_name)


def test_a_generation_of_which_an_index_was_closed_stays_whole(
    server: TestServer, index: IndexUnderTest, fresh_name: str
) -> None:
    first = index.write(texts("A", "first")).generation
    index.write(texts("A", "second"))
    server.call("POST", f"/{fresh_name}-{first}/_close")
    index.write(texts("A", "third"))
    held = server.indices(fresh_name)
    assert {f"{fresh_name}-{first}", f"{fresh_name}-documents-{first}"} < held.keys()


def test_a_load_that_fails_leaves_nothing(
    server: TestServer, index: IndexUnderTest, fresh_name: str
) -> None:
    index.write(texts("A", "one"))
    before = stamps(server, fresh_name)
    with index.begin() as load, pytest.raises(KeyError):
        put(load, texts("B", "two"))
        load.commit(_interrupt)
    assert stamps(server, fresh_name) == before
    assert words(index) == ["one"]


def _interrupt(stage: str, done: int, total: int) -> None:
    """Stand for whatever ends a load when passages are on the server already."""
    raise KeyError


def test_refused_passages_are_named_with_reason_and_place(
    server: TestServer, index: IndexUnderTest, fresh_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.write(texts("A", "one"))
    before = stamps(server, fresh_name)
    monkeypatch.setattr("search.engines.servers.indexing.actions.passage_source", _without_a_number)
    with index.begin() as load, pytest.raises(RiragError) as error:
        put(load, texts("B", "fine", "broken", "fine too"))
        load.commit()
    told = str(error.value)
    assert "refused 1" in told and "B/2, B 2" in told and "[order]" in told, told
    assert stamps(server, fresh_name) == before
    assert words(index) == ["one"]


def _without_a_number(record, row, above, vector):
    """Spoil one passage in a way that only the server can find."""
    from search.engines.servers.records import passage_source

    source = passage_source(record, row, above, vector)
    return {**source, "order": "no number"} if record.passage.text == "broken" else source


def test_an_index_that_outgrows_exact_search_is_made_anew(index_url: str) -> None:
    small = at(index_url, exact_up_to=3)
    told = small.write(texts("A", "one fund", "two", ""))
    assert told.vector_search == "exact"
    told = small.write(texts("B", "three", "four"))
    assert told.vector_search != "exact"
    assert (told.documents, told.passages, told.empty_passages) == (2, 5, 1)
    assert words(small) == ["one fund", "two", "", "three", "four"]
    with small.opened() as engine:
        assert engine.verify() == []
    told = small.write(delete=["A"])
    assert told.vector_search != "exact"
    assert words(small) == ["three", "four"]


def test_an_index_keeps_its_kind_until_it_is_rebuilt(index_url: str) -> None:
    assert at(index_url, exact_up_to=0).write(texts("A", "one")).vector_search != "exact"
    index = at(index_url)
    assert index.write(texts("B", "two")).vector_search != "exact"
    with index.begin(rebuild=True) as load:
        put(load, texts("A", "one"))
        assert load.commit().vector_search == "exact"
    assert index.write(texts("B", "two")).vector_search == "exact"
