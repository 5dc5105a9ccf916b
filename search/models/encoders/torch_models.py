"""What the encoders that run on torch share: token counts, a fingerprint of the weights, quiet."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

import numpy as np

from search.errors import MissingDependencyError
from search.messages.refusals import unloadable_model
from search.models.encoders.protocol import Vectors

MAX_TOKENS = 512
"""Questions and passages are cut here, as in the RIRAG paper's experiments, unless the model
itself ends sooner."""
VALUES_PER_TENSOR = 256
TEXTS_AT_ONCE = 32


@contextmanager
def loading(kind: str, name: str, module: str) -> Iterator[None]:
    """Refuse in one sentence a model that its library does not load; it may raise anything.

    Args:
        kind: `encoder` or `reranker`.
        name: of the model, which begins with the name of the extra that brings the library.
        module: of the library.

    Raises:
        MissingDependencyError: it is not installed.
        ModelError: it cannot load the model.
    """
    if find_spec(module) is None:
        raise MissingDependencyError(f"The {kind} {name}", name.partition(":")[0])
    try:
        hide_weight_loading_bar()
        yield
    except Exception as error:
        raise unloadable_model(kind, name, error) from error


def max_tokens(tokenizer: Any, model_limit: int | None = None) -> int:
    """Return the longest input in tokens that tokenizer and model allow, at most `MAX_TOKENS`."""
    return min(MAX_TOKENS, int(tokenizer.model_max_length), model_limit or MAX_TOKENS)


def token_counts(tokenizer: Any, texts: Sequence[str]) -> list[int]:
    """Count the tokens of each text as the model would see it whole, its markers included."""
    # verbose=False: the tokenizer would warn of the very length that is being asked for.
    return [len(ids) for ids in tokenizer(list(texts), verbose=False)["input_ids"]]


def weights_revision(parameters: Iterable[tuple[str, Any]], *settings: object) -> str:
    """Return 16 hexadecimal digits that change when weights or settings do.

    Of each tensor some `VALUES_PER_TENSOR` values, spread evenly, are read: any training changes
    them, and a model of billions of weights is told apart in a moment. They are rounded to half
    precision, so that a model on a GPU has the revision that it has on a CPU.

    Args:
        parameters: (name, torch tensor), as `model.state_dict().items()` gives them.
        settings: whatever else decides the vectors: prompts, pooling, the cut.
    """
    digest = hashlib.sha256(repr(settings).encode())
    for name, tensor in sorted(parameters, key=lambda item: item[0]):
        flat = tensor.detach().reshape(-1)
        step = max(1, flat.numel() // VALUES_PER_TENSOR)
        sample = flat[::step].float().cpu().numpy().astype(np.float16)
        digest.update(f"{name}{tuple(tensor.shape)}".encode())
        digest.update(sample.tobytes())
    return digest.hexdigest()[:16]


def unit_length(vectors: Any) -> Vectors:
    """Return vectors of any shape (n, dimension) as float32 of length 1; a zero vector stays."""
    values = np.atleast_2d(np.asarray(vectors, dtype=np.float32))
    lengths = np.linalg.norm(values, axis=1, keepdims=True)
    # Any positive floor does: a vector this short is the zero vector.
    unit: Vectors = values / np.maximum(lengths, np.float32(1e-12))
    return unit


def hide_weight_loading_bar() -> None:
    """Keep transformers from drawing a progress bar whenever a model's weights are read."""
    from transformers.utils import logging

    logging.disable_progress_bar()
