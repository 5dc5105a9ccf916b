"""A logistic regression over sentence vectors, measured by folds against the rules."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generation.statements.forces import DUTIES, kind_of
from rirag.inputs.json_records import read_records
from rirag_workbench.refusals import unusable
from rirag_workbench.training.data.held_out import FOLDS, fold_of
from search.errors import MissingDependencyError, StorageError

Vectors = NDArray[np.float32]
Encode = Callable[[Sequence[str]], Vectors]
"""Returns unit vectors of sentences."""


@dataclass(frozen=True, slots=True)
class Quality:
    """How well obligations are told from other sentences, each from 0 to 1."""

    accuracy: float
    precision: float
    recall: float

    @classmethod
    def of(cls, said: NDArray[np.bool_], true: NDArray[np.bool_]) -> Quality:
        """Compare what was said with what is true."""
        right = float(np.sum(said & true))
        return cls(
            float(np.mean(said == true)), right / max(1, said.sum()), right / max(1, true.sum())
        )


@dataclass(frozen=True, slots=True)
class Fitted:
    """A classifier and how good it is."""

    weights: NDArray[np.float64]
    bias: float
    sentences: int
    classifier: Quality
    """On folds that it was not fitted to."""
    rules: Quality
    """Of the rules, on the same sentences."""

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {
            "sentences": self.sentences, "folds": FOLDS, "classifier": asdict(self.classifier),
            "rules": asdict(self.rules),
        }  # fmt: skip


def fit(labelled: Sequence[tuple[str, bool]], encode: Encode) -> Fitted:
    """Fit a classifier."""
    texts = [text for text, _ in labelled]
    true = np.array([label for _, label in labelled])
    vectors = encode(texts)
    folds = np.array([fold_of(text) for text in texts])
    said = np.zeros(len(texts), dtype=bool)
    for fold in range(FOLDS):
        there = folds == fold
        if there.any():
            weights, bias = _regression(vectors[~there], true[~there])
            said[there] = vectors[there] @ weights + bias > 0
    by_rules = np.array([kind_of(text) in DUTIES for text in texts])
    weights, bias = _regression(vectors, true)
    return Fitted(weights, bias, len(texts), Quality.of(said, true), Quality.of(by_rules, true))


def _regression(vectors: Vectors, labels: NDArray[np.bool_]) -> tuple[NDArray[np.float64], float]:
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        raise MissingDependencyError("training", "train", workbench=True) from None
    model = LogisticRegression(C=30.0, max_iter=2_000).fit(vectors, labels)
    return model.coef_[0], float(model.intercept_[0])


FEWEST = 50
"""Sentences of each label, below which folds say nothing."""


def read_labelled(path: Path) -> list[tuple[str, bool]]:
    """Return (sentence, whether it is an obligation), each sentence once."""
    labels: dict[str, bool] = {}

    def keep(record: Any, _line: int) -> None:
        fields = record if isinstance(record, dict) else {}
        text, label = fields.get("Text"), fields.get("Obligation")
        if not isinstance(text, str) or not text.strip() or not isinstance(label, bool):
            raise ValueError("a sentence needs Text, and Obligation as true or false.")
        if labels.setdefault(text.strip(), label) != label:
            raise ValueError("this sentence has the opposite label on an earlier line.")

    read_records(path, keep)
    for wanted in (True, False):
        if sum(label == wanted for label in labels.values()) < FEWEST:
            raise unusable("training.data/label", path, fewest=FEWEST, wanted=wanted)
    return list(labels.items())


LABELS = ("other", "obligation")


def export(fitted: Fitted, encoder: Path, folder: Path) -> None:
    """Write `model.onnx`, `tokenizer.json` and `config.json`.

    Args:
        folder: where to write; made if it is not there.
    """
    try:
        import onnx
        from onnx import TensorProto, helper, numpy_helper
    except ImportError:
        raise MissingDependencyError("training", "train", workbench=True) from None
    model = onnx.load(encoder / "model.onnx")
    graph = model.graph
    states = graph.output[0].name
    if len(graph.output) != 1 or "attention_mask" not in {one.name for one in graph.input}:
        raise unusable("training.data/no-states", encoder)
    columns = np.stack([np.zeros_like(fitted.weights), fitted.weights], axis=1)
    constants = {
        "head_weights": columns.astype(np.float32),
        "head_bias": np.array([0.0, fitted.bias], dtype=np.float32),
        "head_tokens": np.array([1], dtype=np.int64),
        "head_last": np.array([2], dtype=np.int64),
    }
    graph.initializer.extend(numpy_helper.from_array(v, name) for name, v in constants.items())
    graph.node.extend([
        helper.make_node("Cast", ["attention_mask"], ["head_mask"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["head_mask", "head_last"], ["head_mask_3"]),
        helper.make_node("Mul", [states, "head_mask_3"], ["head_kept"]),
        # The length of the vector is 1 after all, so that the sum does as well as the mean.
        helper.make_node("ReduceSum", ["head_kept", "head_tokens"], ["head_sum"], keepdims=0),
        helper.make_node("ReduceL2", ["head_sum", "head_tokens"], ["head_norm"], keepdims=1),
        helper.make_node("Div", ["head_sum", "head_norm"], ["head_vector"]),
        helper.make_node("Gemm", ["head_vector", "head_weights", "head_bias"], ["logits"]),
    ])  # fmt: skip
    del graph.output[:]
    graph.output.append(
        helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", len(LABELS)])
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        onnx.save(model, folder / "model.onnx")
        shutil.copyfile(encoder / "tokenizer.json", folder / "tokenizer.json")
        config = {"id2label": {str(place): name for place, name in enumerate(LABELS)}}
        text = json.dumps({**config, "training": fitted.to_json()}, indent=1)
        (folder / "config.json").write_text(text, encoding="utf-8")
    except OSError as error:
        raise StorageError(f"{folder} cannot be written: {error.strerror}") from error
