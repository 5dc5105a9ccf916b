"""Rerankers: question and passage in, one score out. `load_reranker` finds them by name."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import cast

from search.errors import InputError
from search.rerankers.protocol import Reranker

__all__ = ["Reranker", "load_reranker"]

ADAPTERS = {
    "sentence-transformers": ("sentence_transformers", "SentenceTransformersReranker"),
    "flagembedding": ("flag_embedding", "FlagEmbeddingReranker"),
    "onnx": ("onnx", "OnnxReranker"),
}
"""Prefix of a name → module beside this file, and its class, which takes the rest of the name."""


def load_reranker(name: str) -> Reranker:
    """Load a reranker by name.

    Args:
        name: `sentence-transformers:MODEL` or `flagembedding:MODEL`, where MODEL is a name that
            the library knows, or a folder; or a folder that holds `reranker.json`, which may be
            written `onnx:FOLDER` too.

    Raises:
        InputError: there is no such reranker.
        MissingDependencyError: its library is not installed.
        ModelError: it cannot be loaded.
    """
    if (Path(name) / "reranker.json").is_file():
        name = f"onnx:{name}"
    prefix, _, model = name.partition(":")
    if prefix not in ADAPTERS or not model:
        known = ", ".join(f"{prefix}:MODEL" for prefix in ADAPTERS)
        raise InputError(
            f"There is no reranker {name!r}; choose one of {known}, or a folder that holds "
            "reranker.json."
        )
    module, class_name = ADAPTERS[prefix]
    adapter = getattr(import_module(f"search.rerankers.{module}"), class_name)
    return cast("Reranker", adapter(model))
