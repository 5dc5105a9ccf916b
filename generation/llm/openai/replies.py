"""Reads what OpenAI-compatible servers reply: a whole reply, a stream, a list of models.

Servers differ, and a proxy may answer in a model's place: nothing is taken on trust.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from generation.llm.openai.errors import empty, nonsense, translate
from generation.llm.openai.settings import FALLBACK_CONTEXT, LLMSettings
from generation.llm.protocol import Completion, Finish, OnText, ToolCall
from generation.llm.tool_calls import tool_call
from generation.replies.loops import LONGEST_WRITTEN, ROUNDS, runs_in_a_loop
from search.errors import LateReplyError

_CONTEXT_FIELDS = ("max_model_len", "context_length", "context_window", "max_context_length")
"""Where vLLM, hosted gateways and desktop servers tell a model's context in `/v1/models`."""

_FINISHES: dict[str, Finish] = {"length": "length", "content_filter": "filtered"}


def completion_of(reply: Any, settings: LLMSettings) -> Completion:
    """Return the completion in a whole reply.

    Raises:
        LLMError: the reply is not of the kind asked for, or has no choice or no text.
    """
    if getattr(reply, "choices", None) is None:
        raise nonsense(settings)
    choice = _first_choice(reply, settings)
    message = _field(choice, "message", BaseModel, settings)
    text = _field(message, "content", str, settings) or ""
    calls = tuple(_tool_calls(message, settings))
    if not text.strip() and not calls:
        raise empty(settings)
    finish = _field(choice, "finish_reason", str, settings) or "stop"
    usage = getattr(reply, "usage", None)
    return _completion(text, _FINISHES.get(finish, "stop"), usage, settings, calls)


def _completion(
    text: str, finish: Finish, usage: Any, settings: LLMSettings, calls: tuple[ToolCall, ...] = ()
) -> Completion:
    prompt, reply = _tokens(usage, "prompt_tokens"), _tokens(usage, "completion_tokens")
    whole, cost = whole_text(text), settings.cost(prompt, reply)
    return Completion(whole, settings.model, finish, prompt, reply, calls, cost)


def _tool_calls(message: BaseModel | None, settings: LLMSettings) -> Iterator[ToolCall]:
    called = _field(message, "tool_calls", list, settings) or []
    for number, call in enumerate(called, start=1):
        function = _field(call, "function", BaseModel, settings)
        name = _field(function, "name", str, settings)
        if not name:
            raise nonsense(settings)
        given = _field(function, "arguments", str, settings) or "{}"
        key = _field(call, "id", str, settings) or f"call-{number}"
        yield _tool_call(key, name, given)


def _tool_call(key: str, name: str, given: str) -> ToolCall:
    try:
        arguments = json.loads(whole_text(given))
    except (ValueError, RecursionError):
        return ToolCall(key, name, {}, "the arguments are not valid JSON")
    return tool_call(key, name, arguments)


class StreamedReply:
    """A reply that is put together from the pieces of a stream."""

    def __init__(self, settings: LLMSettings, on_text: OnText) -> None:
        self._settings = settings
        self._on_text = on_text
        self._pieces: list[str] = []
        self._finish: str | None = None
        self._usage: Any = None
        self._seen_choices = False
        self._characters = _whole_characters()
        self._end = ""
        self.is_looping = False
        """Whether the same words came over and over; there is no use in reading on."""

    def add(self, chunk: Any) -> None:
        """Take in one chunk and pass its text on.

        Raises:
            LLMError: the chunk is not one of a reply.
        """
        self._usage = getattr(chunk, "usage", None) or self._usage
        choice = _first_choice(chunk, self._settings)
        if choice is None:
            return
        self._seen_choices = True
        self._finish = _field(choice, "finish_reason", str, self._settings) or self._finish
        delta = _field(choice, "delta", BaseModel, self._settings)
        text = _field(delta, "content", str, self._settings) or ""
        self._hear(self._characters.decode(_halves(text)))

    def finished(self) -> Completion:
        """Return the reply after the last chunk; without a finish reason it was cut.

        Raises:
            LLMError: nothing was said, or no chunk was one of a reply.
        """
        if not self._seen_choices and self._usage is None:
            raise nonsense(self._settings)
        self._hear(self._characters.decode(b"", final=True))
        if not self._has_text():
            raise empty(self._settings)
        if self.is_looping:
            return self._completion("looped")
        if self._finish is None:
            return self._completion("cut")
        return self._completion(_FINISHES.get(self._finish, "stop"))

    def broken(self, error: Exception) -> Completion:
        """Return what came before the stream broke, or before its time was over.

        Raises:
            LLMError: nothing came.
        """
        is_late = isinstance(error, LateReplyError)
        if not self._has_text():
            raise (error if is_late else translate(error, self._settings)) from None
        return self._completion("late" if is_late else "cut")

    @property
    def has_ended(self) -> bool:
        """Whether the server said that the reply is complete, or nothing more is wanted of it."""
        return self._finish is not None or self.is_looping

    def _hear(self, text: str) -> None:
        if text:
            self._pieces.append(text)
            self._on_text(text)
            self._end = (self._end + text)[-LONGEST_WRITTEN * ROUNDS :]
            self.is_looping = runs_in_a_loop(self._end)

    def _has_text(self) -> bool:
        return any(piece.strip() for piece in self._pieces)

    def _completion(self, finish: Finish) -> Completion:
        return _completion("".join(self._pieces), finish, self._usage, self._settings)


def _first_choice(reply: Any, settings: LLMSettings) -> BaseModel | None:
    """Return the first choice of a reply or chunk, None if it has none."""
    choices = _field(reply, "choices", list, settings)
    if not choices:
        return None
    if not isinstance(choices[0], BaseModel):
        raise nonsense(settings)
    return choices[0]


def _field(whole: Any, name: str, kind: type, settings: LLMSettings) -> Any:
    """Return a field that must be of its kind where it is given; None where it is not."""
    value = getattr(whole, name, None)
    if value is not None and not isinstance(value, kind):
        raise nonsense(settings)
    return value


def _tokens(usage: Any, name: str) -> int | None:
    value = getattr(usage, name, None)
    return value if type(value) is int else None


def whole_text(text: str) -> str:
    """Return a text with halves of characters joined, and those that stay alone replaced."""
    return _whole_characters().decode(_halves(text), final=True)


def _halves(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")


def _whole_characters() -> codecs.IncrementalDecoder:
    """Return what joins the halves of a character and replaces those that stay alone.

    JSON escapes can bring in half a character, which no file, terminal or request can hold; a
    server that cuts its text carelessly sends the two halves in two chunks.
    """
    return codecs.getincrementaldecoder("utf-16-le")("replace")


def context_of(models: Any, name: str) -> int:
    """Return the context of a model from the server's list (as JSON), in tokens.

    llama.cpp has it in `meta`, others beside the name. A server with a single model serves that
    one under any name. `FALLBACK_CONTEXT` where the list does not tell.
    """
    data = models.get("data") if isinstance(models, dict) else None
    listed = [m for m in data if isinstance(m, dict)] if isinstance(data, list) else []
    ours = [m for m in listed if m.get("id") == name] or (listed if len(listed) == 1 else [])
    for model in ours:
        meta = model.get("meta")
        in_meta = meta.get("n_ctx") if isinstance(meta, dict) else None
        for value in (in_meta, *(model.get(field) for field in _CONTEXT_FIELDS)):
            if type(value) is int and value > 0:
                return value
    return FALLBACK_CONTEXT
