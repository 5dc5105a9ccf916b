"""Which questions validate, and which fold of a cross-validation each is in: by their IDs."""

from __future__ import annotations

import hashlib

FOLDS = 5
"""Parts of the cross-validation."""


def is_validation(question_id: str) -> bool:
    """Return whether a question belongs to the validation fifth: SHA-256 divisible by 5."""
    return hash_number(question_id) % 5 == 0


def fold_of(question_id: str) -> int:
    """Return the part of the cross-validation a question is in; its keyword versions are too.

    The parts are independent of `is_validation`, so that they divide the validation fifth as well.
    """
    return hash_number(f"fold {question_id}") % FOLDS


def hash_number(text: str) -> int:
    """Return a large number that is always the same for a text: its SHA-256."""
    return int(hashlib.sha256(text.encode()).hexdigest(), 16)
