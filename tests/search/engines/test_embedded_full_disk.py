"""A full disk: one sentence, the old state as it was, no leftovers, and the next load finishes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from engine_samples import HashedWords, IndexUnderTest, texts
from limited_loader import load
from processes import run

from indexer import ingest
from search.engines.embedded import EmbeddedBackend

PASSAGES = 400
KEPT = {"CURRENT", "lock", "generations", "pending.sqlite"}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("source") / "rules.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for i in range(PASSAGES):
            words = " ".join(f"w{i % 97}x{k}" for k in range(60))
            text = f"rule {i} of many binds every firm {words}"
            line = {"ID": str(i), "DocumentID": "D", "PassageID": str(i), "Passage": text}
            file.write(json.dumps(line) + "\n")
    return path


def old_index(root: Path) -> IndexUnderTest:
    index = IndexUnderTest(EmbeddedBackend(), str(root))
    index.write(texts("A", "an old rule"))
    return index


def check_refused(index: IndexUnderTest, code: int, output: str, errors: str) -> None:
    """The load said why in one sentence, and the folder is as it was."""
    assert errors == ""
    assert code == 5, output
    (sentence,) = [line for line in output.splitlines() if line not in ("load", "commit")]
    assert sentence.startswith(f"StorageError: cannot write the index {index.url}: ")
    assert "the same command completes the load later" in sentence
    assert [passage.text for passage in index.content()] == ["an old rule"]
    root = Path(index.url)
    assert {path.name for path in root.iterdir()} <= KEPT
    assert [path.name for path in (root / "generations").iterdir()] == ["000001"]
    with index.opened() as engine:
        assert engine.verify() == []


def check_finishes(index: IndexUnderTest, source: Path) -> None:
    report = ingest([source], index.url, encoder=HashedWords())
    assert report.index.passages == PASSAGES + 1
    with index.opened() as engine:
        assert engine.verify() == []


@contextmanager
def small_disk(place: Path, size: int) -> Iterator[Path]:
    """Mount a disk of some size."""
    place.mkdir(exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", place]
    if os.geteuid() != 0 or subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("needs the right to mount a file system")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


@pytest.fixture(scope="module")
def enough(source: Path, tmp_path_factory: pytest.TempPathFactory) -> int:
    """Bytes of a disk that just suffices for the load."""
    place = tmp_path_factory.mktemp("enough") / "disk"
    too_small, sufficient = 2**18, 2**22
    while sufficient - too_small > 2**14:
        size = (too_small + sufficient) // 2
        with small_disk(place, size):
            index = old_index(place / "index")
            code, _, _ = run(place.parent, load, index.url, source)
        too_small, sufficient = (too_small, size) if code == 0 else (size, sufficient)
    return sufficient


@pytest.mark.parametrize("missing", [0.02, 0.04, 0.06, 0.08, 0.12, 0.3, 0.6, 0.75])
def test_a_full_disk_is_told_and_nothing_is_lost(
    tmp_path: Path, source: Path, enough: int, missing: float
) -> None:
    """The disk fills while vectors are kept, documents staged, or any file of the state built."""
    with small_disk(tmp_path / "disk", int(enough * (1 - missing))) as disk:
        index = old_index(disk / "index")
        check_refused(index, *run(tmp_path, load, index.url, source))
        subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
        check_finishes(index, source)


@pytest.mark.parametrize("limit", [30_000, 60_000, 100_000, 200_000, 400_000])
def test_a_file_size_limit_is_told_and_nothing_is_lost(
    tmp_path: Path, source: Path, limit: int
) -> None:
    index = old_index(tmp_path / "index")
    check_refused(index, *run(tmp_path, load, index.url, source, limit))
    check_finishes(index, source)
    shutil.rmtree(index.url)
