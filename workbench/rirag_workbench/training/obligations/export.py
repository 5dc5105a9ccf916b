"""An encoder with a classifier on top, as one ONNX folder that `evaluate answers` loads."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np

from rirag_workbench.training.obligations.fit import Fitted
from search.errors import InputError, MissingDependencyError, StorageError

LABELS = ("other", "obligation")


def export(fitted: Fitted, encoder: Path, folder: Path) -> None:
    """Write `model.onnx`, `tokenizer.json` and `config.json`.

    Args:
        fitted: the classifier.
        encoder: folder of the ONNX encoder that made its vectors, with mean pooling.
        folder: where to write; made if it is not there.

    Raises:
        InputError: the encoder has another output.
        MissingDependencyError: onnx is not installed.
        StorageError: the folder cannot be written.
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
        raise InputError(
            "the encoder has no token states to pool; use another encoder.",
            encoder,
            code="training.data",
        )
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
