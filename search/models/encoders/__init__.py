"""Encoders: text in, unit vectors out. `load_encoder` finds them by name."""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import cast

from search.messages.arguments import text_or_path
from search.messages.refusals import unknown_model
from search.models.defaults import DEFAULT_ENCODER
from search.models.encoders.model_folder import ENCODER_CARD, MODELS_FOLDER, shipped_models
from search.models.encoders.protocol import EncodedPassages, Encoder

__all__ = [
    "DEFAULT_ENCODER",
    "MODELS_FOLDER",
    "EncodedPassages",
    "Encoder",
    "encoder_names",
    "load_encoder",
    "load_question_encoder",
]

ADAPTERS = {
    "sentence-transformers": ("sentence_transformers", "SentenceTransformersEncoder"),
    "flagembedding": ("flag_embedding", "FlagEmbeddingEncoder"),
    "openai": ("encoders.openai_endpoint", "OpenAIEncoder"),
}
"""Prefix of a name → module of `search.models`, and its class, which takes the rest of the name."""


def encoder_names() -> list[str]:
    """Return the names of the encoders that ship with rirag."""
    return shipped_models(ENCODER_CARD)


@cache
def load_question_encoder(name: str) -> Encoder:
    """Load what encodes questions for an encoder that ships with rirag; each once.

    Args:
        name: its folder, below that of the models: `regulation-minilm-l6-int8/questions`.

    Raises:
        ModelError: it cannot be loaded.
    """
    from search.models.encoders.onnx import OnnxEncoder

    return OnnxEncoder(MODELS_FOLDER / name)


def load_encoder(name: str | os.PathLike[str]) -> Encoder:
    """Load an encoder by name.

    Args:
        name: one of `encoder_names()`; a folder that holds `encoder.json`; or
            `sentence-transformers:MODEL`, `flagembedding:MODEL` or `openai:MODEL`, where MODEL is
            what the library or server calls it (for the first two a folder will do).

    Raises:
        InputError: there is no such encoder.
        MissingDependencyError: its library is not installed.
        ModelError: it cannot be loaded.
    """
    from search.models.encoders.onnx import OnnxEncoder

    name = text_or_path(name, "an encoder")
    prefix, _, model = name.partition(":")
    if prefix in ADAPTERS and model:
        module, class_name = ADAPTERS[prefix]
        adapter = getattr(import_module(f"search.models.{module}"), class_name)
        return cast("Encoder", adapter(model))
    if name in encoder_names():
        return OnnxEncoder(MODELS_FOLDER / name)
    folder = Path(name)
    if (folder / ENCODER_CARD).is_file():
        return OnnxEncoder(folder, name=str(folder.resolve()))
    known = [*encoder_names(), *(f"{prefix}:MODEL" for prefix in ADAPTERS)]
    raise unknown_model("encoder", name, known)
