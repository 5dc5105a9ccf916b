"""Indices that are not ours, not whole, or of another encoder: told, and left as they are."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import cli_support
import pytest
from engine_samples import ENCODER, HashedWords, put, question, texts
from fault_support import ServerIndex, at, loaded, opened, sentence
from server_processes import TestServer

import search
from search.engines.servers.connection import client
from search.engines.servers.records import SEARCHED
from search.errors import (
    EncoderMismatchError,
    IndexCorruptError,
    IndexLostError,
    IndexUnavailableError,
    RiragError,
    StorageError,
)
from search.records import Filters


@pytest.fixture
def index(index_url: str) -> ServerIndex:
    """An index with one document."""
    index = at(index_url)
    index.write(texts("A", "a rule for brokers"))
    return index


def name_of(index: ServerIndex) -> str:
    return index.url.rpartition("/")[2]


def passages_behind(server: TestServer, index: ServerIndex) -> str:
    """The concrete index that the alias names."""
    (found,) = server.call("GET", f"/{name_of(index)}/_alias")
    return str(found)


def untouched(server: TestServer, index: ServerIndex, *ways: Any, kind: Any) -> list[str]:
    """Check that each way refuses, and that nothing on the server changed; return what was said."""
    before = state(server, name_of(index))
    said = [sentence(lambda way=way: way(index), kind) for way in ways]
    assert state(server, name_of(index)) == before
    return said


def state(server: TestServer, name: str) -> str:
    """All indices with their aliases, mappings, settings and counts; helpers left out."""
    found = {
        one: server.call("GET", f"/{one}")[one]
        for one in server.indices(name)
        if not one.startswith((f"{name}-load", f"{name}-vectors"))
    }
    counts = {one: server.call("GET", f"/{one}/_count")["count"] for one in found}
    return json.dumps([found, counts], sort_keys=True)


def test_an_index_of_another_program_is_left_alone(server: TestServer, fresh_name: str) -> None:
    server.call("PUT", f"/{fresh_name}/_doc/1?refresh=true", {"title": "mine"})
    index = at(f"{server.url}/{fresh_name}")
    for said in untouched(server, index, opened, loaded, kind=IndexUnavailableError):
        assert "was not made by rirag" in said
        assert "choose another name" in said


def test_an_alias_of_another_program_is_left_alone(server: TestServer, fresh_name: str) -> None:
    server.call("PUT", f"/{fresh_name}-v1/_doc/1?refresh=true", {"title": "mine"})
    server.call("PUT", f"/{fresh_name}-v1/_alias/{fresh_name}")
    index = at(f"{server.url}/{fresh_name}")
    untouched(server, index, opened, loaded, kind=IndexUnavailableError)


@pytest.mark.parametrize("endings", [("",), ("", "-documents")])
def test_a_data_stream_is_told_and_left_alone(
    opensearch_server: TestServer, fresh_name: str, endings: tuple[str, ...]
) -> None:
    template = {"index_patterns": [f"{fresh_name}*"], "data_stream": {}}
    opensearch_server.call("PUT", f"/_index_template/{fresh_name}", template)
    for ending in endings:
        opensearch_server.call("PUT", f"/_data_stream/{fresh_name}{ending}")
    index = at(f"{opensearch_server.url}/{fresh_name}")
    try:
        for way in (opened, loaded, lambda index: index.backend.rollback(index.url)):
            said = sentence(lambda way=way: way(index), IndexUnavailableError)
            assert "was not made by rirag" in said and "choose another name" in said
    finally:
        opensearch_server.call("DELETE", f"/_data_stream/{fresh_name}*")
        opensearch_server.call("DELETE", f"/_index_template/{fresh_name}")


def test_a_template_of_the_cluster_does_not_narrow_what_is_read(
    server: TestServer, fresh_name: str
) -> None:
    narrow = {"settings": {"index.max_result_window": 5}}
    template = {"index_patterns": [f"{fresh_name}*"], "template": narrow}
    server.call("PUT", f"/_index_template/{fresh_name}", template)
    try:
        index = at(f"{server.url}/{fresh_name}")
        index.write(texts("A", *[f"rule {number} for brokers" for number in range(9)]))
        assert len(index.content()) == 9
        with index.opened() as engine:
            assert len(engine.run(question("brokers")).lexical) == 9
    finally:
        server.call("DELETE", f"/_index_template/{fresh_name}")


def test_an_alias_on_two_indices_is_told(server: TestServer, index: ServerIndex) -> None:
    name = name_of(index)
    server.call("PUT", f"/{name}-stray")
    server.call("PUT", f"/{name}-stray/_alias/{name}")
    for said in untouched(server, index, opened, loaded, kind=IndexUnavailableError):
        assert f"the alias {name} names several indices" in said
        assert f"{name}-stray" in said


@pytest.mark.parametrize("ending", ["load", "load-1"])
def test_an_index_in_the_place_of_what_a_load_needs_is_told_and_left_alone(
    server: TestServer, index: ServerIndex, ending: str
) -> None:
    foreign = f"{name_of(index)}-{ending}"
    server.call("PUT", f"/{foreign}/_doc/1?refresh=true", {"title": "mine"})
    said = sentence(lambda: loaded(index), IndexUnavailableError)
    assert f"{foreign} on the server is something else; remove it there," in said
    assert server.call("GET", f"/{foreign}/_doc/1")["_source"] == {"title": "mine"}
    opened(index)


@pytest.mark.parametrize("lost", ["", "-documents"])
def test_a_generation_that_lost_an_index_is_left_for_the_one_before(
    server: TestServer, index: ServerIndex, lost: str
) -> None:
    name, before = name_of(index), passages_behind(server, index)
    index.write(texts("B", "one more rule"))
    stamp = passages_behind(server, index).rpartition("-")[2]
    server.call("DELETE", f"/{name}{lost}-{stamp}")
    for said in untouched(server, index, opened, loaded, kind=IndexUnavailableError):
        assert f"{name}{lost} is missing" in said
        assert said.endswith(f"return to it with: rirag reindex --rollback --index {index.url}")
    index.backend.rollback(index.url)
    assert passages_behind(server, index) == before
    assert [one.text for one in index.content()] == ["a rule for brokers"]


def test_a_lost_index_without_an_earlier_generation_is_told(
    server: TestServer, index: ServerIndex
) -> None:
    server.call("DELETE", f"/{passages_behind(server, index)}")
    for way in (opened, lambda index: index.backend.rollback(index.url)):
        (said,) = untouched(server, index, way, kind=IndexUnavailableError)
        assert f"{name_of(index)} is missing" in said and "restore a snapshot" in said


@pytest.mark.parametrize("removed", [("",), ("-documents",), ("", "-documents")])
def test_removed_aliases_are_put_back(
    server: TestServer, index: ServerIndex, removed: tuple[str, ...]
) -> None:
    name, stamp = name_of(index), passages_behind(server, index).rpartition("-")[2]
    for ending in removed:
        server.call("DELETE", f"/{name}{ending}-{stamp}/_alias/{name}{ending}")
    for said in untouched(server, index, opened, loaded, kind=IndexLostError):
        assert f"its state {stamp} is complete on the server; return to it with: rirag" in said
    assert index.backend.exists(index.url)
    index.backend.rollback(index.url)
    assert [one.text for one in index.content()] == ["a rule for brokers"]


def test_a_generation_that_lost_both_indices_is_left_for_the_one_before(
    server: TestServer, index: ServerIndex, tmp_path: Any
) -> None:
    name, before = name_of(index), passages_behind(server, index)
    index.write(texts("B", "one more rule"))
    stamp = passages_behind(server, index).rpartition("-")[2]
    for ending in ("", "-documents"):
        server.call("DELETE", f"/{name}{ending}-{stamp}")
    advice = f"return to it with: rirag reindex --rollback --index {index.url}"
    for said in untouched(server, index, opened, loaded, kind=IndexLostError):
        assert f"{name} and {name}-documents are missing, but its state " in said
        assert said.endswith(advice)
    (tmp_path / "rules.txt").write_text("1\tA rule.\n", encoding="utf-8")
    for command in (("ingest", "rules.txt"), ("reindex",), ("documents", "list")):
        done = cli_support.run(*command, "--index", index.url, cwd=tmp_path)
        assert done.refused(3).endswith(advice)
    index.backend.rollback(index.url)
    assert passages_behind(server, index) == before


@pytest.mark.parametrize("lost", ["", "-documents"])
def test_a_rebuild_takes_the_place_of_what_lost_an_index(
    server: TestServer, index: ServerIndex, lost: str
) -> None:
    stamp = passages_behind(server, index).rpartition("-")[2]
    server.call("DELETE", f"/{name_of(index)}{lost}-{stamp}")
    with index.begin(rebuild=True) as load:
        put(load, texts("B", "one more rule"))
        load.commit()
    assert [one.text for one in index.content()] == ["one more rule"]
    index.write(texts("C", "and another"))
    assert len(index.content()) == 2


def test_a_rebuild_keeps_the_state_whose_aliases_were_removed_for_a_rollback(
    server: TestServer, index_url: str
) -> None:
    index = at(index_url, keep_minutes=0)
    for text in ("a first rule", "a rule for brokers"):
        index.write(texts("A", text))
    for ending in ("", "-documents"):
        server.call("DELETE", f"/{name_of(index)}*/_alias/{name_of(index)}{ending}")
    with index.begin(rebuild=True) as load:
        put(load, texts("B", "one more rule"))
        load.commit()
    assert [one.text for one in index.content()] == ["one more rule"]
    index.backend.rollback(index.url)
    assert [one.text for one in index.content()] == ["a rule for brokers"]


def test_what_users_went_back_from_stays_left_when_aliases_are_put_back(
    server: TestServer, index: ServerIndex
) -> None:
    index.write(texts("B", "one more rule"))
    index.backend.rollback(index.url)
    server.call("DELETE", f"/{passages_behind(server, index)}/_alias/{name_of(index)}")
    server.call("DELETE", f"/{name_of(index)}-*/_alias/{name_of(index)}-documents")
    index.backend.rollback(index.url)
    assert [one.text for one in index.content()] == ["a rule for brokers"]


def test_an_alias_of_another_program_is_not_moved_by_a_rollback(
    server: TestServer, index: ServerIndex
) -> None:
    name = name_of(index)
    server.call("PUT", f"/{name}-v1/_doc/1?refresh=true", {"title": "mine"})
    actions = [
        {"remove": {"index": f"{name}-*", "alias": one}} for one in (name, f"{name}-documents")
    ]
    actions.append({"add": {"index": f"{name}-v1", "alias": name}})
    server.call("POST", "/_aliases", {"actions": actions})
    (said,) = untouched(
        server, index, lambda index: index.backend.rollback(index.url), kind=IndexUnavailableError
    )
    assert "choose another name" in said


def test_aliases_that_name_two_states_are_told(server: TestServer, index: ServerIndex) -> None:
    name, old = name_of(index), passages_behind(server, index)
    index.write(texts("B", "one more rule"))
    new = passages_behind(server, index)
    swap = [
        {"remove": {"index": new, "alias": name}},
        {"add": {"index": old, "alias": name}},
    ]
    server.call("POST", "/_aliases", {"actions": swap})
    for said in untouched(server, index, opened, loaded, kind=IndexCorruptError):
        assert "do not name one complete state" in said
        assert said.endswith(f"return to it with: rirag reindex --rollback --index {index.url}")
    index.backend.rollback(index.url)
    assert passages_behind(server, index) == new
    assert len(index.content()) == 2


def test_an_index_of_another_encoder_is_told_with_what_mends_it(
    server: TestServer, index: ServerIndex
) -> None:
    class Other(HashedWords):
        name, revision = "other-encoder", "2"

    said = sentence(
        lambda: search.open(index.url, encoder=Other(), server=index.options),
        EncoderMismatchError,
    )
    other = replace(ENCODER, name="other-encoder", revision="2")

    def load() -> None:
        with index.begin(other) as load:
            put(load, texts("B", "never loaded"))

    (told,) = untouched(server, index, lambda _: load(), kind=EncoderMismatchError)
    for message in (said, told):
        assert "other-encoder" in message and "hashed-words" in message
        assert f"--index {index.url}" in message


def test_the_same_encoder_in_another_size_is_told(index: ServerIndex) -> None:
    other = replace(ENCODER, dimension=32)
    assert "32" in sentence(lambda: index.begin(other).__enter__(), EncoderMismatchError)


def set_meta(server: TestServer, index: ServerIndex, **changes: Any) -> None:
    """Change the manifest in an index's mapping."""
    behind = passages_behind(server, index)
    meta = server.call("GET", f"/{behind}/_mapping")[behind]["mappings"]["_meta"]
    meta["rirag"] |= changes
    server.call("PUT", f"/{behind}/_mapping", {"_meta": meta})


