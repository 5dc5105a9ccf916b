"""The shares that a teacher wants of the lists that a model learns from."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from rirag_workbench.training.runs import teacher
from rirag_workbench.training.runs.record import teacher_hash
from rirag_workbench.training.runs.rows import Row
from search.models.encoders.model_folder import MODELS_FOLDER
from search.models.rerankers import DEFAULT_RERANKER

TEXTS = ["short", "a text", "a longer text", "the longest of all texts"]
ROWS = [Row("a", 3, (0, 1), (3,)), Row("b", 2, (0, 1), (2,)), Row("c", 3, (2, 0), (2, 3))]


class ByLength:
    """Scores a passage by its length, and remembers what it was asked."""

    name = "by-length"

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        self.asked.append((question, len(passages)))
        return np.array([len(passage) for passage in passages], np.float32)


@pytest.fixture
def by_length(monkeypatch: pytest.MonkeyPatch) -> ByLength:
    reranker = ByLength()
    monkeypatch.setattr(teacher, "load_reranker", lambda name: reranker)
    return reranker


def test_shares_are_half_the_answers_and_half_the_teachers(by_length: ByLength) -> None:
    rows = teacher.taught("by-length", ROWS, TEXTS, lambda line: None)
    found = np.array([row.shares for row in rows])
    said = 2 * found - np.array([[1, 0, 0], [1, 0, 0], [0.5, 0.5, 0]], np.float32)
    np.testing.assert_allclose(said.sum(axis=1), 1, atol=1e-6)
    assert (np.argsort(said, axis=1) == [[1, 2, 0], [1, 2, 0], [2, 1, 0]]).all()  # by length
    assert by_length.asked == [("a", 3), ("b", 3), ("c", 3)]


@pytest.mark.parametrize("name", ["{}", "onnx:{}", "sentence-transformers:{}/a:b"], ids=str)
@pytest.mark.parametrize("file", ["model.onnx", "model.safetensors"])
def test_a_teacher_is_identified_by_its_weights(tmp_path: Path, name: str, file: str) -> None:
    teacher_name = name.format(tmp_path / "model")
    folder = Path(teacher_name.partition(":")[2] or teacher_name)
    folder.mkdir(parents=True)
    hashes = []
    for weights in (b"one", b"two", b"one"):
        (folder / file).write_bytes(weights)
        hashes.append(teacher_hash(teacher_name)["sha256"])
    assert hashes[0] == hashes[2] != hashes[1]


def test_a_teacher_in_parts_is_identified_by_all_of_them(tmp_path: Path) -> None:
    (tmp_path / "model-00001-of-00002.safetensors").write_bytes(b"the same")
    hashes = set()
    for weights in (b"one", b"two"):
        (tmp_path / "model-00002-of-00002.safetensors").write_bytes(weights)
        hashes.add(teacher_hash(f"sentence-transformers:{tmp_path}")["sha256"])
    assert len(hashes) == 2


def test_a_built_in_teacher_is_identified_by_its_weights() -> None:
    card = json.loads((MODELS_FOLDER / DEFAULT_RERANKER / "reranker.json").read_text("utf-8"))
    known = {"name": DEFAULT_RERANKER, "sha256": card["sha256"]["model.onnx"]}
    assert teacher_hash(DEFAULT_RERANKER) == known


def test_the_sharpness_makes_the_answers_likeliest() -> None:
    right = np.array([[1, 0], [1, 0], [1, 0], [0, 1]], np.float32)  # right in three of four
    answers = np.array([[1, 0]] * 4, np.float32)
    factor = teacher.sharpness(right, answers)
    assert teacher.probabilities(right, factor)[0, 0] == pytest.approx(0.75, abs=0.03)
    assert teacher.sharpness(-right[:3], answers[:3]) == teacher.SHARPNESSES[0]


def test_several_answers_share_what_the_questions_say() -> None:
    rows = [Row("a", 3, (0, 1), (1, 3)), Row("b", 2, (0, 1), ())]
    np.testing.assert_array_equal(teacher.answer_shares(rows), [[0.5, 0, 0.5], [1, 0, 0]])
