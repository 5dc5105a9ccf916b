"""Made corpora are as large as asked, all different, and made of the real words."""

from __future__ import annotations

from collections import Counter
from itertools import groupby

import numpy as np
import pytest
from sample import RULEBOOK

import indexer
from benchmarks.exact import exact_neighbours
from benchmarks.random_encoder import DIMENSION, RandomEncoder, random_vectors
from benchmarks.scale_corpus import copied_documents
from search.records import Passage
from search.text.analyzer import tokens


@pytest.fixture(scope="module")
def real() -> list[Passage]:
    return [passage for passage in indexer.read(RULEBOOK) if passage.text.strip()]


@pytest.mark.parametrize("size", [1, 100, 500])
def test_a_corpus_has_the_size_asked_for(real: list[Passage], size: int) -> None:
    assert sum(map(len, copied_documents(real, size))) == size


def test_copies_differ_in_everything_that_must_be_unique(real: list[Passage]) -> None:
    documents = list(copied_documents(real, 3 * len(real)))
    records = [record for document in documents for record in document]
    assert len({record.passage.id for record in records}) == len(records)
    assert len({record.vector_hash for record in records}) == len(records)
    assert len({document[0].passage.document_id for document in documents}) == len(documents)
    long = [record for record in records if len(record.tokens) > 20]
    assert len({record.tokens for record in long}) == len(long)


def test_a_copy_has_the_words_of_its_document_and_the_lengths_of_its_passages(
    real: list[Passage],
) -> None:
    first = next(copied_documents(real, len(real)))
    original = next(list(group) for _, group in groupby(real, lambda p: p.document_id))
    made = [record.passage.text.split() for record in first]
    assert [len(text) for text in made] == [len(passage.text.split()) for passage in original]
    words = Counter(word for text in made for word in text)
    assert words == Counter(word for p in original for word in p.text.split())
    assert all(list(record.tokens) == tokens(record.passage.text) for record in first)


def test_parents_stay_within_the_copy(real: list[Passage]) -> None:
    documents = list(copied_documents(real, 2 * len(real)))
    ids = {record.passage.id for document in documents for record in document}
    parents = {r.passage.parent for d in documents for r in d if r.passage.parent}
    assert len(parents & ids) > len(parents) / 2


def test_random_vectors_are_unit_vectors_that_come_again() -> None:
    vectors = random_vectors(50, 7)
    assert vectors.shape == (50, DIMENSION)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.array_equal(vectors, random_vectors(50, 7))
    assert not np.allclose(vectors, random_vectors(50, 8))
    one, again, other = RandomEncoder().encode_questions(["a", "a", "b"])
    assert np.array_equal(one, again)
    assert abs(float(one @ other)) < 0.5


def test_exact_neighbours_are_the_same_in_batches_and_at_once() -> None:
    questions = RandomEncoder().encode_questions(["x", "y", "z"])
    found = exact_neighbours(questions, 1000, 300)
    whole = np.concatenate(
        [random_vectors(min(300, 1000 - first), first) for first in range(0, 1000, 300)]
    )
    for question, rows in zip(questions, found, strict=True):
        assert rows == np.argsort(-(whole @ question), kind="stable")[:100].tolist()