def test_an_index_of_a_newer_rirag_is_told(server: TestServer, index: ServerIndex) -> None:
    set_meta(server, index, schema_version=99)
    for said in untouched(server, index, opened, loaded, kind=IndexUnavailableError):
        assert "index version 99" in said


def test_an_index_of_an_older_rirag_is_searched_but_not_added_to(
    server: TestServer, index: ServerIndex
) -> None:
    set_meta(server, index, schema_version=1)
    opened(index)
    said = sentence(lambda: loaded(index), IndexUnavailableError)
    assert said.endswith(f"rirag reindex --index {index.url}")


def test_a_damaged_manifest_is_told(server: TestServer, index: ServerIndex) -> None:
    set_meta(server, index, encoder_dimension="many")
    for said in untouched(server, index, opened, loaded, kind=IndexCorruptError):
        assert "is damaged" in said


def test_a_damaged_manifest_is_left_for_the_state_before(
    server: TestServer, index: ServerIndex
) -> None:
    before = passages_behind(server, index)
    index.write(texts("B", "one more rule"))
    set_meta(server, index, encoder_dimension="many")
    index.backend.rollback(index.url)
    assert passages_behind(server, index) == before
    assert [one.text for one in index.content()] == ["a rule for brokers"]


def allow_writing(server: TestServer, index: ServerIndex) -> str:
    """Open the index of passages for writing, as an administrator might; return its name."""
    behind = passages_behind(server, index)
    server.call("PUT", f"/{behind}/_settings", {"index.blocks.write": None})
    return behind


