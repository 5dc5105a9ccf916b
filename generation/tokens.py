"""Estimates how many tokens a text takes where the model's tokenizer is not at hand."""

from __future__ import annotations

import math

CHARACTERS_PER_TOKEN = 3.5
"""Legal English under current tokenizers has 4 to 5 characters a token; 3.5 leaves a margin."""

TOKENS_PER_MESSAGE = 8
"""What a chat template adds around a message, at most, in the templates of current models."""


def estimate_tokens(text: str) -> int:
    """Return an upper estimate of a text's tokens; 0 for an empty text.

    Characters outside ASCII count as a token each: scripts that tokenizers know badly come near
    that.
    """
    plain = sum(char.isascii() for char in text)
    return math.ceil(plain / CHARACTERS_PER_TOKEN) + len(text) - plain
