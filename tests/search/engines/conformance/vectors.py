"""Vectors outlive the load that computed them, and belong to texts rather than passages."""

from __future__ import annotations

import numpy as np
import pytest
from engine_samples import (
    DIMENSION,
    ENCODER,
    IndexUnderTest,
    ids,
    put,
    question,
    record,
    text_hash,
    texts,
    vector,
)

from search.errors import ModelError, RiragError
from search.records import EncoderIdentity


def known(index: IndexUnderTest, *wanted: str, encoder: EncoderIdentity = ENCODER) -> set[str]:
    """Which of the texts need not be encoded again."""
    names = {text_hash(text): text for text in wanted}
    with index.begin(encoder) as load:
        return {names[name] for name in load.known_vectors(names)}


class KnownVectors:
    """Asks a load what it knows."""

    def test_a_new_index_knows_nothing(self, index: IndexUnderTest) -> None:
        assert known(index, "one", "two") == set()

    def test_vectors_of_the_index_are_known(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "one", "two"))
        assert known(index, "one", "two", "three") == {"one", "two"}

    def test_vectors_of_an_unfinished_load_are_known_to_the_next(
        self, index: IndexUnderTest
    ) -> None:
        index.write(texts("A", "one"))
        with index.begin() as load:
            load.add_vectors([text_hash("two")], vector("two")[None])
        assert known(index, "one", "two", "three") == {"one", "two"}
        with index.begin() as load:
            load.staging.put("B", "hash", [record(p) for p in texts("B", "two", "one")])
            load.commit()
        with index.opened() as engine:
            best = engine.run(question("two")).dense[0]
            assert ids(engine, [best]) == ["B/1"]
        assert best.score == pytest.approx(1, abs=2e-3)

    def test_vectors_of_an_unfinished_load_are_nothing_to_another_encoder(
        self, index: IndexUnderTest
    ) -> None:
        with index.begin() as load:
            load.add_vectors([text_hash("one")], vector("one")[None])
        other = EncoderIdentity(ENCODER.name, DIMENSION, "2")
        assert known(index, "one", encoder=other) == set()

    def test_equal_texts_share_a_vector(self, index: IndexUnderTest) -> None:
        with index.begin() as load:
            load.add_vectors([text_hash("same")], vector("same")[None])
            for name in "AB":
                load.staging.put(name, name, [record(p) for p in texts(name, "same", "same")])
            load.commit()
        with index.opened() as engine:
            assert len(engine.run(question("same")).dense) == 4

    def test_kept_documents_keep_their_vectors_through_loads(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "one fund", "two"), texts("B", "three"))
        for i in range(3):
            index.write(texts("B", f"changed {i}"))
        with index.opened() as engine:
            best = engine.run(question("one fund")).dense[0]
            assert ids(engine, [best]) == ["A/1"]
        assert best.score == pytest.approx(1, abs=2e-3)

    def test_vectors_of_a_wrong_length_are_refused(self, index: IndexUnderTest) -> None:
        told = index.write(texts("A", "one"))
        wrong = np.ones((1, DIMENSION // 2), np.float32)
        with pytest.raises(RiragError, match="dimension"), index.begin() as load:
            load.add_vectors([text_hash("two")], wrong)
            load.staging.put("B", "B", [record(p) for p in texts("B", "two")])
            load.commit()
        with index.opened() as engine:
            assert engine.describe() == told
        assert known(index, "two") == set()

    @pytest.mark.parametrize("factor", [np.nan, np.inf, 0.0, 3.0])
    def test_what_is_no_unit_vector_is_refused(self, index: IndexUnderTest, factor: float) -> None:
        wrong = np.stack([vector("two"), vector("three") * np.float32(factor)])
        told = "hashed-words gave 1 of 2 vectors with a length other than 1,"
        with pytest.raises(ModelError, match=told), index.begin() as load:
            load.add_vectors([text_hash("two"), text_hash("three")], wrong)
        assert known(index, "two", "three") == set()

    def test_vectors_in_half_precision_will_do(self, index: IndexUnderTest) -> None:
        with index.begin() as load:
            load.add_vectors([text_hash("two")], vector("two")[None].astype(np.float16))
        assert known(index, "two") == {"two"}

    def test_loading_again_the_same_changes_no_answer(self, index: IndexUnderTest) -> None:
        book = texts("A", "a fund must report", "a broker must report", "")
        index.write(book)
        with index.opened() as engine:
            before = engine.run(question("fund report"))
        with index.begin() as load:
            put(load, book)
            load.commit()
        with index.opened() as engine:
            assert engine.run(question("fund report")) == before
