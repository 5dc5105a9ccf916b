"""Several processes encode for one load: who takes what, and what is waited for."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from indexer.load import batches, encoding, joining
from indexer.load.batches import cells
from indexer.load.documents import arrange_documents
from indexer.load.reading import read_into
from indexer.load.sources import find_sources
from indexer.load.spool import KNOWN, MISSING, Spool, open_spool
from indexer.load.titles import Titles
from search.errors import IndexUnavailableError, LoadEndedError


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "WINDOW", 8)
    monkeypatch.setattr(batches, "BATCH", 2)
    monkeypatch.setattr(encoding, "PAUSE_S", 0.0)


def write(path: Path, count: int = 20, document: str = "1") -> Path:
    records = [
        {
            "ID": f"{document}-{n}",
            "DocumentID": document,
            "PassageID": f"1.{n}",
            "Passage": f"{document}.{n} " + "Rule. " * (7 * n % 11),
        }
        for n in range(count)
    ]
    path.write_text(json.dumps(records))
    return path


def filled(spool: Spool, *sources: Path) -> Spool:
    read_into(spool, find_sources(sources), Titles(None))
    arrange_documents(spool, {})
    return spool


class Joined:
    """A share of a load that another process has begun, over the index in memory."""

    def __init__(self, index) -> None:
        self.index = index
        self.ends_after: int | None = None
        self.claimed: list[str] = []

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def known_vectors(self, hashes):
        return set(hashes) & set(self.index.vectors)

    def add_vectors(self, hashes, vectors) -> None:
        self.index.vectors.update(zip(hashes, vectors, strict=True))

    def claim(self, hashes) -> bool:
        if self.ends_after is not None and len(self.claimed) >= self.ends_after:
            raise LoadEndedError("no load is under way")
        self.claimed += hashes
        return self.index.claims.isdisjoint(hashes)


def test_cells_are_the_same_whatever_is_known_already(tmp_path):
    source = write(tmp_path / "1.json")
    with open_spool() as one, open_spool() as other:
        early = {cell.name: cell.missing for cell in cells(filled(one, source))}
        filled(other, source)
        known = [name for _, name in other.missing(100)][::3]
        other.mark(known, KNOWN)
        late = {cell.name: cell.missing for cell in cells(other)}
    assert len(early) == 10
    assert late.keys() <= early.keys()
    for name, missing in late.items():
        assert missing == tuple(one for one in early[name] if one[1] not in known)


def test_cells_of_other_sources_have_other_names(tmp_path):
    sources = [write(tmp_path / f"{name}.json", document=name) for name in "12"]
    with open_spool() as one, open_spool() as other:
        names = [{cell.name for cell in cells(filled(one, sources[0]))}]
        names.append({cell.name for cell in cells(filled(other, sources[1]))})
    assert names[0].isdisjoint(names[1])


def test_small_cells_share_a_batch(tmp_path, index):
    with open_spool() as spool:
        filled(spool, write(tmp_path / "1.json"))
        every = [name for _, name in spool.missing(100)]
        spool.mark(every[::2], KNOWN)
        found = list(batches.batches(spool, Joined(index)))
    assert sorted(name for batch in found for name in batch.hashes) == sorted(every[1::2])
    assert max(len(batch.hashes) for batch in found) == 2
    assert len(found) < 10


def test_what_another_process_claims_is_left_to_it(tmp_path, ingest, index, encoder, monkeypatch):
    source = write(tmp_path / "1.json")
    with open_spool() as spool:
        taken = list(cells(filled(spool, source)))[::2]
    index.claims = {cell.name for cell in taken}
    theirs = {name for cell in taken for _, name in cell.missing}

    def deliver(_seconds: float) -> None:
        index.vectors.update((name, np.zeros(8, np.float32)) for name in theirs)

    monkeypatch.setattr("time.sleep", deliver)
    told: list[tuple[str, int, int]] = []
    report = ingest(source, progress=lambda *step: told.append(step))
    assert report.helped == len(theirs)
    assert report.encoded == len(encoder.texts) == len(index.vectors) - len(theirs)
    assert report.reused == 0
    assert [step for step in told if step[0] == "encode"][-1] == ("encode", 20, 20)
    assert f"Other machines encoded {len(theirs)} more." in report.summary()


def test_claims_that_come_to_nothing_are_passed_over(tmp_path, ingest, index, monkeypatch):
    source = write(tmp_path / "1.json")
    monkeypatch.setattr(encoding, "PATIENCE_S", 0.05)
    with open_spool() as spool:
        index.claims = {cell.name for cell in cells(filled(spool, source))}
    report = ingest(source)
    assert (report.encoded, report.helped) == (20, 0)


@pytest.fixture
def joined(index, monkeypatch) -> Joined:
    """What `indexer.join` gets from its backend."""
    share = Joined(index)
    index.join = lambda url, encoder: share
    monkeypatch.setattr(joining, "locate", lambda url, server: index)
    return share


def test_a_process_that_joins_encodes_what_is_free(tmp_path, index, encoder, joined):
    source = write(tmp_path / "1.json")
    with open_spool() as spool:
        every = list(cells(filled(spool, source)))
    index.claims = {cell.name for cell in every[:4]}
    report = joining.join(source, "memory", encoder=encoder)
    free = {name for cell in every[4:] for _, name in cell.missing}
    assert set(index.vectors) == free
    assert (report.encoded, report.passages, report.ended) == (len(free), 20, False)
    assert (index.loaded, index.commits) == ({}, 0)
    assert "the process that began the load completes it." in report.summary()


def test_a_load_that_ends_meanwhile_is_no_error(tmp_path, index, encoder, joined):
    joined.ends_after = 3
    report = joining.join(write(tmp_path / "1.json"), "memory", encoder=encoder)
    assert report.ended
    assert report.encoded == len(index.vectors)
    assert "The load has ended meanwhile." in report.summary()
    assert json.loads(json.dumps(report.to_json()))["ended"] is True


def test_a_process_that_joins_tells_of_files_that_it_left_out(tmp_path, encoder, joined):
    folder = tmp_path / "sources"
    folder.mkdir()
    write(folder / "1.json")
    (folder / "2.docx").write_bytes(b"PK no archive")
    report = joining.join(folder, "memory", encoder=encoder)
    assert report.passages == 20
    assert len(report.refused) == 1
    assert "2.docx" in report.refused[0]


def test_a_server_that_goes_meanwhile_is_an_error(tmp_path, encoder, joined):
    def gone(hashes):
        raise IndexUnavailableError("the server does not answer")

    joined.known_vectors = gone
    with pytest.raises(IndexUnavailableError, match="does not answer"):
        joining.join(write(tmp_path / "1.json"), "memory", encoder=encoder)


def test_both_together_encode_everything_once(tmp_path, ingest, index, encoder, joined):
    source = write(tmp_path / "1.json")
    joined.ends_after = 6
    joining.join(source, "memory", encoder=encoder)
    half = len(encoder.texts)
    report = ingest(source)
    assert 0 < half < 20
    assert len(encoder.texts) == len(set(encoder.texts)) == 20
    assert (report.encoded, report.reused) == (20 - half, half)
    with open_spool() as spool:
        filled(spool, source)
        assert spool.count(MISSING) == 20
