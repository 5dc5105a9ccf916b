"""What a teacher says of the lists that a model learns from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from rirag.training.runs import teacher
from rirag.training.runs.rows import Row
from search.rerankers.query_likelihood import QueryLikelihoodReranker

TEXTS = ["short", "a text", "a longer text", "the longest of all texts"]
ROWS = [Row("a", 3, (0, 1), (3,)), Row("b", 2, (0, 1), (2,)), Row("c", 3, (2, 0), (3,))]


class ByLength:
    """Scores a passage by its length, and remembers what it was asked."""

    name = "by-length"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        self.asked.append(question)
        return np.array([len(passage) for passage in passages], np.float32)


@pytest.fixture
def by_length(monkeypatch: pytest.MonkeyPatch) -> ByLength:
    reranker = ByLength()
    monkeypatch.setattr(teacher, "load_reranker", lambda name: reranker)
    return reranker


def shares(folder: Path, rows: Sequence[Row] = ROWS) -> NDArray[np.float32]:
    return teacher.taught("by-length", rows, TEXTS, folder, lambda line: None)


def test_shares_follow_the_scores_and_add_up(by_length: ByLength, tmp_path: Path) -> None:
    found = shares(tmp_path)
    assert found.shape == (3, 3)
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-6)
    assert (found[:, 0] > found[:, 1]).all()
    assert found[0, 2] > found[0, 1]  # "a text" is longer than "short"


def test_lists_are_scored_once(by_length: ByLength, tmp_path: Path) -> None:
    first = shares(tmp_path)
    np.testing.assert_array_equal(shares(tmp_path), first)
    assert by_length.asked == ["a", "b", "c"]


def test_a_killed_run_goes_on_where_it_was(by_length: ByLength, tmp_path: Path) -> None:
    first = shares(tmp_path)
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[: 4 * 3 * 2 - 5])  # within the second list
    np.testing.assert_array_equal(shares(tmp_path), first)
    assert by_length.asked == ["a", "b", "c", "b", "c"]


class ByBoth(QueryLikelihoodReranker):
    """Scores a question after a passage by the lengths of both."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def score_questions(self, passage: str, questions: Sequence[str]) -> NDArray[np.float32]:
        self.read.append(passage)
        return np.array([len(passage) + 100 * len(one) for one in questions], np.float32)


def test_a_language_model_reads_each_passage_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    model = ByBoth()
    monkeypatch.setattr(teacher, "load_reranker", lambda name: model)
    rows = [*ROWS, Row("a", 2, (0, 1), (2,))]
    found = teacher.taught("query-likelihood:m", rows, TEXTS, tmp_path, lambda line: None)
    assert model.read == TEXTS
    lengths = np.array(
        [[len(TEXTS[key]) for key in (row.positive, *row.negatives)] for row in rows]
    )
    assert (np.argsort(found, axis=1) == np.argsort(lengths, axis=1)).all()


def test_other_lists_are_scored_anew(by_length: ByLength, tmp_path: Path) -> None:
    shares(tmp_path)
    shares(tmp_path, ROWS[:2])
    assert by_length.asked == ["a", "b", "c", "a", "b"]


def test_the_sharpness_makes_the_positives_likeliest() -> None:
    right = np.array([[1, 0], [1, 0], [1, 0], [0, 1]], np.float32)  # right in three of four
    factor = teacher.sharpness(right)
    assert teacher.probabilities(right, factor)[0, 0] == pytest.approx(0.75, abs=0.03)
    assert teacher.sharpness(-right[:3]) == teacher.SHARPNESSES[0]
