"""What rirag asks of a language model: complete a prompt, at once or as it is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

Role = Literal["system", "user", "assistant"]
Finish = Literal["stop", "length", "filtered", "cut"]
"""Why a reply ended: by itself, at its token limit, by the server's content filter, or because
the connection broke."""

OnText = Callable[[str], None]
"""Called with each piece of text as it arrives."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """All that a model is given for one reply."""

    messages: tuple[Message, ...]
    max_tokens: int
    """The reply may be this long, in tokens."""


@dataclass(frozen=True, slots=True)
class Completion:
    """One reply of a model; token counts are None where the server does not tell."""

    text: str
    model: str
    finish: Finish = "stop"
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a model takes, in tokens."""

    context: int
    """Prompt and reply together."""
    reply: int
    """The longest reply wanted."""


class LLM(Protocol):
    """A language model behind some server.

    All methods raise `LLMError` with one clear sentence when no usable reply comes.
    """

    def limits(self) -> Limits:
        """Return how much the model takes; may ask the server once."""
        ...

    async def limits_async(self) -> Limits:
        """Do the same without blocking the event loop."""
        ...

    def complete(self, prompt: Prompt, on_text: OnText | None = None) -> Completion:
        """Return the reply; with `on_text` it is streamed, and a cut reply is kept as far as it is.

        Args:
            prompt: the conversation so far.
            on_text: gets every piece of the reply when it comes.
        """
        ...

    async def complete_async(self, prompt: Prompt, on_text: OnText | None = None) -> Completion:
        """Do the same without blocking the event loop; `on_text` is called in the loop."""
        ...
