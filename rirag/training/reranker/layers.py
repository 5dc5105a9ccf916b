"""Which layers of an encoder a reranker keeps."""

from __future__ import annotations

from typing import Any


def keep_layers(bert: Any, wanted: int | None) -> None:
    """Take layers out of a BERT model.

    Args:
        bert: the model, of transformers.
        wanted: how many of its layers are kept; all if None.
    """
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
