"""Faults in the middle of a load: the last complete state stays, and the next load finishes.

The server is killed, told that its disk is full, asked for too much at once; the line to it is cut
or slow. All of it happens to real servers of this module's own.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from engine_samples import put, question, texts
from fault_support import ServerIndex, at, sentence
from proxy import TcpProxy
from server_processes import TestServer

from search.engines.protocol import Progress
from search.engines.servers.connection import client
from search.engines.servers.indexing import build
from search.errors import IndexUnavailableError, RiragError, StorageError

DISK = "cluster.routing.allocation.disk"
SETTINGS = {
    "http.max_content_length": "1mb",
    f"{DISK}.threshold_enabled": "true",
    f"{DISK}.watermark.low": "1b",
    f"{DISK}.watermark.high": "1b",
    f"{DISK}.watermark.flood_stage": "1b",
    f"{DISK}.reroute_interval": "5s",
    "cluster.info.update.interval": "10s",
}
SERVER_OPTIONS = [f"--setting={name}={value}" for name, value in SETTINGS.items()]
PASSAGES = 2500
"""Five bulk requests, each below the limit above."""


@pytest.fixture
def url(private_server: TestServer, fresh_name: str) -> str:
    return f"{private_server.url}/{fresh_name}"


@pytest.fixture
def index(url: str) -> ServerIndex:
    """An index with one old passage."""
    index = at(url)
    index.write(texts("A", "an old rule"))
    return index


@pytest.fixture
def line(private_server: TestServer) -> Iterator[TcpProxy]:
    """A line to the server that a test may spoil."""
    with TcpProxy(private_server.port) as proxy:
        yield proxy


def through(line: TcpProxy, index: ServerIndex, **options: object) -> ServerIndex:
    """The same index, reached over the line."""
    product, _, name = index.url.partition("+")[0], "", index.url.rpartition("/")[2]
    return at(f"{product}+http://127.0.0.1:{line.port}/{name}", **options)


def new_rules(count: int = PASSAGES) -> list:
    return texts("B", *[f"new rule {i} binds every firm of class {i % 13}" for i in range(count)])


def load(index: ServerIndex, progress: Progress | None = None) -> None:
    """Load the new document, all of it or nothing."""
    with index.begin() as load:
        put(load, new_rules())
        load.commit(progress)


def once(act: Callable[[], None]) -> Progress:
    """A progress callback that acts when the load has begun to send passages."""
    left = [act]

    def progress(stage: str, done: int, total: int) -> None:
        if left and done > 0:
            left.pop()()

    return progress


def check_old(index: ServerIndex) -> None:
    """The old state answers."""
    assert [passage.text for passage in index.content()] == ["an old rule"]
    with index.opened() as engine:
        assert engine.verify() == []


def check_finishes(index: ServerIndex, server: TestServer) -> None:
    """The same load again finishes, and clears away what the failed one left."""
    load(index)
    assert [passage.text for passage in index.content()] == [
        "an old rule",
        *[passage.text for passage in new_rules()],
    ]
    with index.opened() as engine:
        assert engine.verify() == []
    name = index.url.rpartition("/")[2]
    generations = [one for one in server.indices(name) if one.endswith("z")]
    # The old pair and the new one.
    assert len(generations) == 4, generations


def aliases(server: TestServer, index: ServerIndex) -> dict[str, list[str]]:
    """The indices that are searched, and by which name."""
    name = index.url.rpartition("/")[2]
    published = {name, f"{name}-documents"}
    found = server.indices(name)
    return {one: having for one, having in found.items() if published & set(having)}


def test_a_server_that_is_killed_during_a_load_has_the_old_state_when_it_is_back(
    private_server: TestServer, index: ServerIndex
) -> None:
    before = aliases(private_server, index)
    with index.opened() as searcher:
        assert len(searcher.run(question("old")).lexical) == 1
        said = sentence(lambda: load(index, once(private_server.kill)), IndexUnavailableError)
        assert private_server.http_url in said
        said = sentence(lambda: searcher.run(question("old")), IndexUnavailableError)
        assert private_server.http_url in said
        private_server.start()
        # The index that is open works again as soon as the server does.
        assert len(searcher.run(question("old")).lexical) == 1
    assert aliases(private_server, index) == before
    check_old(index)
    check_finishes(index, private_server)


def test_a_server_that_is_killed_while_vectors_come_in_is_told(
    private_server: TestServer, index: ServerIndex
) -> None:
    def killed_while_staging() -> None:
        with index.begin() as load:
            put(load, new_rules(100))
            private_server.kill()
            put(load, [*texts("C", "another rule")])
            load.commit()

    assert private_server.http_url in sentence(killed_while_staging, IndexUnavailableError)
    private_server.start()
    check_old(index)
    check_finishes(index, private_server)


@pytest.mark.parametrize("after", [300, 5_000, 100_000])
def test_a_line_that_is_cut_once_costs_nothing(
    private_server: TestServer, index: ServerIndex, line: TcpProxy, after: int
) -> None:
    remote = through(line, index)
    with remote.begin() as load:
        put(load, new_rules())
        load.commit(once(lambda: line.cut(after)))
    assert line.cuts == 1
    assert len(index.content()) == PASSAGES + 1
    with index.opened() as engine:
        assert engine.verify() == []


@pytest.mark.parametrize("after", [300, 5_000, 100_000])
def test_a_line_that_is_cut_for_good_leaves_the_old_state(
    private_server: TestServer, index: ServerIndex, line: TcpProxy, after: int
) -> None:
    before = aliases(private_server, index)
    remote = through(line, index)
    said = sentence(
        lambda: load(remote, once(lambda: line.cut(after, for_good=True))), IndexUnavailableError
    )
    assert f"http://127.0.0.1:{line.port}" in said
    assert aliases(private_server, index) == before
    check_old(index)
    line.mend()
    check_finishes(remote, private_server)


def test_a_search_survives_a_line_that_is_cut_once(index: ServerIndex, line: TcpProxy) -> None:
    remote = through(line, index)
    with remote.opened() as engine:
        expected = engine.run(question("old"))
        line.cut(after=50)
        assert engine.run(question("old")) == expected
    assert line.cuts == 1


def test_an_answer_that_comes_too_late_is_told(index: ServerIndex, line: TcpProxy) -> None:
    remote = through(line, index, timeout_s=0.5)
    with remote.opened() as engine:
        engine.run(question("old"))
        sent = line.passed
        engine.run(question("old"))
        once_sent = line.passed - sent
        line.delay_s = 3.0
        said = sentence(lambda: engine.run(question("old")), IndexUnavailableError)
        assert line.passed - sent == 2 * once_sent, "a search that is late is not sent again"
    assert "(a search may take 0.5 s)" in said
    assert "RIRAG_SERVER_TIMEOUT_S" in said


def test_a_request_that_is_too_large_for_the_server_is_told(
    private_server: TestServer, index: ServerIndex
) -> None:
    before = aliases(private_server, index)
    large = texts("L", *[f"rule {i} " + "word " * 4000 for i in range(120)])

    def load_large() -> None:
        with index.begin() as load:
            put(load, large)
            load.commit()

    said = sentence(load_large, RiragError)
    assert "http.max_content_length" in said
    assert aliases(private_server, index) == before
    check_old(index)
    check_finishes(index, private_server)


FULL = {f"{DISK}.watermark.{level}": "900tb" for level in ("low", "high", "flood_stage")}
"""The server believes that its disk is full, and lets nobody write into its indices."""


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait for what the server does when it looks at its disk, every ten seconds."""
    deadline = time.monotonic() + 90
    while not condition():
        assert time.monotonic() < deadline, "the server did not look at its disk"
        time.sleep(0.5)


