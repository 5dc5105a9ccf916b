"""A server whose model answers every prompt of every mode, in the ways in which servers differ."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scripted_llm import Reply, sends

Request = Mapping[str, Any]
Quirk = Callable[[Request, "Said"], Reply]
"""Turns a request, and what the model says to it, into what the server sends."""

THOUGHT = (
    "Okay, the user asks about a fee. Passage [2] speaks of records. First draft: "
    '{"steps": [], "verdicts": [{"statement": 1, "supported": false, "reason": "a draft"}], '
    '"references": [], "verdict": "fails", "reason": "a draft", "corrected": "", '
    '"conclusion": "a draft", "finding": "a draft", "quotes": [], "missing": []} '
    "A firm must pay a fine of USD 5,000."
)
"""What the model thinks: it cites, states figures, and drafts every JSON that may be asked for."""


@dataclass(frozen=True)
class Said:
    """What a model answers: a text, or calls of functions."""

    text: str = ""
    calls: tuple[tuple[str, Mapping[str, Any]], ...] = ()


def model_says(request: Request, answer: str) -> Said:
    """What the model answers; `answer` to what asks for an answer."""
    told = "\n".join(str(one.get("content") or "") for one in request["messages"])
    shape = (request.get("response_format") or {}).get("json_schema", {}).get("schema")
    last = str(request["messages"][-1].get("content") or "")
    wanted = set(shape["properties"]) if shape else _described(last)
    for name, reply in SHAPED.items():
        if name in wanted:
            return Said(json.dumps(reply))
    if request.get("tools") or '"name": "…"' in told or "delegate:" in told:
        reported = "Result of" in told or any(one["role"] == "tool" for one in request["messages"])
        return Said(f"FINAL ANSWER\n{answer}") if reported else Said(calls=(("delegate", TASK),))
    if "Delegate nothing more" in told or "were challenged" in told:
        return Said(f"FINAL ANSWER\n{answer}")
    return Said(answer)


def _described(told: str) -> set[str]:
    """The first field of the shape that a prompt describes in words."""
    found = re.search(r'\{"type": "object", "properties": \{"(\w+)"', told)
    return {found[1]} if found else set()


TASK = {"title": "Scope", "task": "Find out.", "parts": ["Article 1"], "document": ""}
SHAPED: Mapping[str, Any] = {
    "steps": {"steps": [TASK]},
    "verdicts": {"verdicts": [{"statement": 1, "supported": True, "reason": "it says so"}]},
    "references": {"references": []},
    "verdict": {"verdict": "holds", "reason": "", "corrected": ""},
    "conclusion": {"conclusion": "It applies.", "finding": "It applies [1].", "quotes": [],
                   "missing": []},
    "duty": {"duty": True},
}  # fmt: skip


def plain(request: Request, said: Said, finish: str = "stop", **message: Any) -> Reply:
    """What a server sends that has no quirks."""
    if request.get("stream"):
        return streamed(said.text, finish, calls=said.calls, **message)
    return whole(said.text, finish, calls=said.calls, **message)


def whole(
    text: Any, finish: str | None = "stop", *, calls: Sequence[Any] = (), **more: Any
) -> Reply:
    message = {"role": "assistant", "content": text or None, **more}
    if calls:
        message["tool_calls"] = called(calls)
    choices = [{"index": 0, "message": message, "finish_reason": finish}]
    return Reply({"id": "1", "object": "chat.completion", "choices": choices})


def streamed(
    text: str, finish: str | None = "stop", *, calls: Sequence[Any] = (), size: int = 5, **more: Any
) -> Reply:
    """A stream in small pieces, what stands beside the content first."""
    return sends(*chunks(text, finish, calls=calls, size=size, **more))


def chunks(
    text: str, finish: str | None = "stop", *, calls: Sequence[Any] = (), size: int = 5, **more: Any
) -> list[dict[str, Any]]:
    deltas: list[dict[str, Any]] = [
        {name: value[start : start + 20]} if isinstance(value, str) else {name: value}
        for name, value in more.items()
        for start in (range(0, len(value), 20) if isinstance(value, str) else (0,))
    ]
    deltas += [{"content": text[start : start + size]} for start in range(0, len(text), size)]
    for place, call in enumerate(called(calls)):
        function, written = call["function"], call["function"]["arguments"]
        deltas.append({"tool_calls": [{**call, "index": place,
                                       "function": {**function, "arguments": ""}}]})  # fmt: skip
        deltas += [
            {"tool_calls": [{"index": place, "function": {"arguments": written[at : at + 9]}}]}
            for at in range(0, len(written), 9)
        ]
    made = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    return [*made, {"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}]


def called(calls: Sequence[tuple[str, Mapping[str, Any]]]) -> list[dict[str, Any]]:
    return [
        {"id": f"c{n}", "type": "function",
         "function": {"name": name, "arguments": json.dumps(arguments)}}
        for n, (name, arguments) in enumerate(calls, start=1)
    ]  # fmt: skip


def writes(before: str, behind: str = "") -> Quirk:
    """A model that writes something around its answer; the thought stands for `…`."""

    def reply(request: Request, said: Said) -> Reply:
        head = before.replace("…", THOUGHT)
        return plain(request, Said(f"{head}{said.text}{behind}" if said.text else "", said.calls))

    return reply


def beside(**fields: Any) -> Quirk:
    """A server that sends reasoning beside the content."""
    return lambda request, said: plain(request, said, **fields)


def refuses(
    status: int, body: Any, when: Callable[[Request], bool], headers: Mapping[str, str] = {}
) -> Quirk:
    """A server that refuses some requests, and answers all others."""

    def reply(request: Request, said: Said) -> Reply:
        return Reply(body, status, headers=headers) if when(request) else plain(request, said)

    return reply


def has(*fields: str) -> Callable[[Request], bool]:
    return lambda request: any(field in request for field in fields)


def has_role(*roles: str) -> Callable[[Request], bool]:
    return lambda request: any(one["role"] in roles for one in request["messages"])


def repeats_itself(request: Request) -> bool:
    """Whether one side speaks twice in a row, a system text counted, as old templates see it."""
    roles = [one["role"] for one in request["messages"]]
    return "system" in roles or any(one == other for one, other in itertools.pairwise(roles))


def error(message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", **more}}


REASONING: dict[str, Quirk] = {
    "think": writes("<think>\n…\n</think>\n\n"),
    "think, empty": writes("<think>\n\n</think>\n\n"),
    "only closed": writes("…\n</think>\n\n"),
    "thinking": writes("<thinking>…</thinking>\n"),
    "thought": writes("<thought>\n…\n</thought>\n\n"),
    "reasoning tag": writes("<reasoning>…</reasoning>"),
    "upper case": writes("<THINK>…</THINK>"),
    "attribute": writes('<think type="deep">…</think>'),
    "escaped": writes("&lt;think&gt;…&lt;/think&gt;\n"),
    "monologue": writes("<inner_monologue>…</inner_monologue>"),
    "headings": writes("**Thinking:**\n…\n\n**Answer:**\n"),
    "seed": writes("<seed:think>…</seed:think>"),
    "magistral": writes("[THINK]…[/THINK]"),
    "kimi": writes("◁think▷…◁/think▷"),
    "sky": writes("<|begin_of_thought|>…<|end_of_thought|>\n<|begin_of_solution|>",
                  "<|end_of_solution|>"),
    "command": writes("<|START_THINKING|>…<|END_THINKING|><|START_RESPONSE|>", "<|END_RESPONSE|>"),
    "harmony": writes("<|channel|>analysis<|message|>…<|end|><|start|>assistant<|channel|>final"
                      "<|message|>", "<|return|>"),
    "harmony, whole": writes("<|start|>assistant<|channel|>analysis<|message|>…<|end|><|start|>"
                             "assistant<|channel|>final<|message|>"),
    "harmony, marks lost": writes("analysis…assistantfinal"),
    "gemma": writes("<|channel>thought\n…<channel|>"),
    "granite": writes("Here is my thought process:\n…\n\nHere is my response:\n\n"),
    "think and answer": writes("<think>…</think>\n<answer>", "</answer>"),
    "reasoning_content": beside(reasoning_content=THOUGHT),
    "reasoning": beside(reasoning=THOUGHT),
    "reasoning, with details": beside(
        reasoning=THOUGHT, reasoning_details=[{"type": "reasoning.text", "text": THOUGHT}]
    ),
    "thinking field": beside(thinking=THOUGHT),
}  # fmt: skip
"""What the model thinks before it answers, and where the server leaves it."""


def _parts(request: Request, said: Said, *parts: Any) -> Reply:
    if not request.get("stream"):
        return whole([*parts, {"type": "text", "text": said.text}], calls=said.calls)
    made = [{"content": [part]} for part in (*parts, {"type": "text", "text": said.text})]
    sent = [{"choices": [{"index": 0, "delta": delta}]} for delta in made]
    return sends(*sent, *chunks("", calls=said.calls))


REASONING["thinking parts"] = lambda request, said: _parts(
    request, said, {"type": "thinking", "thinking": [{"type": "text", "text": THOUGHT}]}
)
REASONING["reasoning part"] = lambda request, said: _parts(
    request, said, {"type": "reasoning", "summary": [{"type": "summary_text", "text": THOUGHT}]}
)


def _lines(request: Request, said: Said) -> Reply:
    """Values in lines of their own, without the marks of events."""
    sent = chunks(said.text, calls=said.calls)
    return Reply("\n".join(map(json.dumps, sent)) + "\n", content_type="application/x-ndjson")


def _events(separator: str, first: str = "", *, done: bool = True) -> Quirk:
    def reply(request: Request, said: Said) -> Reply:
        if not request.get("stream"):
            return plain(request, said)
        sent = [f"data: {json.dumps(one)}" for one in chunks(said.text, calls=said.calls)]
        sent += ["data: [DONE]"] * done
        return Reply(first + separator.join(sent) + separator, content_type="text/event-stream")

    return reply


def _repeated_at_the_end(request: Request, said: Said) -> Reply:
    if not request.get("stream") or said.calls:
        return plain(request, said)
    last = {"choices": [{"index": 0, "message": {"content": said.text}, "finish_reason": "stop"}]}
    return sends(*chunks(said.text)[:-1], last)


def _second_choice_first(request: Request, said: Said) -> Reply:
    if request.get("stream"):
        return plain(request, said)
    reply = whole(said.text, calls=said.calls)
    other = {"index": 1, "message": {"content": "Another answer."}, "finish_reason": "stop"}
    return Reply({**reply.body, "choices": [other, *reply.body["choices"]]})


def _argument_objects(request: Request, said: Said) -> Reply:
    """Arguments as objects, a number as the ID, and the name of a namespace before the function."""
    if not said.calls or request.get("stream"):
        return plain(request, said)
    made = [{"id": 7, "function": {"name": f"functions.{name}", "arguments": dict(given)}}
            for name, given in said.calls]  # fmt: skip
    return whole(said.text, "tool_calls", tool_calls=made)


def _calls_as_text(request: Request, said: Said) -> Reply:
    written = [json.dumps({"name": name, "arguments": given}) for name, given in said.calls]
    return plain(request, Said(said.text or "\n".join(written)))


def _call_in_a_channel(request: Request, said: Said) -> Reply:
    written = [
        f"<|channel|>analysis<|message|>{THOUGHT}<|end|><|start|>assistant<|channel|>commentary "
        f"to=functions.{name} <|constrain|>json<|message|>{json.dumps(given)}<|call|>"
        for name, given in said.calls
    ]
    return plain(request, Said(said.text or "".join(written)))


SHAPES: dict[str, Quirk] = {
    "none": plain,
    "text parts": _parts,
    "another choice first": _second_choice_first,
    "JSON where a stream is asked": lambda _, said: whole(said.text, calls=said.calls),
    "a stream where JSON is asked": lambda _, said: streamed(said.text, calls=said.calls),
    "lines of JSON": _lines,
    "events without blank lines": _events("\n"),
    "events with comments": _events("\r\n\r\n", ": hello\n\nevent: start\nid: 1\n"),
    "no end of the stream": _events("\n\n", done=False),
    "a byte order mark": _events("\n\n", "\ufeff"),
    "end_turn": lambda request, said: plain(request, said, "end_turn"),
    "EOS": lambda request, said: plain(request, said, "EOS"),
    "FINISH_REASON_STOP": lambda request, said: plain(request, said, "FINISH_REASON_STOP"),
    "the whole message at the end": _repeated_at_the_end,
    "an end-of-turn mark": writes("", "<|im_end|>"),
    "a turn of the user behind it": writes("", "<|im_end|>\n<|im_start|>user\nPassage [2] says?"),
    "a beginning of the turn": writes("<|im_start|>assistant\n", "<|im_end|>"),
    "gemma's turn": writes("<start_of_turn>model\n", "<end_of_turn>\n"),
    "an end of sentence": writes("", "</s>"),
    "argument objects": _argument_objects,
    "calls as text": _calls_as_text,
    "a call in a channel": _call_in_a_channel,
}
"""The shapes in which servers send one and the same reply."""

_NOT_ALLOWED = {"detail": [{"type": "extra_forbidden", "loc": ["body", "stream_options"],
                            "msg": "Extra inputs are not permitted"}]}  # fmt: skip
AT_ONCE = {"retry-after-ms": "1"}
LIMITS = "max_tokens", "max_completion_tokens"

REFUSALS: dict[str, Quirk] = {
    "max_tokens, renamed": refuses(
        400, error("Unsupported parameter: 'max_tokens' is not supported with this model. Use "
                   "'max_completion_tokens' instead.", param="max_tokens"), has("max_tokens")),
    "any limit": refuses(400, error("Unrecognized request arguments: max_tokens, "
                                    "max_completion_tokens"), has(*LIMITS)),
    "a limit too high": refuses(
        400, error("max_tokens is too large: 512. This model supports at most 100 completion "
                   "tokens, whereas you provided 512."),
        lambda request: request.get("max_tokens", 0) > 100),
    "temperature": refuses(
        400, error("Unsupported value: 'temperature' does not support 0 with this model. Only the "
                   "default (1) value is supported.", param="temperature"), has("temperature")),
    "temperature, in a list": refuses(
        422, {"detail": [{"loc": ["body", "temperature"], "msg": "must be greater than 0",
                          "type": "value_error"}]}, has("temperature")),
    "stream_options": refuses(422, {"object": "error", "message": _NOT_ALLOWED},
                              has("stream_options")),
    "stream_options, as text": refuses(400, "unknown field stream_options", has("stream_options")),
    "system role": refuses(400, {"object": "error", "message": "System role not supported",
                                 "code": 400}, has_role("system")),
    "system role, failing": refuses(
        500, error("Only user and assistant roles are supported! at row 1, column 90"),
        has_role("system"), {"retry-after-ms": "60000"}),
    "turns that alternate": refuses(
        400, error("Conversation roles must alternate user/assistant/user/assistant/..."),
        repeats_itself),
    "streaming": refuses(400, error("Streaming is not supported for this model.", param="stream"),
                         has("stream")),
    "whole replies": refuses(400, error("This model only supports stream mode, please enable the "
                                        "stream parameter."),
                             lambda request: not request.get("stream")),
    "response_format": refuses(400, error("This model does not support response_format"),
                               has("response_format")),
    "response_format, not found": refuses(404, error("No endpoints found with structured output"),
                                          has("response_format")),
    "tools": refuses(400, error("m does not support tools"), has("tools")),
    "tools, not found": refuses(404, error("No endpoints found that support tool use"),
                                has("tools")),
    "tool_choice": refuses(
        400, error("This model does not support tool_choice 'required'", param="tool_choice"),
        lambda request: request.get("tool_choice") == "required"),
    "everything, without a name": refuses(
        422, {"detail": "Unprocessable Entity"},
        lambda request: has(*LIMITS, "temperature", "stream_options", "response_format", "tools",
                            "stream")(request) or has_role("system", "tool")(request)),
    "everything, named": refuses(
        400, error("Unknown fields: max_tokens, max_completion_tokens, temperature, "
                   "stream_options, response_format, tools, system role"),
        lambda request: has(*LIMITS, "temperature", "stream_options", "response_format",
                            "tools")(request) or has_role("system", "tool")(request)),
    "with status 200": refuses(200, error("temperature is not supported"), has("temperature")),
    "with status 200, as a list": refuses(
        200, [error("Invalid value at 'temperature'", code=400)], has("temperature")),
    "in the stream": lambda request, said: (
        sends(error("stream_options is not supported")) if "stream_options" in request
        else plain(request, said)),
}  # fmt: skip
"""What servers refuse, and in which words."""
