"""A second process computes vectors for a load: `rirag ingest --join`."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_support import COMMAND, environment, run

from indexer.load.batches import Cell, cells
from indexer.load.documents import arrange_documents
from indexer.load.reading import read_into
from indexer.load.sources import find_sources
from indexer.load.spool import open_spool
from indexer.load.titles import Titles
from search.engines import Load, locate
from search.models.encoders import DEFAULT_ENCODER, load_encoder
from search.models.encoders.identity import identity_of

PASSAGES = 600


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Short passages, enough for three batches."""
    path = tmp_path_factory.mktemp("joined") / "rules.txt"
    rules = (f"1.{n}\tA firm must keep record {n}. {'True. ' * (n % 9)}" for n in range(PASSAGES))
    path.write_text("\n".join(rules))
    return path


@pytest.fixture(scope="module")
def work(book: Path) -> list[Cell]:
    """What two processes can share of it."""
    with open_spool() as spool:
        read_into(spool, find_sources(book), Titles(None))
        arrange_documents(spool, {})
        return list(cells(spool))


@pytest.fixture
def load(index_url: str) -> Iterator[Load]:
    """A load that this process has begun."""
    identity = identity_of(load_encoder(DEFAULT_ENCODER))
    with locate(index_url).load(index_url, identity) as load:
        yield load


def hashes(some: list[Cell]) -> list[str]:
    return [name for cell in some for _, name in cell.missing]


def test_a_process_that_joins_leaves_what_others_claimed(
    book: Path, work: list[Cell], load: Load, index_url: str, tmp_path: Path
) -> None:
    ours, theirs = work[:2], work[2:]
    assert all(load.claim([cell.name]) for cell in ours)
    shown = run("ingest", book, "--index", index_url, "--join", "--json", cwd=tmp_path)
    assert (shown.code, shown.err) == (0, "")
    assert shown.json["encoded"] == len(hashes(theirs))
    assert not shown.json["ended"]
    assert load.known_vectors(hashes(work)) == set(hashes(theirs))


def test_the_process_that_began_uses_what_was_computed_for_it(
    book: Path, work: list[Cell], load: Load, index_url: str, tmp_path: Path
) -> None:
    assert load.claim([work[0].name])
    run("ingest", book, "--index", index_url, "--join", "--workers", 2, cwd=tmp_path)
    load.__exit__(None, None, None)
    report = run("ingest", book, "--index", index_url, "--json", cwd=tmp_path).json
    assert report["index"]["passages"] == PASSAGES
    assert report["encoded"] == len(hashes(work[:1]))
    assert report["reused"] == len(hashes(work[1:]))


def test_what_a_process_that_died_had_claimed_is_free_for_others(
    book: Path, work: list[Cell], load: Load, index_url: str, tmp_path: Path
) -> None:
    command = [*COMMAND, "ingest", str(book), "--index", index_url, "--join"]
    with subprocess.Popen(command, cwd=tmp_path, env=environment()) as helper:
        while helper.poll() is None and not load.known_vectors(hashes(work)):
            time.sleep(0.1)
        os.kill(helper.pid, signal.SIGKILL)
    assert load.known_vectors(hashes(work))
    assert all(load.claim([cell.name]) for cell in work)


def test_a_load_that_ends_ends_the_help(
    book: Path, load: Load, index_url: str, work: list[Cell], tmp_path: Path
) -> None:
    command = [*COMMAND, "ingest", str(book), "--index", index_url, "--join"]
    with subprocess.Popen(command, cwd=tmp_path, env=environment(), stdout=-1, text=True) as helper:
        while helper.poll() is None and not load.known_vectors(hashes(work)):
            time.sleep(0.1)
        load.__exit__(None, None, None)
        out, _ = helper.communicate(timeout=120)
    assert helper.returncode == 0
    assert "The load has ended meanwhile." in out or "The remaining texts are encoded" in out
