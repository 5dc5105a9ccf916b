"""The model card that sentence-transformers writes into each checkpoint."""

from __future__ import annotations

from typing import Any


def without_examples(model: Any) -> None:
    """Keep the library from choosing examples for the card of a model that is to be trained.

    Nobody reads the card of a checkpoint, and the library draws a progress bar while it chooses.

    Args:
        model: of sentence-transformers; others have no card.
    """
    card = getattr(model, "model_card_data", None)
    if card is not None:
        card.set_widget_examples = _no_examples


def _no_examples(_dataset: Any) -> None:
    """Take the place of the method that chooses examples."""
