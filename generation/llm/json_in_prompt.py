"""Function calls and shaped replies for servers that know neither: in words, answered in JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from generation.llm.protocol import Message, Prompt, Tool, ToolCall, tool_call
from generation.llm.schemas import objects_in
from generation.prompts import render


def tools_in_words(prompt: Prompt) -> Prompt:
    """Return a prompt that describes its tools in its first message and needs no support.

    Calls of earlier turns become the JSON that was asked for, and their results what the user says,
    whether or not functions may be called now.
    """
    if not needs_tools(prompt):
        return prompt
    messages = merged([_in_words(message) for message in prompt.messages])
    if prompt.tools:
        known = render("calls-in-json", tools="\n".join(map(_described, prompt.tools)))
        messages = _with_system(messages, known)
    return replace(prompt, messages=messages, tools=(), tools_required=False)


def needs_tools(prompt: Prompt) -> bool:
    """Return whether only a server with function calling understands a prompt as it is."""
    return bool(prompt.tools) or any(
        message.tool_calls or message.role == "tool" for message in prompt.messages
    )


def schema_in_words(prompt: Prompt) -> Prompt:
    """Return a prompt that describes the shape of the reply in its last message."""
    if prompt.schema is None:
        return prompt
    *before, last = prompt.messages
    shape = json.dumps(dict(prompt.schema.schema), ensure_ascii=False)
    said = f"{last.content}\n\n{render('reply-in-json', schema=shape)}"
    return replace(prompt, messages=(*before, replace(last, content=said)), schema=None)


def calls_in(text: str, tools: Sequence[Tool]) -> tuple[ToolCall, ...]:
    """Return the calls of known tools that a model wrote as text.

    Both the form that `tools_in_words` asks for and a bare `{"name": …, "arguments": …}` are read,
    the latter because some servers let their model's own calls through as text.
    """
    names = {tool.name for tool in tools}
    wholes = list(objects_in(text))
    # Of several lists of calls the last one counts: those before it were drafts.
    lists = [whole for whole in wholes if isinstance(whole.get("calls"), list)]
    chosen = lists[-1:] or wholes
    found = [call for whole in chosen for call in _calls_of(whole) if call["name"] in names]
    unique = {json.dumps(call, sort_keys=True): call for call in found}
    return tuple(
        tool_call(f"call-{number}", call["name"], call.get("arguments", call.get("parameters")))
        for number, call in enumerate(unique.values(), start=1)
    )


def _calls_of(whole: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    calls = whole.get("calls", [whole])
    if isinstance(calls, list):
        named = (call for call in calls if isinstance(call, dict))
        yield from (call for call in named if isinstance(call.get("name"), str))


def _described(tool: Tool) -> str:
    return f"- {tool.name}: {tool.description}\n  arguments: {json.dumps(dict(tool.parameters))}"


def _in_words(message: Message) -> Message:
    if message.role == "tool":
        return Message("user", f"Result of {message.tool_call_id}:\n{message.content}")
    if message.tool_calls:
        calls = [{"name": c.name, "arguments": dict(c.arguments)} for c in message.tool_calls]
        written = json.dumps({"calls": calls}, ensure_ascii=False)
        return Message("assistant", f"{message.content}\n{written}".strip())
    return message


def merged(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Join what one side says in a row: many chat templates want the sides to take turns."""
    merged: list[Message] = []
    for message in messages:
        if merged and merged[-1].role == message.role:
            both = f"{merged[-1].content}\n\n{message.content}"
            merged[-1] = replace(merged[-1], content=both)
        else:
            merged.append(message)
    return tuple(merged)


def _with_system(messages: tuple[Message, ...], text: str) -> tuple[Message, ...]:
    first = messages[0]
    if first.role == "system":
        return (Message("system", f"{first.content}\n\n{text}"), *messages[1:])
    return (Message("system", text), *messages)
