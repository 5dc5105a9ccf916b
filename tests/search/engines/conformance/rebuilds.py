"""A rebuild begins with nothing, and takes the place of everything on its commit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from engine_samples import (
    DIMENSION,
    IndexUnderTest,
    ids,
    put,
    question,
    record,
    text_hash,
    texts,
    vector,
)

from search.errors import EncoderMismatchError, InputError
from search.records import EncoderIdentity

OTHER = EncoderIdentity("doubled-words", 2 * DIMENSION, "7")


def doubled(text: str) -> np.ndarray:
    """The vector of the other encoder."""
    row = np.concatenate([vector(text), vector(text[::-1])])
    return row / np.linalg.norm(row)


def rebuild(index: IndexUnderTest, *words: str) -> None:
    """Replace everything by one document of the other encoder."""
    with index.begin(OTHER, rebuild=True) as load:
        load.add_vectors([text_hash(w) for w in words], np.stack([doubled(w) for w in words]))
        load.staging.put("N", "new", [record(p) for p in texts("N", *words)])
        load.commit()


class Rebuilds:
    """Loads with `rebuild=True`."""

    def test_a_rebuild_replaces_everything_and_may_change_the_encoder(
        self, index: IndexUnderTest
    ) -> None:
        index.write(texts("A", "old fund"), texts("B", "old broker"))
        rebuild(index, "new fund", "new broker")
        assert [(p.id, p.text) for p in index.content()] == [
            ("N/1", "new fund"), ("N/2", "new broker"),
        ]  # fmt: skip
        with index.opened() as engine:
            assert engine.describe().encoder == OTHER
            assert [one.document_id for one in engine.documents()] == ["N"]
            found = engine.run(replace(question("new fund"), vector=doubled("new fund")))
            assert ids(engine, found.lexical) == ["N/1", "N/2"]
            assert ids(engine, [found.dense[0]]) == ["N/1"]
        with pytest.raises(EncoderMismatchError):
            index.begin()

    def test_a_rebuild_begins_with_no_documents(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "one"), texts("B", "two"))
        with index.begin(rebuild=True) as load:
            assert dict(load.document_hashes()) == {}
            with pytest.raises(InputError, match="'A'"):
                load.delete_document("A")
            put(load, texts("B", "two"))
            load.commit()
        assert [p.id for p in index.content()] == ["B/1"]

    def test_a_rebuild_left_without_commit_changes_nothing(self, index: IndexUnderTest) -> None:
        told = index.write(texts("A", "one"))
        with index.begin(OTHER, rebuild=True) as load:
            load.staging.put("N", "new", [record(p) for p in texts("N", "")])
        with index.opened() as engine:
            assert engine.describe() == told
        index.write(texts("B", "two"))
        assert [p.id for p in index.content()] == ["A/1", "B/1"]

    def test_a_rebuild_makes_an_index_where_there_is_none(self, index: IndexUnderTest) -> None:
        with index.begin(rebuild=True) as load:
            put(load, texts("A", "one"))
            load.commit()
        assert [p.text for p in index.content()] == ["one"]

    def test_what_is_open_stays_as_it_was_beside_a_rebuild(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "old fund"))
        with index.opened() as engine:
            before = engine.run(question("fund"))
            rebuild(index, "new fund")
            assert engine.run(question("fund")) == before
            assert ids(engine, before.lexical) == ["A/1"]
