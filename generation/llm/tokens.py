"""Estimates how many tokens a text takes where the model's tokenizer is not at hand."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generation.llm.protocol import Prompt

CHARACTERS_PER_TOKEN = 3.5
"""Legal English under current tokenizers has 4 to 5 characters a token; 3.5 leaves a margin."""

TOKENS_PER_MESSAGE = 8
"""What a chat template adds around a message, at most, in the templates of current models."""


def estimate_tokens(text: str) -> int:
    """Return an upper estimate of a text's tokens; 0 for an empty text.

    Characters outside ASCII count as a token each: scripts that tokenizers know badly come near
    that.
    """
    plain = len(text.encode("ascii", "ignore"))
    return math.ceil(plain / CHARACTERS_PER_TOKEN) + len(text) - plain


def prompt_tokens_estimate(prompt: Prompt) -> int:
    """Return an upper estimate of a prompt's tokens, with its functions and schema."""
    told = sum(estimate_tokens(m.content) + TOKENS_PER_MESSAGE for m in prompt.messages)
    called = [dict(c.arguments) for m in prompt.messages for c in m.tool_calls]
    known = [[tool.description, dict(tool.parameters)] for tool in prompt.tools]
    shape = dict(prompt.schema.schema) if prompt.schema else {}
    extra = [one for one in (called, known, shape) if one]
    return told + (estimate_tokens(json.dumps(extra)) if extra else 0)
