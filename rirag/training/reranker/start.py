"""A cross-encoder to start from: an encoder's layers under a head that knows nothing yet."""

from __future__ import annotations

from pathlib import Path


def save_start(encoder: Path, folder: Path, layers: int | None, seed: int) -> None:
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
    if layers is not None:
        kept = kept_layers(model.config.num_hidden_layers, layers)
        stack = model.base_model.encoder
        stack.layer = type(stack.layer)(stack.layer[number] for number in kept)
        model.config.num_hidden_layers = len(kept)
    model.save_pretrained(str(folder))
    AutoTokenizer.from_pretrained(str(encoder)).save_pretrained(str(folder))


def kept_layers(total: int, wanted: int) -> list[int]:
    """Return which layers are kept, evenly spaced, the first and the last among them."""
    if wanted >= total:
        return list(range(total))
    if wanted == 1:
        return [total - 1]
    return [round(place * (total - 1) / (wanted - 1)) for place in range(wanted)]
