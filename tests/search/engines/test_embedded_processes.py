"""Readers and writers in other processes."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from engine_samples import IndexUnderTest, put, texts
from processes import finish, start

from search.engines.embedded import EmbeddedBackend
from search.errors import IndexBusyError


@pytest.fixture
def index(tmp_path: Path) -> IndexUnderTest:
    return IndexUnderTest(EmbeddedBackend(), str(tmp_path / "index"))


def test_readers_during_loads_see_one_version_and_never_an_error(
    index: IndexUnderTest, tmp_path: Path
) -> None:
    index.write(texts("A", *["version 0"] * 5))
    stop = tmp_path / "stop"
    readers = [start("reading_loop.py", index.url, stop) for _ in range(2)]
    for reader in readers:
        assert reader.stdout is not None
        assert reader.stdout.readline() == "000001 version 0\n"
    deadline, version = time.monotonic() + 4, 0
    while time.monotonic() < deadline:
        version += 1
        index.write(texts("A", *[f"version {version}"] * (5 + version % 3)))
    time.sleep(2)  # the readers still see the last version
    stop.touch()
    for reader in readers:
        code, output, errors = finish(reader)
        lines = output.splitlines()
        assert (code, errors) == (0, "")
        for line in lines:
            numbers = re.fullmatch(r"(\d{6}) version (\d+)", line)
            assert numbers, line
            assert int(numbers[1]) == int(numbers[2]) + 1
        assert lines == sorted(lines), "no reader goes back to an older state"
        assert lines[-1].endswith(f"version {version}")


def test_the_second_writer_is_told_which_process_is_loading(
    index: IndexUnderTest, tmp_path: Path
) -> None:
    index.write(texts("A", "one"))
    holder = start("holding_loader.py", index.url)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "holding\n"
    with pytest.raises(IndexBusyError, match=rf"process {holder.pid} is loading into .*index"):
        index.begin()
    with index.opened() as engine:
        assert engine.verify() == []
    holder.kill()
    finish(holder)
    with index.begin() as load:  # the lock of a killed process is free
        put(load, texts("B", "two"))
        assert load.commit().documents == 2
