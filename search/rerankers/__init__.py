"""Rerankers: question and passage in, one score out. `load_reranker` finds them by name."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import cast

from search.default_models import DEFAULT_RERANKER
from search.encoders.model_folder import MODELS_FOLDER, RERANKER_CARD, shipped_models
from search.errors import InputError
from search.rerankers.protocol import Reranker

__all__ = ["DEFAULT_RERANKER", "Reranker", "load_reranker", "reranker_names"]

ADAPTERS = {
    "sentence-transformers": ("sentence_transformers", "SentenceTransformersReranker"),
    "flagembedding": ("flag_embedding", "FlagEmbeddingReranker"),
    "onnx": ("onnx", "OnnxReranker"),
}
"""Prefix of a name → module beside this file, and its class, which takes the rest of the name."""


def reranker_names() -> list[str]:
    """Return the names of the rerankers that ship with rirag."""
    return shipped_models(RERANKER_CARD)


def load_reranker(name: str) -> Reranker:
    """Load a reranker by name.

    Args:
        name: one of `reranker_names()`; a folder that holds `reranker.json`, which may be written
            `onnx:FOLDER` too; or `sentence-transformers:MODEL` or `flagembedding:MODEL`, where
            MODEL is a name that the library knows, or a folder.

    Raises:
        InputError: there is no such reranker.
        MissingDependencyError: its library is not installed.
        ModelError: it cannot be loaded.
    """
    prefix, _, model = name.partition(":")
    if prefix in ADAPTERS and model:
        module, class_name = ADAPTERS[prefix]
        adapter = getattr(import_module(f"search.rerankers.{module}"), class_name)
        return cast("Reranker", adapter(model))
    from search.rerankers.onnx import OnnxReranker

    if name in reranker_names():
        return OnnxReranker(str(MODELS_FOLDER / name), name=name)
    if (Path(name) / RERANKER_CARD).is_file():
        return OnnxReranker(name)
    known = [*reranker_names(), *(f"{prefix}:MODEL" for prefix in ADAPTERS)]
    raise InputError(
        f"There is no reranker {name!r}; choose one of {', '.join(known)}, or a folder that holds "
        "reranker.json."
    )
