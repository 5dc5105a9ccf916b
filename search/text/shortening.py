"""Shorten texts where they are only named."""

from __future__ import annotations


def shortened(text: str, longest: int = 80) -> str:
    """Return a text, or its first words and an ellipsis where it has more characters."""
    return text if len(text) <= longest else text[:longest].rsplit(" ", 1)[0] + " …"
