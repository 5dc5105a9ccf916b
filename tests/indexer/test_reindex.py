"""`indexer.reindex`: the same passages with other vectors, and nothing in between."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest
from sample import PASSAGES, RULEBOOK, record, write_lines

import indexer
import search
from search.engines.embedded.engine import EmbeddedEngine
from search.errors import (
    EncoderMismatchError,
    IndexBusyError,
    IndexCorruptError,
    IndexUnavailableError,
    InputError,
)
from search.models.encoders import DEFAULT_ENCODER
from search.models.encoders.protocol import EncodedPassages, Encoder


class Mirrored:
    """The encoder that ships, with every vector turned round."""

    def __init__(self, encoder: Encoder) -> None:
        self.name, self.dimension, self.revision = "mirrored", encoder.dimension, "1"
        self._encoder = encoder
        self.texts = 0

    def encode_questions(self, texts: Sequence[str]) -> np.ndarray:
        return -self._encoder.encode_questions(texts)

    def encode_passages(self, texts: Sequence[str]) -> EncodedPassages:
        self.texts += len(texts)
        found = self._encoder.encode_passages(texts)
        return EncodedPassages(-found.vectors, found.truncated)


@pytest.fixture(scope="module")
def mirrored(shipped: Encoder) -> Mirrored:
    return Mirrored(shipped)


def passages(url: str, encoder: Encoder) -> list[search.Passage]:
    with search.open(url, encoder=encoder) as index:
        return index.passages()


def test_another_encoder_takes_the_place_of_the_old_one(url, shipped):
    mirrored = Mirrored(shipped)
    before = passages(url, shipped)
    report = indexer.reindex(url, encoder=mirrored)
    assert (report.before.encoder.name, report.after.encoder.name) == (DEFAULT_ENCODER, "mirrored")
    assert (report.after.passages, report.after.documents) == (PASSAGES, 4)
    assert report.encoded == mirrored.texts > 200
    assert passages(url, mirrored) == before
    with pytest.raises(EncoderMismatchError):
        search.open(url, encoder=shipped)
    with search.open(url, encoder=mirrored) as index:
        hit = index.search("complaint final response", 1, profile="dense").hits[0]
        assert hit.passage_id.startswith("6.2")


def test_documents_are_as_they_were_loaded(url, mirrored):
    indexer.reindex(url, encoder=mirrored)
    again = indexer.ingest([RULEBOOK], url, encoder=mirrored)
    assert (len(again.unchanged), again.added, again.changed) == (4, (), ())


def test_the_same_encoder_encodes_nothing_again(url):
    report = indexer.reindex(url)
    assert report.encoded == 0
    assert report.reused > 200
    assert report.after.generation != report.before.generation
    assert f"encoder {DEFAULT_ENCODER}, vectors exact." in report.summary()


def test_what_was_kept_is_told(url, mirrored):
    report = indexer.reindex(url, encoder=mirrored)
    lines = report.summary().split("\n")
    assert (
        f"{PASSAGES} passages of 4 documents, encoder mirrored instead of {DEFAULT_ENCODER},"
        in lines[0]
    )
    assert lines[-1] == "The previous state, generation 000001, is kept until the next load."
    assert json.loads(json.dumps(report.to_json()))["before"]["generation"] == "000001"


def test_a_search_that_is_open_stays_as_it_was(url, mirrored):
    with search.open(url) as index:
        before = [hit.id for hit in index.search("complaints").hits]
        indexer.reindex(url, encoder=mirrored)
        assert [hit.id for hit in index.search("complaints").hits] == before


def test_an_encoder_that_fails_changes_nothing(url, shipped):
    class Failing(Mirrored):
        def encode_passages(self, texts: Sequence[str]) -> EncodedPassages:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        indexer.reindex(url, encoder=Failing(shipped))
    with search.open(url) as index:
        assert index.describe().generation == "000001"


def test_a_run_that_was_cut_off_is_finished_by_the_next(url, shipped, monkeypatch):
    monkeypatch.setattr("indexer.load.spool.BATCH", 64)
    encoder = Mirrored(shipped)
    whole = indexer.reindex(url).reused

    def stop(stage: str, done: int, total: int) -> None:
        if stage == "encode" and done > 100:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        indexer.reindex(url, encoder=encoder, progress=stop)
    report = indexer.reindex(url, encoder=encoder)
    assert report.reused > 100
    assert report.encoded + report.reused == whole


def test_stages_are_told(url, mirrored):
    told: list[str] = []
    indexer.reindex(url, encoder=mirrored, progress=lambda stage, *_: told.append(stage))
    assert list(dict.fromkeys(told)) == ["read", "encode", "load"]


def test_nobody_loads_while_the_passages_are_read(url, tmp_path):
    source = write_lines(tmp_path / "more.jsonl", record("1", "One more rule."))
    refused = []

    def load_beside(stage: str, done: int, total: int) -> None:
        if stage == "read" and done == total:
            with pytest.raises(IndexBusyError):
                indexer.ingest([source], url)
            refused.append(stage)

    indexer.reindex(url, progress=load_beside)
    assert refused == ["read"]


def test_what_was_loaded_before_the_passages_are_read_stays(url, tmp_path, monkeypatch, shipped):
    source = write_lines(tmp_path / "more.jsonl", record("1", "One more rule."))

    def load_meanwhile(name: str) -> Encoder:
        indexer.ingest([source], url, encoder=shipped)
        return shipped

    monkeypatch.setattr("search.models.encoders.load_encoder", load_meanwhile)
    report = indexer.reindex(url)
    assert report.after.passages == report.before.passages == PASSAGES + 1
    assert report.before.generation == "000002"


def test_an_encoder_that_changed_meanwhile_is_not_changed_back(url, mirrored, monkeypatch, shipped):
    def reindex_meanwhile(name: str) -> Encoder:
        indexer.reindex(url, encoder=mirrored)
        return shipped

    monkeypatch.setattr("search.models.encoders.load_encoder", reindex_meanwhile)
    with pytest.raises(IndexBusyError, match="with the encoder mirrored instead of"):
        indexer.reindex(url)
    with search.open(url, encoder=mirrored) as index:
        assert index.describe().generation == "000002"


def test_an_index_that_lost_passages_is_left_alone(url, mirrored, monkeypatch):
    monkeypatch.setattr(EmbeddedEngine, "find", lambda self, filters, limit=None: [])
    with pytest.raises(IndexCorruptError, match="should hold 228 passages of 4 documents, but 0 p"):
        indexer.reindex(url, encoder=mirrored)


def test_an_index_that_is_not_there_is_told(tmp_path):
    with pytest.raises(IndexUnavailableError, match="does not exist; make it with: rirag ingest"):
        indexer.reindex(str(tmp_path / "nowhere"))


def test_a_folder_is_not_rolled_back(url):
    with pytest.raises(InputError, match="only an index in Elasticsearch or OpenSearch can be rol"):
        indexer.rollback(url)
