"""What is sent to an OpenAI-compatible server, in the way that this server understands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from generation.llm.json_in_prompt import calls_in, needs_tools, schema_in_words, tools_in_words
from generation.llm.openai.errors import is_too_long
from generation.llm.openai.settings import LLMSettings
from generation.llm.protocol import Completion, Message, Prompt, ReplySchema, Tool
from generation.llm.schemas import read_json
from search.errors import EmptyReplyError, LateReplyError, LLMError

Number = TypeVar("Number", int, float)

REFUSALS = (400, 415, 422, 501)
"""Statuses of servers that do not know a field of the request."""

_TOOLS = re.compile(r"\btools?\b|tool_|function|jinja", re.IGNORECASE)
_SCHEMA = re.compile(r"response_format|schema|grammar|structured", re.IGNORECASE)
_NO_TOOLS = "The server has no function calling; the functions were described in the prompt."
_NO_SCHEMA = "The server has no structured output; the shape was described in the prompt."
_EMPTY = (
    "The model replied with nothing twice; what is asked of the server was described in the prompt."
)
_LEAKED = "The model wrote its function calls as text; they were taken as calls."


@dataclass
class Abilities:
    """What a server turned out not to know; learned from its replies, kept with the adapter."""

    tools: bool = True
    schema: bool = True


@dataclass
class Negotiation:
    """One prompt on its way: sent as it is, and in words where the server does not understand it.

    Nothing is remembered of a server before the other way has worked.
    """

    prompt: Prompt
    abilities: Abilities
    _tools: bool = field(init=False)
    _schema: bool = field(init=False)
    _unused: tuple[Completion, ...] = field(init=False, default=())
    """Replies to ways that did not work: they were paid for too."""
    _empty: int = field(init=False, default=0)
    """How many replies said nothing."""

    def __post_init__(self) -> None:
        self._tools, self._schema = self.abilities.tools, self.abilities.schema

    def to_send(self) -> Prompt:
        """Return the prompt as it is to be sent now."""
        prompt = self.prompt if self._schema else schema_in_words(self.prompt)
        return prompt if self._tools else tools_in_words(prompt)

    def refused(self, status: int, reason: str) -> bool:
        """Take in a refusal; return whether there is another way to try."""
        tools, schema = self._others()
        about_tools, about_schema = bool(_TOOLS.search(reason)), bool(_SCHEMA.search(reason))
        named = (about_tools and tools) or (about_schema and schema)
        if is_too_long(reason) or not (tools or schema) or not (named or status in REFUSALS):
            return False
        self._tools = self._tools and not (tools and (about_tools or not named))
        self._schema = self._schema and not (schema and (about_schema or not named))
        return True

    def unanswered(self, error: LLMError) -> bool:
        """Take in what is no reply; return whether to ask again, in this way or another.

        A reply that says nothing may do so once, whatever the server knows: it is asked for again
        as it was. In words it is asked for then, but nothing is learned of the server. After one
        that did not end in time nothing is asked.
        """
        if isinstance(error, LateReplyError):
            return False
        if not isinstance(error, EmptyReplyError):
            return self.refused(REFUSALS[0], "")
        self._empty += 1
        return any(self._others()) if self._empty == 1 else self.refused(REFUSALS[0], "")

    def _others(self) -> tuple[bool, bool]:
        """Return whether functions, and whether a shape, are asked of the server itself."""
        tools = needs_tools(self.prompt) and self._tools
        return tools, self.prompt.schema is not None and self._schema

    def taken(self, completion: Completion) -> Completion | None:
        """Take in a reply; return it as a reply to the prompt, None to try another way."""
        done = self._with_calls(completion)
        if self._tools and self.prompt.tools_required and not done.tool_calls:
            self._tools = False
            self._unused = (*self._unused, completion)
            return None
        # A reply that was cut says nothing about what the server knows.
        whole = done.finish == "stop"
        if self.prompt.schema and self._schema and whole and not _fits(done, self.prompt.schema):
            self._schema = False
            self._unused = (*self._unused, completion)
            return None
        self._learn(done)
        return replace(_with_usage_of(self._unused, done), notes=(*done.notes, *self._notes()))

    def _with_calls(self, completion: Completion) -> Completion:
        tools = self.prompt.tools
        if not tools or completion.tool_calls:
            return completion
        calls = calls_in(completion.text, tools)
        if not calls:
            return completion
        notes = (*completion.notes, _LEAKED) if self._tools else completion.notes
        return replace(completion, text="", tool_calls=calls, notes=notes)

    def _learn(self, done: Completion) -> None:
        if self._was_silent():
            return
        if self.prompt.tools and not self._tools and done.tool_calls:
            self.abilities.tools = False
        if self.prompt.schema and not self._schema and _fits(done, self.prompt.schema):
            self.abilities.schema = False

    def _was_silent(self) -> bool:
        """Whether the other way was taken because nothing was said, and nothing refused."""
        return self._empty > 1

    def _notes(self) -> tuple[str, ...]:
        if self._was_silent():
            return (_EMPTY,)
        tools = (_NO_TOOLS,) if self.prompt.tools and not self._tools else ()
        return (*tools, _NO_SCHEMA) if self.prompt.schema and not self._schema else tools


def _with_usage_of(unused: Sequence[Completion], done: Completion) -> Completion:
    """Return a reply with the tokens and the cost of those before it that could not be used."""
    if not unused:
        return done
    every = (*unused, done)
    return replace(
        done,
        prompt_tokens=_total(one.prompt_tokens for one in every),
        completion_tokens=_total(one.completion_tokens for one in every),
        cost=_total(one.cost for one in every),
    )


def _total(known: Iterable[Number | None]) -> Number | None:
    """Return the sum of what is known; None where nothing is."""
    found = [one for one in known if one is not None]
    return sum(found[1:], start=found[0]) if found else None


def hurried(settings: LLMSettings, timeout_s: float | None) -> LLMSettings:
    """Return the settings for a call that may take no longer than so many seconds.

    Where that is less than a pause may take, there is no time for further attempts either.
    """
    if timeout_s is None or timeout_s >= settings.longest_reply_s:
        return settings
    changed: dict[str, float] = {"reply_timeout_s": timeout_s}
    if timeout_s < settings.timeout_s:
        changed |= {"timeout_s": timeout_s, "retries": 0}
    return settings.model_copy(update=changed)


def request_body(prompt: Prompt, settings: LLMSettings) -> dict[str, Any]:
    """Return the arguments of the client's `chat.completions.create`."""
    body: dict[str, Any] = {
        "model": settings.model,
        "messages": [_message(message) for message in prompt.messages],
        "max_tokens": prompt.max_tokens,
    }
    if settings.temperature is not None:
        body["temperature"] = settings.temperature
    if prompt.tools:
        body["tools"] = [_tool(tool) for tool in prompt.tools]
        body["tool_choice"] = "required" if prompt.tools_required else "auto"
    if prompt.schema is not None:
        shape = {"name": prompt.schema.name, "schema": dict(prompt.schema.schema), "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": shape}
    return body


def _message(message: Message) -> dict[str, Any]:
    sent: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.role == "tool":
        sent["tool_call_id"] = message.tool_call_id
    if message.tool_calls:
        sent["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(dict(call.arguments))},
            }
            for call in message.tool_calls
        ]
    return sent


def _tool(tool: Tool) -> dict[str, Any]:
    function = {
        "name": tool.name, "description": tool.description, "parameters": dict(tool.parameters),
    }  # fmt: skip
    return {"type": "function", "function": function}


def _fits(completion: Completion, schema: ReplySchema) -> bool:
    try:
        read_json(completion.text, schema.taken or schema.schema)
    except LLMError:
        return False
    return True