def is_blocked(server: TestServer, index: str) -> bool:
    (found,) = server.call("GET", f"/{index}/_settings?flat_settings=true").values()
    return found["settings"].get("index.blocks.read_only_allow_delete") == "true"


def is_relieved(server: TestServer, index: str) -> bool:
    """Return whether the server lets us write and make indices again."""
    return not is_blocked(server, index) and server.accepts("PUT", f"/{index}-new")


def test_a_disk_that_fills_during_a_load_is_told_and_nothing_is_lost(
    private_server: TestServer, index: ServerIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "BULK_PAUSE_S", 0.01)
    before = aliases(private_server, index)
    other = f"{index.url.rpartition('/')[2]}-other"
    private_server.call("PUT", f"/{other}")

    def fill() -> None:
        private_server.set(FULL)
        wait_for(lambda: is_blocked(private_server, other))

    try:
        assert "disk" in sentence(lambda: load(index, once(fill)), StorageError)
        assert aliases(private_server, index) == before
        check_old(index)
    finally:
        private_server.set(dict.fromkeys(FULL))
        wait_for(lambda: is_relieved(private_server, other))
    check_finishes(index, private_server)


NEARLY_FULL = {"indices.merge.disk.watermark.high": "900tb"}
"""Elasticsearch believes that its disk has too little room for a merge, and puts it off."""