def test_a_load_closes_again_what_was_opened_for_writing(
    server: TestServer, index: ServerIndex
) -> None:
    allow_writing(server, index)
    index.write(texts("B", "one more rule"))
    assert len(index.content()) == 2


def test_an_entry_of_another_program_is_told(server: TestServer, index: ServerIndex) -> None:
    behind = allow_writing(server, index)
    server.call("POST", f"/{behind}/_doc?refresh=true", {SEARCHED: "broker and broker"})
    with index.opened() as engine:
        said = sentence(lambda: engine.run(question("brokers")), IndexCorruptError)
    assert "contains something that rirag did not write" in said


def test_passages_that_were_lost_behind_our_back_are_found(
    server: TestServer, index: ServerIndex
) -> None:
    behind = allow_writing(server, index)
    (hit,) = server.call("GET", f"/{behind}/_search")["hits"]["hits"]
    server.call("DELETE", f"/{behind}/_doc/{hit['_id']}?refresh=true")
    with index.opened() as engine:
        assert engine.verify() != []


def test_an_index_that_an_operator_closed_is_told_with_what_opens_it(
    server: TestServer, index: ServerIndex
) -> None:
    def searched_anew() -> None:
        with index.opened() as engine:
            engine.run(question("brokers"))

    closed = passages_behind(server, index)
    with index.opened() as engine:
        server.call("POST", f"/{closed}/_close")
        for way in (
            lambda: engine.run(question("brokers")),
            lambda: engine.find(Filters()),
            engine.verify,
            searched_anew,
            lambda: loaded(index),
        ):
            assert sentence(way, IndexUnavailableError) == (
                f"{closed}, which {index.url} needs, is closed on the server; open it "
                f"there with POST /{closed}/_open, and run the same command again"
            )
        server.call("POST", f"/{closed}/_open?wait_for_active_shards=1")
        assert len(engine.run(question("brokers")).lexical) == 1


