"""The dense retriever is exact cosine over the vectors it was given."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from engine_samples import DIMENSION, IndexUnderTest, ids, question, texts, vector

from search.candidates import NO_CANDIDATES
from search.errors import ModelError

HALF_PRECISION = 2e-3
"""How far a cosine of float16 vectors may be from that of float32 ones."""


class DenseRetriever:
    """Runs the dense retriever against numpy."""

    def test_scores_are_numpys_cosines(self, index: IndexUnderTest) -> None:
        rules = [f"rule {i} binds {i % 7} firms and {i % 5} funds" for i in range(60)]
        index.write(texts("A", *rules[:25]), texts("B", *rules[25:]))
        cosines = np.stack([vector(rule) for rule in rules]) @ vector("which rule binds 3 funds")
        best = np.argsort(-cosines, kind="stable")[:20]
        with index.opened() as engine:
            retriever = engine.run(question("which rule binds 3 funds", depth=20)).dense
            content = [passage.text for passage in engine.passages([one.key for one in retriever])]
        assert [one.score for one in retriever] == pytest.approx(cosines[best], abs=HALF_PRECISION)
        exact = dict(zip(rules, cosines, strict=True))
        assert [exact[text] for text in content] == pytest.approx(cosines[best], abs=HALF_PRECISION)

    def test_the_same_text_has_cosine_one(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "a fund is managed", "a broker trades"))
        with index.opened() as engine:
            first = engine.run(question("a broker trades")).dense[0]
            assert ids(engine, [first]) == ["A/2"]
        assert first.score == pytest.approx(1, abs=HALF_PRECISION)

    def test_equal_vectors_are_in_index_order(self, index: IndexUnderTest) -> None:
        index.write(texts("B", *["Not used"] * 30), texts("A", *["Not used"] * 30))
        with index.opened() as engine:
            retriever = engine.run(question("anything", depth=40)).dense
            assert ids(engine, retriever) == [passage.id for passage in index.content()][:40]

    def test_depth_beyond_the_corpus_gives_every_vector(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "one", "", "two"))
        with index.opened() as engine:
            retriever = engine.run(question("one", depth=1000)).dense
            assert sorted(ids(engine, retriever)) == ["A/1", "A/3"]

    @pytest.mark.parametrize("dimension", [DIMENSION - 1, DIMENSION + 1])
    def test_a_question_of_another_dimension_is_refused(
        self, index: IndexUnderTest, dimension: int
    ) -> None:
        index.write(texts("A", "one"))
        other = np.full(dimension, dimension**-0.5, np.float32)
        with (
            index.opened() as engine,
            pytest.raises(ModelError, match=r"dimension 16; .*, hashed-words$"),
        ):
            engine.run(replace(question("one"), vector=other))

    def test_no_vector_no_retriever(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "one"))
        with index.opened() as engine:
            found = engine.run(replace(question("one"), vector=None))
        assert found.dense == NO_CANDIDATES
        assert found.lexical
