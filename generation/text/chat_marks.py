"""The marks of chat templates: where a model's own format keeps system, user and reply apart.

Servers put a conversation into such a format, and most read the marks wherever they are, so that
`<|im_end|>` in a passage would end the user's turn. In text of others they are broken up.
"""

from __future__ import annotations

import re

from generation.text.reasoning_marks import THOUGHT

_MARK = re.compile(
    r"<[|｜]|[|｜]>"  # ChatML, Llama 3, Phi, Qwen; DeepSeek with a full-width bar
    r"|<</?SYS>>|\[/?INST\]"  # Llama 2, Mistral
    r"|\[/?(?:SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\]"
    r"|</?s>|<(?:bos|eos|pad|unk|mask)>|<(?:start|end)_of_turn>"  # SentencePiece models, Gemma
    rf"|{THOUGHT}",  # a reply that copied one would be taken for reasoning
    re.IGNORECASE,
)


def without_chat_marks(text: str) -> str:
    """Return a text in which a blank is inside of every such mark: `<|` becomes `< |`."""
    return _MARK.sub(lambda found: f"{found[0][0]} {found[0][1:]}", text)