def test_a_deleted_generation_tells_its_searchers_to_open_again(
    server: TestServer, index: ServerIndex
) -> None:
    with search.open(index.url, encoder=HashedWords(), server=index.options) as searcher:
        assert len(searcher.search("brokers").hits) == 1
        gone = passages_behind(server, index)
        index.write(texts("A", "another rule for brokers"))
        for one in (gone, gone.replace(name_of(index), f"{name_of(index)}-documents")):
            server.call("DELETE", f"/{one}")
        said = sentence(lambda: searcher.search("brokers"), IndexUnavailableError)
        assert f"the opened state of {index.url} was replaced by a later load or deleted" in said
        assert "open the index again, or load it again" in said
        searcher.refresh()
        assert [hit.text for hit in searcher.search("brokers").hits] == ["another rule for brokers"]


@pytest.mark.parametrize("block", ["read_only", "read_only_allow_delete"])
def test_a_read_only_index_is_searched_and_its_load_is_told_or_works(
    server: TestServer, index: ServerIndex, block: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "BULK_PAUSE_S", 0.01)
    for one in server.indices(name_of(index)):
        server.call("PUT", f"/{one}/_settings", {f"index.blocks.{block}": True})
    try:
        opened(index)
        before = passages_behind(server, index)
        try:
            index.write(texts("B", "one more rule"))
        except RiragError as error:
            assert isinstance(error, StorageError), error
            assert "read-only" in str(error) or "read_only" in str(error)
            assert "\n" not in str(error)
            assert passages_behind(server, index) == before
            assert [one.text for one in index.content()] == ["a rule for brokers"]
        else:
            assert len(index.content()) == 2
    finally:
        for one in server.indices(name_of(index)):
            server.call("PUT", f"/{one}/_settings", {f"index.blocks.{block}": None})
    index.write(texts("C", "and another"))
    assert "C" in {one.document_id for one in index.content()}


