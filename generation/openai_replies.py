"""Reads what OpenAI-compatible servers reply: a whole reply, a stream, a list of models.

Servers differ, and a proxy may answer in a model's place: nothing is taken on trust.
"""

from __future__ import annotations

from typing import Any

from generation.llm import Completion, Finish, OnText
from generation.openai_errors import empty, nonsense, translate
from generation.openai_settings import FALLBACK_CONTEXT, LLMSettings

_CONTEXT_FIELDS = ("max_model_len", "context_length", "context_window", "max_context_length")
"""Where vLLM, hosted gateways and desktop servers tell a model's context in `/v1/models`."""

_FINISHES: dict[str, Finish] = {"length": "length", "content_filter": "filtered"}


def completion_of(reply: Any, settings: LLMSettings) -> Completion:
    """Return the completion in a whole reply.

    Raises:
        LLMError: the reply is not of the kind asked for, or has no choice or no text.
    """
    choices = getattr(reply, "choices", None)
    if not isinstance(choices, list):
        raise nonsense(settings)
    text = choices[0].message.content if choices and choices[0].message else None
    if not isinstance(text, str) or not text.strip():
        raise empty(settings)
    usage = getattr(reply, "usage", None)
    return Completion(
        text,
        settings.model,
        _FINISHES.get(choices[0].finish_reason or "stop", "stop"),
        getattr(usage, "prompt_tokens", None),
        getattr(usage, "completion_tokens", None),
    )


class StreamedReply:
    """A reply that is put together from the pieces of a stream."""

    def __init__(self, settings: LLMSettings, on_text: OnText) -> None:
        self._settings = settings
        self._on_text = on_text
        self._pieces: list[str] = []
        self._finish: str | None = None
        self._usage: Any = None
        self._seen_choices = False

    def add(self, chunk: Any) -> None:
        """Take in one chunk and pass its text on."""
        self._usage = getattr(chunk, "usage", None) or self._usage
        choices = getattr(chunk, "choices", None)
        if not choices:
            return
        self._seen_choices = True
        self._finish = choices[0].finish_reason or self._finish
        delta = choices[0].delta
        text = delta.content if delta else None
        if isinstance(text, str) and text:
            self._pieces.append(text)
            self._on_text(text)

    def finished(self) -> Completion:
        """Return the reply after the last chunk; without a finish reason it was cut.

        Raises:
            LLMError: nothing was said, or no chunk was one of a reply.
        """
        if not self._seen_choices and self._usage is None:
            raise nonsense(self._settings)
        if not self._has_text():
            raise empty(self._settings)
        if self._finish is None:
            return self._completion("cut")
        return self._completion(_FINISHES.get(self._finish, "stop"))

    def broken(self, error: Exception) -> Completion:
        """Return what came before the stream broke.

        Raises:
            LLMError: nothing came.
        """
        if not self._has_text():
            raise translate(error, self._settings) from None
        return self._completion("cut")

    def _has_text(self) -> bool:
        return any(piece.strip() for piece in self._pieces)

    def _completion(self, finish: Finish) -> Completion:
        return Completion(
            "".join(self._pieces),
            self._settings.model,
            finish,
            getattr(self._usage, "prompt_tokens", None),
            getattr(self._usage, "completion_tokens", None),
        )


def context_of(models: Any, name: str) -> int:
    """Return the context of a model from the server's list, in tokens.

    llama.cpp has it in `meta`, others beside the name. A server with a single model serves that
    one under any name. `FALLBACK_CONTEXT` where the list does not tell.
    """
    listed = getattr(models, "data", None)
    if not isinstance(listed, list):
        return FALLBACK_CONTEXT
    ours = [m for m in listed if getattr(m, "id", None) == name] or (
        listed if len(listed) == 1 else []
    )
    for model in ours:
        extra = getattr(model, "model_extra", None) or {}
        meta = extra.get("meta") or {}
        for value in (meta.get("n_ctx"), *(extra.get(field) for field in _CONTEXT_FIELDS)):
            if isinstance(value, int) and value > 0:
                return value
    return FALLBACK_CONTEXT
