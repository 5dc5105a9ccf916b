"""Entailment models: premise and hypothesis in, three probabilities out.

They know nothing of passages, statements or answers.
"""

from __future__ import annotations

from collections.abc import Callable

from search.models.classifiers import Classifier, load_classifier
from search.models.entailment.protocol import LABELS, EntailmentModel

__all__ = ["LABELS", "EntailmentModel", "load_entailment"]


def load_entailment(
    name: str, load: Callable[[str], Classifier] = load_classifier
) -> EntailmentModel:
    """Load an entailment model by name.

    Args:
        name: as `load_classifier` takes it.
        load: returns the classifier of three labels that it is.

    Raises:
        InputError: there is no name.
        MissingDependencyError: the library is not installed.
        ModelError: it cannot be loaded, or is not an entailment model.
    """
    from search.models.entailment.classifier import ClassifierEntailment

    return ClassifierEntailment(load(name))
