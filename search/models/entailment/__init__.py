"""Entailment models: premise and hypothesis in, three probabilities out.

They know nothing of passages, statements or answers.
"""

from __future__ import annotations

from search.errors import InputError
from search.models.entailment.protocol import LABELS, EntailmentModel

__all__ = ["LABELS", "EntailmentModel", "load_entailment"]

PREFIX = "sentence-transformers"


def load_entailment(name: str) -> EntailmentModel:
    """Load an entailment model by name.

    Args:
        name: `sentence-transformers:MODEL`, where MODEL is a name that transformers knows or a
            folder, of ONNX too; a folder alone means the same.

    Raises:
        InputError: there is no name.
        MissingDependencyError: the library is not installed.
        ModelError: it cannot be loaded, or is not an entailment model.
    """
    prefix, _, rest = name.partition(":")
    model = rest if prefix == PREFIX else name
    if not model.strip():
        raise InputError(
            f"The entailment model has no name; write {PREFIX}:MODEL or a folder.",
            code="model.unknown",
        )
    from search.models.entailment.classifier import ClassifierEntailment

    return ClassifierEntailment(model)
