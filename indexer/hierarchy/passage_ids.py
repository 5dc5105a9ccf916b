"""The `ID`s of passages that come without one."""

from __future__ import annotations

import uuid

NAMESPACE = uuid.UUID("6f1d7a52-3c0e-5b4f-9a57-2f0d6a1c9e44")
"""Namespace of the `ID`s made here, so that the same text always gets the same ones."""


def make_id(document_id: str, number: str, occurrence: int) -> str:
    """Return the `ID` of a passage: the same for the same document, number and occurrence."""
    return str(uuid.uuid5(NAMESPACE, f"{document_id}\x1f{number}\x1f{occurrence}"))
