"""A reranker to start from: an encoder's layers, for a cross-encoder below an untaught head."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def save_encoder(encoder: Path, folder: Path, layers: int | None) -> None:
    """Write an encoder whose tokens will be compared.

    Args:
        encoder: folder of a BERT encoder, as sentence-transformers saves it.
        folder: to write.
        layers: how many of its layers are kept, evenly spaced from the first to the last; all
            if None.
    """
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(encoder), device="cpu")
    _keep_layers(model[0].auto_model, layers)
    model.save(str(folder))


def save_cross_encoder(encoder: Path, folder: Path, layers: int | None, seed: int) -> None:
    """Write a sequence classifier with one output.

    Args:
        encoder: folder of a BERT encoder, as sentence-transformers saves it.
        folder: to write.
        layers: how many of its layers are kept, evenly spaced from the first to the last; all
            if None.
        seed: of the head's random weights.
    """
    from transformers import AutoModelForSequenceClassification, AutoTokenizer, set_seed

    set_seed(seed)
    model = AutoModelForSequenceClassification.from_pretrained(str(encoder), num_labels=1)
    _keep_layers(model.base_model, layers)
    model.save_pretrained(str(folder))
    AutoTokenizer.from_pretrained(str(encoder)).save_pretrained(str(folder))


def _keep_layers(bert: Any, wanted: int | None) -> None:
    """Take the other layers out of a BERT model."""
    if wanted is not None:
        kept = kept_layers(bert.config.num_hidden_layers, wanted)
        stack = bert.encoder
        stack.layer = type(stack.layer)(stack.layer[number] for number in kept)
        bert.config.num_hidden_layers = len(kept)


def kept_layers(total: int, wanted: int) -> list[int]:
    """Return which layers are kept, evenly spaced, the first and the last among them."""
    if wanted >= total:
        return list(range(total))
    if wanted == 1:
        return [total - 1]
    return [round(place * (total - 1) / (wanted - 1)) for place in range(wanted)]
