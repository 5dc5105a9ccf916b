"""Other processes that search during loads and rebuilds see no error and no mix of states."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from engine_samples import put, texts
from fault_support import at
from processes import finish, start
from server_processes import on

LOOP = "servers/server_reading_loop.py"
PASSAGES = 30
VERSIONS = 6


def version(number: int) -> list:
    """A document whose every passage names its version; later ones are longer."""
    return texts("A", *[f"version {number} of rule {i}" for i in range(PASSAGES + number)])


@on("opensearch")
def test_readers_in_other_processes_see_whole_states_only(index_url: str, tmp_path: Path) -> None:
    index = at(index_url)
    index.write(version(0))
    stop = tmp_path / "stop"
    readers = [start(LOOP, index_url, stop), start(LOOP, index_url, stop, "--keep")]
    seen = [[reader.stdout.readline().strip()] for reader in readers]
    for number in range(1, VERSIONS):
        if number % 2:
            index.write(version(number))
        else:
            with index.begin(rebuild=True) as load:
                put(load, version(number))
                load.commit()
    stop.touch()
    for reader, lines in zip(readers, seen, strict=True):
        code, output, errors = finish(reader)
        lines.extend(output.splitlines())
        assert (code, errors) == (0, "")
        assert not [line for line in lines if line.startswith(("ERROR", "MIXED"))], lines
        numbers = [int(line.split()[1]) for line in lines]
        assert numbers == sorted(numbers)
        assert numbers[0] == 0
        assert len(numbers) > 2, "the loop saw nothing change"


def test_a_rollback_is_seen_by_the_next_who_opens(index_url: str) -> None:
    index = at(index_url)
    index.write(version(1))
    index.write(version(2))
    with index.opened() as before:
        told = index.backend.rollback(index.url)
        assert told.passages == PASSAGES + 1
        assert before.describe().passages == PASSAGES + 2
        assert replace(told, size_bytes=0).passages == len(index.content())