@pytest.mark.parametrize(
    ("block", "told"),
    [("read", "forbids reading the index"), ("metadata", "forbids reading the metadata of the")],
)
def test_a_block_that_forbids_reading_is_told_with_what_removes_it(
    server: TestServer, index: ServerIndex, block: str, told: str
) -> None:
    blocked = passages_behind(server, index)
    server.call("PUT", f"/{blocked}/_settings", {f"index.blocks.{block}": True})
    try:
        with search.open(index.url, encoder=HashedWords(), server=index.options) as opened_now:
            said = sentence(lambda: opened_now.search("brokers"), IndexUnavailableError)
    except IndexUnavailableError as error:
        said = str(error)
    finally:
        server.call("PUT", f"/{blocked}/_settings", {f"index.blocks.{block}": None})
    assert told in said
    assert f"remove the setting index.blocks.{block} there" in said
    assert len(index.content()) == 1


def test_the_command_line_tells_of_an_index_that_is_not_ours(
    server: TestServer, fresh_name: str, tmp_path: Any
) -> None:
    server.call("PUT", f"/{fresh_name}/_doc/1?refresh=true", {"title": "mine"})
    (tmp_path / "rules.txt").write_text("1\tA rule.\n", encoding="utf-8")
    url = f"{server.url}/{fresh_name}"
    for arguments in (("search", "fees"), ("ingest", "rules.txt"), ("documents", "list")):
        done = cli_support.run(*arguments, "--index", url, cwd=tmp_path)
        assert "was not made by rirag" in done.refused(3)
