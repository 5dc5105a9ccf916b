"""Turn an exported encoder back into weights that training can start from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from search.encoders.model_folder import TOKENIZER_FILE, EncoderCard, read_model_folder
from search.errors import InputError

Array = NDArray[Any]

WORDS = "embeddings.word_embeddings.weight"
POOLER_SPREAD = 0.02
"""Standard deviation of weights that BERT begins with."""


def unpack_encoder(folder: Path, output: Path) -> None:
    """Write an exported BERT encoder as sentence-transformers saves one.

    The weights are those that the exported model computes with: 8-bit integers times their scales.

    Args:
        folder: an encoder that `export_encoder` wrote.
        output: the folder to write.

    Raises:
        InputError: the folder holds another kind of model.
        ModelError: it cannot be read, or was altered.
    """
    from onnx import load_model_from_string
    from safetensors.numpy import save_file

    content = read_model_folder(folder)
    graph = load_model_from_string(content.model).graph
    tensors = _tensors(graph, folder)
    (output / "1_Pooling").mkdir(parents=True, exist_ok=True)
    save_file(tensors, output / "model.safetensors", metadata={"format": "pt"})
    (output / TOKENIZER_FILE).write_bytes(content.tokenizer)
    for name, value in _descriptions(graph, content.card, tensors).items():
        (output / name).write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")


def _tensors(graph: Any, folder: Path) -> dict[str, Array]:
    """Return the weights by the names that they have in BERT."""
    from onnx import numpy_helper

    stored = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    if WORDS not in stored or "positions" not in stored:
        raise InputError(
            "the model was not exported by rirag, so that training cannot start from it.", folder
        )
    positions = stored["positions"]
    width = positions.shape[1]
    found: dict[str, Array] = {
        "embeddings.position_embeddings.weight": positions,
        # The export has added the first segment to the positions. It leaves out the pooler, which
        # an encoder does not use; a cross-encoder made of it learns one from a random beginning.
        "embeddings.token_type_embeddings.weight": np.zeros((2, width)),
        "pooler.dense.weight": np.random.default_rng(0).normal(0, POOLER_SPREAD, (width, width)),
        "pooler.dense.bias": np.zeros(width),
    }
    for name, values in stored.items():
        if name.endswith("attention.self.weight"):
            found |= _parts(name, values.astype(np.float32).T)
        elif name.endswith("attention.self.bias"):
            found |= _parts(name, values)
        elif f"{name}.scales" in stored:
            found[name] = values * stored[f"{name}.scales"]
        elif values.dtype == np.uint8:
            found[name] = _linear(values, stored[name.replace(".weight", ".scales")])
        elif name.endswith((".bias", ".weight")):
            found[name] = values.T if name.endswith("dense.weight") else values
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


def _descriptions(graph: Any, card: EncoderCard, tensors: dict[str, Array]) -> dict[str, Any]:
    """Return the other files of the folder by name."""
    attention = [node for node in graph.node if node.op_type == "MultiHeadAttention"]
    (heads,) = (one.i for one in attention[0].attribute if one.name == "num_heads")
    (norm,) = (node for node in graph.node if node.op_type == "LayerNormalization")
    (epsilon,) = (one.f for one in norm.attribute if one.name == "epsilon")
    config = {
        "architectures": ["BertModel"],
        "model_type": "bert",
        "hidden_act": "gelu",
        "hidden_size": card.dimension,
        "intermediate_size": len(tensors["encoder.layer.0.intermediate.dense.bias"]),
        "layer_norm_eps": epsilon,
        "max_position_embeddings": len(tensors["embeddings.position_embeddings.weight"]),
        "num_attention_heads": heads,
        "num_hidden_layers": len(attention),
        "type_vocab_size": 2,
        "vocab_size": len(tensors[WORDS]),
    }
    models = "sentence_transformers.models"
    modules = [
        {"idx": 0, "name": "0", "path": "", "type": f"{models}.Transformer"},
        {"idx": 1, "name": "1", "path": "1_Pooling", "type": f"{models}.Pooling"},
    ]
    return {
        "config.json": config,
        "modules.json": modules,
        "sentence_bert_config.json": {"max_seq_length": card.max_tokens},
        "1_Pooling/config.json": {
            "word_embedding_dimension": card.dimension,
            f"pooling_mode_{card.pooling}_token{'s' if card.pooling == 'mean' else ''}": True,
        },
        "tokenizer_config.json": {
            "tokenizer_class": "BertTokenizer",
            "do_lower_case": True,
            "model_max_length": card.max_tokens,
            "cls_token": "[CLS]",
            "sep_token": "[SEP]",
            "pad_token": "[PAD]",
            "unk_token": "[UNK]",
            "mask_token": "[MASK]",
        },
    }
