"""Export a BERT encoder or cross-encoder to the folder that rirag loads without torch.

The folder holds `model.onnx`, `tokenizer.json`, and a card with the SHA-256 of both.
"""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rirag.files import sha256_of
from rirag_workbench.refusals import unusable
from search.errors import MissingDependencyError
from search.models.encoders.model_folder import (
    ENCODER_CARD,
    MODEL_FILE,
    RERANKER_CARD,
    TOKENIZER_FILE,
)

MAX_TOKENS = 512
"""Longest input, of a reranker a pair of question and passage; the rest is cut off."""
WEIGHTS_FILE = "model.safetensors"


def export_encoder(
    weights: Path,
    output: Path,
    name: str,
    max_tokens: int = MAX_TOKENS,
    float32: bool = False,
) -> None:
    """Write an encoder folder.

    Args:
        output: the folder to write; other files in it are left alone.
        max_tokens: longest input; the rest of a text is cut off.
    """
    config, tensors = _load(weights)
    from rirag_workbench.training.weights.bert_onnx import BertGraph

    graph = BertGraph(config, tensors, float32)
    card = {
        "name": name,
        "dimension": config["hidden_size"],
        "pooling": _pooling(weights),
        "max_tokens": max_tokens,
    }
    _write(output, ENCODER_CARD, card, graph.build(), weights)


def export_reranker(weights: Path, output: Path, name: str, float32: bool = False) -> None:
    """Write a reranker folder.

    Args:
        output: the folder to write; other files in it are left alone.
    """
    config, tensors = _load(weights)
    from rirag_workbench.training.weights.bert_onnx import CrossEncoderGraph

    labels = len(tensors.get("classifier.bias", ()))
    if labels != 1:
        raise unusable("training.base/scores", weights, labels=labels)
    graph = CrossEncoderGraph(config, tensors, float32)
    card = {"name": name, "max_tokens": MAX_TOKENS}
    _write(output, RERANKER_CARD, card, graph.build(), weights)


def model_size(folder: Path) -> int:
    """Return the bytes of a model in a folder, exported or not, with its tokenizer."""
    files = (folder / name for name in (MODEL_FILE, WEIGHTS_FILE, TOKENIZER_FILE))
    return sum(file.stat().st_size for file in files if file.exists())


def _load(weights: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    for library in ("onnx", "safetensors"):
        if find_spec(library) is None:
            raise MissingDependencyError("Exporting a model", "train", workbench=True)
    from safetensors.numpy import load_file

    try:
        config = json.loads((weights / "config.json").read_text("utf-8"))
        tensors = load_file(weights / WEIGHTS_FILE)
    except OSError as error:
        raise unusable(
            "training.base/unreadable", weights, file=Path(error.filename or weights).name
        ) from error
    if config.get("model_type") != "bert" or config.get("hidden_act") != "gelu":
        raise unusable("training.base/not-bert", weights)
    return config, tensors


def _write(output: Path, card_name: str, card: dict[str, Any], model: Any, weights: Path) -> None:
    output.mkdir(parents=True, exist_ok=True)
    (output / MODEL_FILE).write_bytes(model.SerializeToString(deterministic=True))
    (output / TOKENIZER_FILE).write_text(_plain_tokenizer(weights), encoding="utf-8")
    digests = {file: sha256_of(output / file) for file in (MODEL_FILE, TOKENIZER_FILE)}
    whole = json.dumps({**card, "sha256": digests}, indent=2)
    (output / card_name).write_text(whole + "\n", encoding="utf-8")


def _pooling(weights: Path) -> str:
    pooling = json.loads((weights / "1_Pooling" / "config.json").read_text("utf-8"))
    # sentence-transformers 6 names the mode, older ones have a switch for each.
    is_cls = pooling.get("pooling_mode") == "cls" or pooling.get("pooling_mode_cls_token")
    return "cls" if is_cls else "mean"


def _plain_tokenizer(weights: Path) -> str:
    """Return the tokenizer without the padding and truncation it was saved with."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(weights / TOKENIZER_FILE))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return str(tokenizer.to_str())
