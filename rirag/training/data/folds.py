"""Which questions validate, and which fold of a cross-validation each is in: by their IDs."""

from __future__ import annotations

import hashlib

FOLDS = 5
"""Parts of the cross-validation."""


def is_validation(question_id: str) -> bool:
    """Tell whether a question belongs to the validation fifth: SHA-256 divisible by 5."""
    return _hash(question_id) % 5 == 0


def fold_of(question_id: str) -> int:
    """Return the part of the cross-validation a question is in; its keyword versions are too.

    The parts are independent of `is_validation`, so that they divide the validation fifth as well.
    """
    return _hash(f"fold {question_id}") % FOLDS


def _hash(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest(), 16)
