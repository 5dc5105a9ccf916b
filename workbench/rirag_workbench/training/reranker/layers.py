"""Which layers of an encoder a reranker keeps."""

from __future__ import annotations

from typing import Any

from search.errors import InputError


def keep_layers(bert: Any, wanted: int | None) -> None:
    """Take layers out of a BERT model.

    Args:
        bert: the model, of transformers.
        wanted: how many of its layers are kept; all if None.

    Raises:
        InputError: it has fewer.
    """
    if wanted is not None:
        total = bert.config.num_hidden_layers
        if wanted > total:
            raise InputError(
                f"the base has {total} layers, but --layers asks for {wanted}",
                code="training.option",
            )
        kept = kept_layers(total, wanted)
        stack = bert.encoder
        stack.layer = type(stack.layer)(stack.layer[number] for number in kept)
        bert.config.num_hidden_layers = len(kept)


def kept_layers(total: int, wanted: int) -> list[int]:
    """Return which layers are kept, evenly spaced, the first and the last among them."""
    if wanted == 1:
        return [total - 1]
    return [round(place * (total - 1) / (wanted - 1)) for place in range(wanted)]
