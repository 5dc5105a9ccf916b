"""What rirag asks of a language model: complete a prompt, at once or as it is written."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Role = Literal["system", "user", "assistant", "tool"]
"""Who speaks; `tool` brings the result of a call that the model made."""

Finish = Literal["stop", "length", "filtered", "cut", "late", "looped", "unknown"]
"""Why a reply ended: by itself, at its token limit, by the server's content filter, because the
connection broke, because its time was over, because the model ran in a loop and was stopped, or for
a reason of the server's that is not known here."""

OnText = Callable[[str], None]
"""Called with each piece of text as it arrives."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that a model may call."""

    name: str
    description: str
    """What it does and when to call it, for the model."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """JSON Schema of its arguments, an object."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that a model made."""

    id: str
    """Unique in its reply; the result names it."""
    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    problem: str = ""
    """Why the arguments could not be read; empty: they could."""


@dataclass(frozen=True, slots=True)
class ReplySchema:
    """The shape that a reply must have: a JSON object."""

    name: str
    """Letters, digits and underscores, as servers want it."""
    schema: Mapping[str, Any]
    """JSON Schema of the object."""
    taken: Mapping[str, Any] | None = None
    """Schema of what is taken too, where that is wider: names that mean one of those listed."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Role
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    """What the assistant called in this turn."""
    tool_call_id: str = ""
    """Of a `tool` message: the call that it answers."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """Everything that a model gets for one reply."""

    messages: tuple[Message, ...]
    max_tokens: int
    """The reply may be this long, in tokens."""
    tools: tuple[Tool, ...] = ()
    """What the model may call instead of, or beside, writing text."""
    tools_required: bool = False
    """Whether it has to call at least one of them."""
    schema: ReplySchema | None = None
    """The shape of the reply; None: free text."""
    timeout_s: float | None = None
    """Most seconds to wait for the reply; None: as the settings of the server say."""


@dataclass(frozen=True, slots=True)
class Completion:
    """One reply of a model; token counts are None if the server does not report them."""

    text: str
    model: str
    finish: Finish = "stop"
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    cost: float | None = None
    """In the currency of the prices in the model's settings; None where they or the counts lack."""
    notes: tuple[str, ...] = ()
    """What was done another way than asked, each a sentence for the trace."""
    seconds: float | None = None
    """How long it took; put in by who made the call."""
    reasoning: str = ""
    """What the model wrote for itself before its answer: for the trace, and no part of the text."""
    ended: str = ""
    """The server's own words on how the reply ended, where it did not simply stop."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The context size of a model, in tokens."""

    context: int
    """Prompt and reply together."""
    reply: int
    """The longest reply wanted."""


class LLM(Protocol):
    """A language model on a server.

    All methods raise `LLMError` with one clear sentence when no usable reply comes.
    """

    async def limits_async(self) -> Limits:
        """Return how much the model takes; may ask the server once."""
        ...

    async def complete_async(self, prompt: Prompt, on_text: OnText | None = None) -> Completion:
        """Return the reply; with `on_text` it is streamed, and a cut reply is kept as far as it is.

        Args:
            prompt: the conversation so far.
            on_text: gets every piece of the reply when it comes, in the event loop.
        """
        ...


MOST_LEVELS = 32
"""Objects and lists within one another that arguments may have: no tool wants more than three, and
what nests by the hundred cannot be told on."""


def tool_call(key: str, name: str, arguments: object) -> ToolCall:
    """Return a call; arguments that cannot be used are left out, and the call says why."""
    if not isinstance(arguments, dict):
        return ToolCall(key, name, {}, "the arguments are not a JSON object")
    if _levels(arguments) > MOST_LEVELS:
        return ToolCall(key, name, {}, "the arguments are nested too deeply")
    return ToolCall(key, name, arguments)


def _levels(value: object) -> int:
    """Return how many objects and lists are within one another, as far as that matters."""
    levels, inside = 0, [value]
    while inside and levels <= MOST_LEVELS:
        held = [one for one in inside if isinstance(one, dict | list)]
        inside = [part for one in held for part in (one.values() if isinstance(one, dict) else one)]
        levels += bool(held)
    return levels


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
