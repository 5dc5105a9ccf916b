"""The body of a request to an OpenAI-compatible server, in the dialect that the server takes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from generation.llm.json_in_prompt import merged, schema_in_words, tools_in_words
from generation.llm.openai.dialect import Dialect
from generation.llm.openai.settings import LLMSettings
from generation.llm.protocol import Message, Prompt, Tool


def in_dialect(prompt: Prompt, dialect: Dialect) -> Prompt:
    """Return a prompt without what the server does not take; words say what is left out."""
    prompt = prompt if dialect.response_format else schema_in_words(prompt)
    prompt = prompt if dialect.tools else tools_in_words(prompt)
    messages = prompt.messages if dialect.system else _without_system(prompt.messages)
    messages = messages if dialect.turns else merged(messages)
    return replace(prompt, messages=messages)


def request_body(
    prompt: Prompt, settings: LLMSettings, dialect: Dialect, *, heard: bool
) -> dict[str, Any]:
    """Return the body of a request."""
    body: dict[str, Any] = {
        "model": settings.model,
        "messages": [_message(message) for message in prompt.messages],
    }
    if dialect.limit:
        body[dialect.limit] = min(prompt.max_tokens, dialect.most_tokens or prompt.max_tokens)
    if settings.temperature is not None and dialect.temperature:
        body["temperature"] = settings.temperature
    if dialect.stream == "always" or (heard and dialect.stream == "asked"):
        body["stream"] = True
        if dialect.stream_options:
            body["stream_options"] = {"include_usage": True}
    if prompt.tools:
        body["tools"] = [_tool(tool) for tool in prompt.tools]
        if dialect.tool_choice:
            required = prompt.tools_required and dialect.tool_choice == "required"
            body["tool_choice"] = "required" if required else "auto"
    if prompt.schema is not None:
        shape = {"name": prompt.schema.name, "schema": dict(prompt.schema.schema), "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": shape}
    return {**body, **settings.extra}


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


def _without_system(messages: Sequence[Message]) -> tuple[Message, ...]:
    system = "\n\n".join(one.content for one in messages if one.role == "system")
    others = [one for one in messages if one.role != "system"]
    if not system:
        return tuple(messages)
    if not others or others[0].role != "user":
        return (Message("user", system), *others)
    return (replace(others[0], content=f"{system}\n\n{others[0].content}"), *others[1:])


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