@pytest.mark.parametrize("own_server", ["elasticsearch"], indirect=True)
def test_a_merge_that_waits_for_the_disk_is_told_and_not_waited_for_without_end(
    private_server: TestServer, index: ServerIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = aliases(private_server, index)
    monkeypatch.setattr(build, "MERGE_WAIT_S", 1.0)
    monkeypatch.setattr(build, "MERGE_WAIT_A_PASSAGE_S", 0.0)
    private_server.set(NEARLY_FULL)
    try:
        time.sleep(11)  # it looks at its disk every five seconds
        said = sentence(lambda: load(index), StorageError)
        assert "has not merged what was loaded within 1 s" in said
        assert aliases(private_server, index) == before
        check_old(index)
    finally:
        private_server.set(dict.fromkeys(NEARLY_FULL))
    monkeypatch.undo()
    check_finishes(index, private_server)


def test_a_cluster_that_is_read_only_is_told(
    private_server: TestServer, index: ServerIndex
) -> None:
    before = aliases(private_server, index)
    private_server.set({"cluster.blocks.read_only": True})
    try:
        assert "read-only" in sentence(lambda: load(index), StorageError)
        assert aliases(private_server, index) == before
        check_old(index)
    finally:
        private_server.set({"cluster.blocks.read_only": None})
    check_finishes(index, private_server)


@pytest.fixture
def half_lost(private_server: TestServer, url: str) -> ServerIndex:
    """An index of two shards, of which one is lost."""
    index = at(url, shards=2)
    index.write(texts("A", *[f"rule {i}" for i in range(50)]))
    (behind,) = private_server.call("GET", f"/{url.rpartition('/')[2]}/_alias")
    folder = data_folder(private_server, behind)
    private_server.call("POST", f"/{behind}/_close")
    shutil.rmtree(folder / "1" / "index")
    private_server.call("POST", f"/{behind}/_open?wait_for_active_shards=0")
    return index


def data_folder(server: TestServer, index: str) -> Path:
    """Where the server keeps the shards of an index."""
    settings = server.call("GET", f"/{index}/_settings")[index]["settings"]["index"]
    (node,) = server.call("GET", "/_nodes/_local/settings")["nodes"].values()
    data = node["settings"]["path"]["data"]
    paths = data if isinstance(data, list) else [data]
    # Elasticsearch has all indices in one folder, OpenSearch one for each node. Nothing else is
    # walked through: the server deletes the files of other indices at any moment.
    places = (f"indices/{settings['uuid']}", f"nodes/*/indices/{settings['uuid']}")
    (found,) = [one for path in paths for place in places for one in Path(path).glob(place)]
    return found


def test_a_search_with_a_lost_shard_is_an_error_not_a_part(half_lost: ServerIndex) -> None:
    def searched() -> None:
        with half_lost.opened() as engine:
            engine.run(question("rule"))

    assert tells_of_the_loss(sentence(searched, IndexUnavailableError))


def test_listing_with_a_lost_shard_is_an_error_not_a_part(half_lost: ServerIndex) -> None:
    assert tells_of_the_loss(sentence(half_lost.content, IndexUnavailableError))


def tells_of_the_loss(told: str) -> bool:
    # While the loss is new to it, Elasticsearch may say 503 instead of naming the shard.
    return "shard" in told or "cannot take the request now" in told
