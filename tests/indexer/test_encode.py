"""Vectors made in shards, without an index, and a load that takes them."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

import indexer
from indexer.load import spool as spooled
from indexer.load.documents import arrange_documents
from indexer.load.reading import read_into
from indexer.load.shards import SUFFIX, Shard, files_in
from indexer.load.sources import find_sources
from indexer.load.spool import Spool
from indexer.load.titles import Titles
from search.engines.vector_file import VectorFile, encoder_of_file
from search.errors import RiragError, StorageError
from search.models.encoders.identity import identity_of
from search.records import EncoderIdentity

TEXTS = 20


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "1.json"
    records = [
        {
            "ID": str(n),
            "DocumentID": "1",
            "PassageID": f"1.{n}",
            "Passage": f"{n} " + "Rule. " * (7 * n % 11),
        }
        for n in range(TEXTS)
    ]
    path.write_text(json.dumps(records))
    return path


def refused(code: str, work) -> None:
    with pytest.raises(RiragError, check=lambda error: error.code == code):
        work()


def test_texts_are_encoded_from_short_to_long_in_each_window(source, monkeypatch):
    monkeypatch.setattr(spooled, "WINDOW", 8)
    monkeypatch.setattr(spooled, "BATCH", 3)
    with Spool.opened() as spool:
        read_into(spool, find_sources(source), Titles(None))
        arrange_documents(spool, {})
        length = {position: size for one in spool.missing(100) for position, _, size in one}
        found = [batch.positions for batch in spooled.batches(spool)]
    assert [len(one) for one in found] == [3, 3, 2, 3, 3, 2, 3, 1]
    assert sorted(position for one in found for position in one) == sorted(length)
    for window in (found[:3], found[3:6], found[6:]):
        sizes = [length[position] for one in window for position in one]
        assert sizes == sorted(sizes)


def test_shards_share_the_texts_and_a_load_takes_all_vectors(
    source, tmp_path, ingest, index, encoder
):
    shards = [f"{n}/3" for n in (1, 2, 3)]
    reports = [indexer.encode(source, tmp_path / "v", shard=n, encoder=encoder) for n in shards]
    assert sum(report.encoded for report in reports) == len(set(encoder.texts)) == TEXTS
    assert min(report.encoded for report in reports) > 0
    assert {Path(report.file) for report in reports} == set(files_in(tmp_path / "v"))
    report = ingest(source, vectors=files_in(tmp_path / "v"))
    assert (report.encoded, report.reused, len(encoder.texts)) == (0, TEXTS, TEXTS)
    made = {record.vector_hash: encoder._row(record.passage.text) for record in index.records()}
    assert set(index.vectors) == set(made)


def test_vectors_from_a_file_are_those_of_the_load_itself(source, tmp_path, ingest, index, encoder):
    ingest(source)
    here, index.vectors, index.loaded = index.vectors, {}, {}
    indexer.encode(source, tmp_path / "v", encoder=encoder)
    ingest(source, vectors=files_in(tmp_path / "v"))
    assert here.keys() == index.vectors.keys()
    assert all(np.array_equal(here[name], index.vectors[name]) for name in here)


def test_a_load_encodes_what_a_missing_shard_lacks(source, tmp_path, ingest, encoder):
    half = indexer.encode(source, tmp_path / "v", shard="1/2", encoder=encoder).encoded
    report = ingest(source, vectors=files_in(tmp_path / "v"))
    assert (report.encoded, report.reused) == (TEXTS - half, half)


def test_what_was_interrupted_is_finished(source, tmp_path, encoder, monkeypatch):
    monkeypatch.setattr(spooled, "BATCH", 2)
    encoder.fails_after = 6
    with pytest.raises(KeyboardInterrupt):
        indexer.encode(source, tmp_path / "v", encoder=encoder)
    encoder.fails_after = None
    report = indexer.encode(source, tmp_path / "v", encoder=encoder)
    assert (report.encoded, report.reused) == (TEXTS - 6, 6)
    assert "reused 6." in report.summary()
    assert json.loads(json.dumps(report.to_json()))["reused"] == 6


def test_vectors_of_another_encoder_are_refused_and_kept(source, tmp_path, ingest, encoder):
    file = Path(indexer.encode(source, tmp_path / "v", encoder=encoder).file)
    encoder.revision = "2"
    refused("encoder.mismatch", lambda: indexer.encode(source, file.parent, encoder=encoder))
    refused("encoder.mismatch", lambda: ingest(source, vectors=[file]))
    assert encoder_of_file(file) == EncoderIdentity("words", encoder.dimension, "1")


def test_what_is_no_file_of_vectors_is_refused(source, tmp_path, ingest):
    file = tmp_path / f"1-of-1{SUFFIX}"
    file.write_bytes(b"not a database" * 500)
    refused("vectors.invalid", lambda: ingest(source, vectors=[file]))
    assert file.read_bytes().startswith(b"not")


def test_a_folder_without_vectors_is_refused(source, tmp_path):
    refused("vectors.missing", lambda: indexer.ingest(source, tmp_path / "i", vectors=tmp_path))
    assert not (tmp_path / "i").exists()


def test_a_folder_that_cannot_be_made_is_refused(source, encoder):
    with pytest.raises(StorageError):
        indexer.encode(source, source / "v", encoder=encoder)


@pytest.mark.parametrize("text", ["", "3", "0/3", "4/3", "1/0", "-1/3", "1/3/5", "a/b", 3])
def test_a_shard_has_two_numbers(text):
    refused("shard.invalid", lambda: Shard.parse(text))


def test_files_left_out_are_reported(source, tmp_path, encoder):
    (tmp_path / "2.docx").write_bytes(b"PK no archive")
    report = indexer.encode(tmp_path, tmp_path / "v", encoder=encoder)
    assert (report.passages, len(report.refused)) == (TEXTS, 1)
    refused(
        "source.refused",
        lambda: indexer.encode(tmp_path, tmp_path / "w", encoder=encoder, strict=True),
    )


def test_a_file_keeps_what_was_added_and_nothing_of_another_encoder(tmp_path, encoder):
    path, one = tmp_path / "file", np.eye(encoder.dimension, dtype=np.float32)[:2]
    with closing(VectorFile(path, identity_of(encoder), np.float16)) as file:
        file.add_vectors(["a", "b"], one)
        assert file.known_vectors(["a", "c"]) == {"a"}
    with closing(VectorFile(path, identity_of(encoder), np.float16)) as file:
        assert np.array_equal(file.vectors(["b", "c"])["b"], one[1])
    other = EncoderIdentity("words", encoder.dimension, "2")
    with closing(VectorFile(path, other, np.float16)) as file:
        assert len(file) == 0
