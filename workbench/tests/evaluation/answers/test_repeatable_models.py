"""Probabilities are kept, so that an interrupted run does not ask a model twice."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rirag_workbench.evaluation.answers.evaluate import RepeatableClassifier
from rirag_workbench.evaluation.answers.repass import RePASs, by_rules
from rirag_workbench.evaluation.cache import Cache

LABELS = ("contradiction", "entailment", "neutral")


class Counting:
    """A model whose probabilities depend on the length of the texts."""

    labels = LABELS

    def __init__(self, name: str = "m", fails_after: int = 1_000) -> None:
        self.name = name
        self.asked = 0
        self._left = fails_after

    def probabilities(self, texts):
        if not self._left:
            raise KeyboardInterrupt
        self._left -= 1
        self.asked += len(texts)
        lengths = np.array([len(str(one)) for one in texts], dtype=np.float32)
        shares = (lengths % 7 + 1) / 10
        return np.stack([shares / 2, shares, 1 - 1.5 * shares], axis=1).reshape(-1, 3)


def repass(model: Counting, file: Path) -> RePASs:
    kept = RepeatableClassifier(model, Cache(file))
    return RePASs(kept, kept, by_rules, "rules")


ANSWERS = ["A firm must report.", "It must keep records. It may ask.", "A fund is a pool."]
PASSAGES = ["A firm must report to the Regulator. It must keep records."]


def test_an_interrupted_run_continues_with_the_same_figures(tmp_path: Path) -> None:
    file = tmp_path / "kept"
    whole = [repass(Counting(), tmp_path / "other").of(PASSAGES, one) for one in ANSWERS]
    with pytest.raises(KeyboardInterrupt):
        [repass(Counting(fails_after=1), file).of(PASSAGES, one) for one in ANSWERS]
    assert [repass(Counting(), file).of(PASSAGES, one) for one in ANSWERS] == whole
    again = Counting()
    assert [repass(again, file).of(PASSAGES, one) for one in ANSWERS] == whole
    assert again.asked == 0


def test_another_model_or_another_grouping_of_texts_is_asked(tmp_path: Path) -> None:
    file = tmp_path / "kept"
    RepeatableClassifier(Counting(), Cache(file)).probabilities([("a", "b")])
    for model, texts in ((Counting("n"), [("a", "b")]), (Counting(), ["a", "b"])):
        RepeatableClassifier(model, Cache(file)).probabilities(texts)
        assert model.asked == len(texts)


def test_a_folder_whose_weights_change_is_asked_again(tmp_path: Path) -> None:
    file, folder, texts = tmp_path / "kept", tmp_path / "model", [("a passage", "a claim")]
    folder.mkdir()
    for weights, asked in (("old", 1), ("old", 0), ("new", 1)):
        (folder / "model.onnx").write_text(weights)
        model = Counting(str(folder))
        RepeatableClassifier(model, Cache(file)).probabilities(texts)
        assert model.asked == asked


def test_no_texts_have_no_rows(tmp_path: Path) -> None:
    for _ in range(2):
        kept = RepeatableClassifier(Counting(), Cache(tmp_path / "kept"))
        assert kept.probabilities([]).shape == (0, 3)
