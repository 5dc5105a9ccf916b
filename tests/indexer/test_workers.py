"""Encoder processes: the same vectors as one process gives, and an end whatever happens."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from multiprocessing import active_children
from pathlib import Path

import numpy as np
import pytest
from cli_support import COMMAND, environment
from sample import RULEBOOK

import indexer
import search
from indexer.load.encoding import encode_here
from indexer.load.spool import Batch
from indexer.load.workers import EncoderProcesses
from search.errors import InputError, ModelError
from search.models.encoders import DEFAULT_ENCODER, load_encoder
from search.models.encoders.identity import identity_of
from search.models.encoders.protocol import Encoder

TEXTS = [f"A firm must keep record number {number} of each call. " * 3 for number in range(60)]
LONG = "record " * 3000
INTERRUPTED = 130


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return load_encoder(DEFAULT_ENCODER)


def texts(size: int = 8) -> Iterator[tuple[Batch, list[str]]]:
    """The texts in batches; the last one is too long for the encoder."""
    wanted = [*TEXTS, LONG]
    for start in range(0, len(wanted), size):
        part = wanted[start : start + size]
        yield Batch(tuple(range(start, start + len(part))), tuple(part)), part


def vectors(found) -> dict[str, np.ndarray]:
    return {
        name: vector
        for batch, result in found
        for name, vector in zip(batch.hashes, result.vectors, strict=True)
    }


def test_two_processes_give_what_one_gives(encoder: Encoder) -> None:
    with EncoderProcesses(identity_of(encoder), 2) as processes:
        found = list(processes.encode(texts()))
        again = list(processes.encode(texts()))
    alone = vectors(encode_here(encoder)(texts()))
    for run in (found, again):
        together = vectors(run)
        assert together.keys() == alone.keys()
        for name, vector in together.items():
            assert vector == pytest.approx(alone[name], abs=1e-5)
    cut = [
        name for batch, r in found for name, c in zip(batch.hashes, r.truncated, strict=True) if c
    ]
    assert cut == [LONG]
    assert active_children() == []


def test_nothing_to_encode_starts_no_process(encoder: Encoder) -> None:
    with EncoderProcesses(identity_of(encoder), 2) as processes:
        assert list(processes.encode(iter(()))) == []
        assert active_children() == []


@pytest.mark.parametrize("workers", [0, -1])
def test_less_than_one_worker_is_refused(tmp_path: Path, workers: int) -> None:
    with pytest.raises(InputError, match=f"workers must be 1 or more, not {workers}"):
        indexer.ingest(RULEBOOK, str(tmp_path / "index"), workers=workers)


def test_a_process_that_dies_is_told_and_the_others_end(encoder: Encoder) -> None:
    with (
        pytest.raises(ModelError, match=r"an encoder process was killed by signal 9; .*same comm"),
        EncoderProcesses(identity_of(encoder), 2) as processes,
    ):
        for _ in processes.encode(texts(size=1)):
            for child in active_children():
                os.kill(child.pid or 0, signal.SIGKILL)
    assert active_children() == []


def test_an_interrupted_run_leaves_no_process(encoder: Encoder) -> None:
    with (
        pytest.raises(KeyboardInterrupt),
        EncoderProcesses(identity_of(encoder), 2) as processes,
    ):
        for _ in processes.encode(texts()):
            raise KeyboardInterrupt
    assert active_children() == []


def test_an_encoder_that_a_process_cannot_load_is_told(encoder: Encoder) -> None:
    unknown = replace(identity_of(encoder), name="nope")
    with (
        pytest.raises(ModelError, match="an encoder process failed: unknown encoder 'nope'"),
        EncoderProcesses(unknown, 2) as processes,
    ):
        list(processes.encode(texts()))


def test_another_revision_in_a_process_is_refused(encoder: Encoder) -> None:
    changed = replace(identity_of(encoder), revision="1")
    with (
        pytest.raises(ModelError, match="differs in an encoder process"),
        EncoderProcesses(changed, 2) as processes,
    ):
        list(processes.encode(texts()))


def test_a_load_with_workers_is_the_load_without(tmp_path: Path) -> None:
    reports = {
        count: indexer.ingest([RULEBOOK], str(tmp_path / str(count)), workers=count)
        for count in (1, 2)
    }
    assert reports[2].encoded == reports[1].encoded
    found = []
    for count in reports:
        with search.open(str(tmp_path / str(count))) as index:
            hits = index.search("how soon must a complaint be answered?", 5).hits
            found.append([(hit.id, round(hit.score, 3)) for hit in hits])
    assert found[0] == found[1]


def test_ctrl_c_ends_a_run_with_workers_and_what_was_encoded_is_kept(tmp_path: Path) -> None:
    source = tmp_path / "rules.txt"
    rules = (f"1.{n}\tA firm must keep record {n}. {'True. ' * 20}" for n in range(3000))
    source.write_text("\n".join(rules))
    command = [*COMMAND, "ingest", str(source), "--index", "index", "--workers", "2"]
    process = subprocess.Popen(
        command, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, start_new_session=True,
    )  # fmt: skip
    wait_for_vectors(tmp_path / "index" / "pending.sqlite", process)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (INTERRUPTED, ""), err
    assert (
        err.lstrip()
        == "rirag: interrupted; the index is as it was before, and the same command continues\n"
    )
    assert (tmp_path / "index" / "pending.sqlite").stat().st_size > EMPTY
    assert run_out(process.pid)


EMPTY = 100_000
"""Bytes of a file of pending vectors that has none."""


def wait_for_vectors(path: Path, process: subprocess.Popen[str]) -> None:
    """Wait until the first batch is kept."""
    while process.poll() is None and not (path.is_file() and path.stat().st_size > EMPTY):
        time.sleep(0.05)
    assert process.poll() is None, process.communicate()


def run_out(session: int) -> bool:
    """Return whether the last process of a session ends within a moment."""
    for _ in range(100):
        try:
            os.killpg(session, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False
