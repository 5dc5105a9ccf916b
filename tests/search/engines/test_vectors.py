"""The two-pass scan of many vectors finds what an exact comparison finds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from search.engines.embedded.vectors import DIRECT_BELOW, VectorIndex, VectorWriter

COUNT, DIMENSION = 3 * DIRECT_BELOW, 48
COPIES = 500
"""Rows that hold one and the same vector, as the many passages `Deleted.` of a rulebook do."""


def unit(rows: np.ndarray) -> np.ndarray:
    return (rows / np.linalg.norm(rows, axis=-1, keepdims=True)).astype(np.float32)


@pytest.fixture(scope="module")
def vectors() -> np.ndarray:
    """Clustered, as texts are: neighbours differ by little."""
    random = np.random.default_rng(5)
    centres = random.standard_normal((60, DIMENSION))
    rows = centres[random.integers(60, size=COUNT)] + 0.5 * random.standard_normal(
        (COUNT, DIMENSION)
    )
    rows[3::23][:COPIES] = rows[3]
    return unit(rows)


@pytest.fixture(scope="module")
def rows() -> np.ndarray:
    """Row numbers with gaps: empty passages have no vector."""
    return np.arange(COUNT, dtype=np.uint32) * 3 + 1


@pytest.fixture(scope="module")
def index(vectors: np.ndarray, rows: np.ndarray, tmp_path_factory) -> VectorIndex:
    folder: Path = tmp_path_factory.mktemp("vectors")
    writer = VectorWriter(folder)
    for part in np.array_split(np.arange(COUNT), 7):
        writer.write(rows[part], vectors[part].astype(np.float16))
    writer.close()
    return VectorIndex(folder, DIMENSION)


@pytest.fixture(scope="module")
def questions(vectors: np.ndarray) -> np.ndarray:
    random = np.random.default_rng(6)
    near = vectors[random.integers(COUNT, size=40)]
    return unit(near + 0.1 * random.standard_normal(near.shape))


def exact(vectors: np.ndarray, rows: np.ndarray, question: np.ndarray) -> list[int]:
    """All rows, nearest first, compared as they are stored."""
    cosines = vectors.astype(np.float16).astype(np.float32) @ question
    return [int(row) for row in rows[np.argsort(-cosines, kind="stable")]]


def recall(found: np.ndarray, truth: list[int], depth: int) -> float:
    return len(set(found.tolist()) & set(truth[:depth])) / depth


def test_the_hundred_nearest_are_found(index, vectors, rows, questions) -> None:
    recalls = [
        recall(index.search(question, 100)[0], exact(vectors, rows, question), 100)
        for question in questions
    ]
    assert np.mean(recalls) >= 0.998


def test_the_nearest_comes_first(index, vectors, rows, questions) -> None:
    first = [index.search(question, 10)[0].tolist()[0] for question in questions]
    assert first == [exact(vectors, rows, question)[0] for question in questions]


def test_scores_are_cosines_in_descending_order(index, vectors, rows, questions) -> None:
    for question in questions[:5]:
        found, scores = index.search(question, 100)
        assert scores.tolist() == sorted(scores.tolist(), reverse=True)
        places = np.searchsorted(rows, found)
        assert scores == pytest.approx(vectors[places] @ question, abs=2e-3)


@pytest.mark.parametrize("share", [0.001, 0.2, 0.9])
def test_a_filter_finds_the_nearest_among_its_rows(index, vectors, rows, questions, share) -> None:
    """Below, at and above the size where the two passes begin."""
    chosen = np.random.default_rng(7).random(COUNT) < share
    # Rows without a vector may meet a filter too.
    allowed = np.sort(np.concatenate([rows[chosen], rows[chosen] + 1])).astype(np.uint32)
    depth = min(100, int(chosen.sum()))
    recalls = []
    for question in questions:
        found, _ = index.search(question, depth, allowed)
        assert len(found) == depth
        assert set(found.tolist()) <= set(rows[chosen].tolist())
        recalls.append(recall(found, exact(vectors[chosen], rows[chosen], question), depth))
    assert np.mean(recalls) >= 0.99


def test_a_filter_that_only_vectorless_rows_meet_finds_nothing(index, rows, questions) -> None:
    for allowed in ((rows + 1)[:5], np.empty(0, np.uint32)):
        found, scores = index.search(questions[0], 10, allowed)
        assert len(found) == len(scores) == 0


def test_equal_vectors_come_in_row_order(index, vectors, rows) -> None:
    found, _ = index.search(vectors[3], 20)
    assert found.tolist() == rows[3::23][:20].tolist()


def test_a_depth_beyond_all_vectors_gives_all(index, rows, questions) -> None:
    found, _ = index.search(questions[0], 2 * COUNT)
    assert sorted(found.tolist()) == rows.tolist()


def test_stored_vectors_can_be_read_back(index, vectors, rows) -> None:
    chosen = [int(rows[5]), int(rows[COUNT - 1])]
    assert (index.slots(chosen) == vectors[[5, COUNT - 1]].astype(np.float16)).all()


def test_a_zero_vector_disturbs_nobody(tmp_path: Path) -> None:
    writer = VectorWriter(tmp_path)
    writer.write(np.array([0, 1], np.uint32), np.array([[0, 0, 0, 0], [1, 0, 0, 0]], np.float16))
    writer.close()
    found, scores = VectorIndex(tmp_path, 4).search(np.array([1, 0, 0, 0], np.float32), 5)
    assert (found.tolist(), scores.tolist()) == ([1, 0], [1.0, 0.0])
