"""`kill -9` at any moment of a load: the last complete state answers, and a new run finishes."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from crash_loader import load
from engine_samples import HashedWords, question
from processes import finish, run, start

from indexer import ingest
from search.engines.embedded import EmbeddedEngine
from search.records import Filters

PASSAGES = 800
ASKED = [question("rule 77 of new"), question("old rule 3"), question("firm", document_id="D3")]
_random = random.Random(3)
KILLS = [_random.random() for _ in range(int(os.environ.get("RIRAG_KILLS", "3")))]
"""Moments as fractions of a whole load, and again of its commit; `RIRAG_KILLS=100` tries harder."""


@dataclass(frozen=True)
class Case:
    """An index with an old state, the source of the new one, and how each answers."""

    index: Path
    source: Path
    old: object
    new: object
    load_seconds: float
    commit_seconds: float

    @contextmanager
    def copied(self, folder: Path) -> Iterator[Path]:
        """Copy the old index to be crashed into."""
        copy = folder / "index"
        shutil.copytree(self.index, copy)
        yield copy
        shutil.rmtree(copy, ignore_errors=True)


def write_source(path: Path, age: str, count: int) -> Path:
    with path.open("w", encoding="utf-8") as file:
        for i in range(count):
            line = {
                "ID": f"id-{i}",
                "DocumentID": f"D{i % 8}",
                "PassageID": str(i // 8 + 1),
                "Passage": f"{age} rule {i} binds every firm of class {i % 13}",
            }
            file.write(json.dumps(line) + "\n")
    return path


def state(root: Path) -> object:
    """Everything a searcher can see of an index."""
    with closing(EmbeddedEngine(root)) as engine:
        assert engine.verify() == []
        content = [passage for _, passage in engine.find(Filters())]
        return content, [engine.run(request) for request in ASKED], engine.documents()


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    folder = tmp_path_factory.mktemp("crashes")
    # One name for both ages: a passage's source is part of what is compared.
    source, index, whole = folder / "rules.jsonl", folder / "index", folder / "whole"
    ingest([write_source(source, "old", PASSAGES // 4)], str(index), encoder=HashedWords())
    old = state(index)
    write_source(source, "new", PASSAGES)
    shutil.copytree(index, whole)
    loader = start("crash_loader.py", whole, source)
    assert loader.stdout is not None
    times = [(loader.stdout.readline(), time.perf_counter())[1] for _ in range(3)]
    code, _, errors = finish(loader)
    assert (code, errors) == (0, "")
    return Case(index, source, old, state(whole), times[2] - times[0], times[2] - times[1])


def check_after_crash(case: Case, index: Path) -> bool:
    """The old or the new state is there; the same command finishes. Return whether it was new."""
    found = state(index)
    assert found in (case.old, case.new)
    ingest([case.source], str(index), encoder=HashedWords())
    assert state(index) == case.new
    leftovers = {path.name for path in index.iterdir()} - {"CURRENT", "lock", "generations"}
    assert leftovers <= {"pending.sqlite"}
    assert not list((index / "generations").glob("*.partial"))
    return found == case.new


@pytest.mark.parametrize("phase", ["load", "commit"])
@pytest.mark.parametrize("fraction", KILLS, ids=lambda fraction: f"{fraction:.3f}")
def test_a_killed_load_leaves_a_complete_state_and_can_be_finished(
    case: Case, tmp_path: Path, phase: str, fraction: float
) -> None:
    with case.copied(tmp_path) as index:
        loader = start("crash_loader.py", index, case.source)
        assert loader.stdout is not None
        while loader.stdout.readline() != f"{phase}\n":
            pass
        whole = case.load_seconds if phase == "load" else case.commit_seconds
        time.sleep(fraction * whole)
        loader.kill()
        code, _, _ = finish(loader)
        if code == 0:  # the machine was quicker this time: the load had ended
            assert state(index) == case.new
        check_after_crash(case, index)


def test_a_load_killed_before_any_of_its_steps_can_be_finished(tmp_path: Path) -> None:
    """Dies before each folder, database, rename and removal that a load makes in the index."""
    source, old, index = tmp_path / "rules.jsonl", tmp_path / "old", tmp_path / "index"
    ingest([write_source(source, "old", 20)], str(old), encoder=HashedWords())
    write_source(source, "new", 40)
    ends = []
    for step in range(1, 200):
        shutil.copytree(old, index)
        code, _, _ = run(tmp_path, load, str(index), str(source), step)
        assert code in (0, -signal.SIGKILL)
        if code == 0:
            break
        with closing(EmbeddedEngine(index)) as engine:
            ends.append(engine.describe().generation)
            assert engine.verify() == []
        ingest([source], str(index), encoder=HashedWords())
        with closing(EmbeddedEngine(index)) as engine:
            assert engine.verify() == []
            assert engine.describe().passages == 40 + 20  # the old texts are law until yesterday
        assert {name.suffix for name in (index / "generations").iterdir()} == {""}
        shutil.rmtree(index)
    assert len(ends) > 10
    assert ends == sorted(ends), "the new state, once published, stays"
    assert set(ends) == {"000001", "000002"}


def test_vectors_computed_before_a_crash_are_not_computed_again(case: Case, tmp_path: Path) -> None:
    with case.copied(tmp_path) as index:
        loader = start("crash_loader.py", index, case.source)
        assert loader.stdout is not None
        while loader.stdout.readline() != "commit\n":
            pass
        loader.kill()
        finish(loader)
        report = ingest([case.source], str(index), encoder=HashedWords())
        assert (report.encoded, report.reused) == (0, PASSAGES + PASSAGES // 4)
