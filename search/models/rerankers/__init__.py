"""Rerankers: question and passage in, one score out. `load_reranker` finds them by name."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import cast

from search.messages.arguments import text_or_path
from search.messages.refusals import unknown_model
from search.models.defaults import DEFAULT_RERANKER
from search.models.encoders.model_folder import (
    MODELS_FOLDER,
    RERANKER_CARD,
    RerankerCard,
    folder_of,
    read_folder,
    shipped_models,
)
from search.models.rerankers.protocol import Reranker

__all__ = ["DEFAULT_RERANKER", "Reranker", "load_reranker", "reranker_folder", "reranker_names"]

ADAPTERS = {
    "sentence-transformers": ("sentence_transformers", "SentenceTransformersReranker"),
    "flagembedding": ("flag_embedding", "FlagEmbeddingReranker"),
    "endpoint": ("rerankers.endpoint", "EndpointReranker"),
}
"""Prefix of a name → module of `search.models`, and its class, which takes the rest of the name."""

FOLDER = "onnx"
"""May come before the folder of an exported reranker."""


def reranker_names() -> list[str]:
    """Return the names of the rerankers that ship with rirag."""
    return shipped_models(RERANKER_CARD)


def load_reranker(name: str | os.PathLike[str]) -> Reranker:
    """Load a reranker by name.

    Args:
        name: one of `reranker_names()`; a folder that holds `reranker.json`, which may be written
            `onnx:FOLDER` too; `sentence-transformers:MODEL` or `flagembedding:MODEL`, where
            MODEL is a name that the library knows, or a folder; or `endpoint:MODEL` for a model
            behind RIRAG_RERANK_URL.

    Raises:
        InputError: there is no such reranker.
        MissingDependencyError: its library is not installed.
        ModelError: it cannot be loaded.
    """
    name = text_or_path(name, "a reranker")
    prefix, _, model = name.partition(":")
    if prefix in ADAPTERS and model:
        module, class_name = ADAPTERS[prefix]
        adapter = getattr(import_module(f"search.models.{module}"), class_name)
        return cast("Reranker", adapter(model))
    if prefix == FOLDER and model:
        return _exported(Path(model), name)
    if name in reranker_names():
        return _exported(MODELS_FOLDER / name, name)
    if (Path(name) / RERANKER_CARD).is_file():
        return _exported(Path(name), f"{FOLDER}:{name}")
    prefixes = (*ADAPTERS, FOLDER)
    known = [*reranker_names(), *(f"{prefix}:MODEL" for prefix in prefixes)]
    raise unknown_model("reranker", name, known)


def reranker_folder(name: str) -> Path:
    """Return where `load_reranker` reads a model from; a library may know its name elsewhere.

    Args:
        name: as `load_reranker` takes it.
    """
    prefix, _, model = name.partition(":")
    if prefix in (*ADAPTERS, FOLDER) and model:
        return Path(model)
    return folder_of(name, RERANKER_CARD)


def _exported(folder: Path, name: str) -> Reranker:
    from search.models.rerankers.onnx import OnnxReranker

    return OnnxReranker(read_folder(folder, RERANKER_CARD, RerankerCard), name)
