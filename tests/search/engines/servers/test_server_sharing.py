"""Several processes and one index: one writes, and the dead are replaced."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from subprocess import Popen

import pytest
from engine_samples import (
    IndexUnderTest,
    put,
    text_hash,
    texts,
)
from fault_support import unconnected
from processes import start
from server_processes import TestServer, on

from search.engines import locate
from search.engines.servers import writer
from search.engines.servers.notes import Note
from search.errors import IndexBusyError, IndexUnavailableError

SCRIPT = "holding_loader.py"


@pytest.fixture
def index(index_url: str) -> IndexUnderTest:
    return IndexUnderTest(locate(index_url), index_url)


@contextmanager
def running(index: IndexUnderTest) -> Iterator[Popen[str]]:
    """Another process, which has begun a load and added the vector of "saved"."""
    process = start(SCRIPT, index.url)
    assert process.stdout is not None
    line = ""
    while "holding" not in line:
        line = process.stdout.readline()
        assert line, process.communicate()[1]
    try:
        yield process
    finally:
        finish_dead(process)


def finish_dead(process: Popen[str]) -> None:
    """Kill −9 a process and wait for its end."""
    process.kill()
    process.communicate()


def holder(**changes: object) -> dict[str, object]:
    """The document of a lease that a process of another machine holds."""
    return {
        "kind": "lease", "token": "theirs", "host": "elsewhere", "pid": 1, "machine": "another",
        "seen": time.time(), **changes,
    }  # fmt: skip


def leave_lease(server: TestServer, name: str, **changes: object) -> None:
    """Let the server hold the lease of another machine."""
    body = {"mappings": {"_meta": {"rirag-load": True}}, "aliases": {f"{name}-load": {}}}
    server.call("PUT", f"/{name}-load-1", body)
    server.call("PUT", f"/{name}-load-1/_doc/{writer.WRITER}", holder(**changes))


def test_a_loading_process_keeps_others_out_until_it_is_killed(index: IndexUnderTest) -> None:
    with running(index) as process:
        with pytest.raises(IndexBusyError, match=f"process {process.pid} on .*wait"):
            index.begin()
        finish_dead(process)
        index.write(texts("A", "at once"))
    assert len(index.content()) == 1


@on("elasticsearch")
def test_another_machine_keeps_others_out_while_it_gives_signs(
    server: TestServer, index: IndexUnderTest, fresh_name: str
) -> None:
    leave_lease(server, fresh_name, seen=time.time() - writer.EXPIRES_AFTER_S / 2)
    with pytest.raises(IndexBusyError, match="process 1 on elsewhere"):
        index.begin()


@on("elasticsearch")
def test_a_machine_that_gave_no_sign_for_long_is_replaced(
    server: TestServer, index: IndexUnderTest, fresh_name: str
) -> None:
    leave_lease(server, fresh_name, seen=time.time() - writer.EXPIRES_AFTER_S - 1)
    index.write(texts("A", "one"))
    assert len(index.content()) == 1


@on("elasticsearch")
def test_a_load_gives_signs_of_life(
    server: TestServer, index: IndexUnderTest, fresh_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "SIGN_EVERY_S", 0.05)
    path = f"/{fresh_name}-load/_doc/{writer.WRITER}"
    with index.begin():
        first = server.call("GET", path)["_source"]["seen"]
        deadline = time.monotonic() + 120
        while server.call("GET", path)["_source"]["seen"] == first:
            assert time.monotonic() < deadline, "no sign of life"
            time.sleep(0.05)


@on("elasticsearch")
def test_who_was_thought_dead_publishes_nothing(
    server: TestServer, index: IndexUnderTest, fresh_name: str
) -> None:
    index.write(texts("A", "old"))
    with index.begin() as load:
        put(load, texts("A", "new"))
        server.call("PUT", f"/{fresh_name}-load-1/_doc/{writer.WRITER}", holder())
        with pytest.raises(IndexBusyError, match="sign of life"):
            load.commit()
    assert [passage.text for passage in index.content()] == ["old"]


@on("elasticsearch")
def test_vectors_of_a_killed_load_wait_for_the_next(index: IndexUnderTest) -> None:
    with running(index) as process:
        finish_dead(process)
    with index.begin() as load:
        assert load.known_vectors([text_hash("saved")]) == {text_hash("saved")}


class _CutNotes:
    """A helper index whose answers are lost after it has written."""

    kept: Note | None = None

    def __init__(self, client: object) -> None:
        """It needs none."""

    def get(self, name: str) -> Note | None:
        return self.kept

    def ensure(self) -> None:
        pass

    def create(self, name: str, source: dict[str, object]) -> None:
        _CutNotes.kept = Note(name, source, 0, 1)
        raise IndexUnavailableError("the connection was cut")


def test_a_lease_that_was_written_though_its_answer_was_lost_is_nobodys(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(writer, "Notes", _CutNotes)
    with pytest.raises(IndexUnavailableError):
        writer.Writer(unconnected("elasticsearch"))
    assert _CutNotes.kept is not None
    assert not writer.Holder.of(_CutNotes.kept).is_alive()


def test_a_process_number_of_another_machine_says_nothing() -> None:
    note = Note("writer", dict(holder(pid=2**22 + 1)), 0, 1)
    assert writer.Holder.of(note).is_alive()
