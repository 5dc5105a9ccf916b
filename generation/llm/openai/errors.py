"""Turns the failures of an OpenAI-compatible server into one clear sentence each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from generation.llm.openai.settings import LLMSettings
from generation.llm.protocol import Completion
from generation.llm.tables import SERVERS
from search.errors import EmptyReplyError, LateReplyError, LLMError
from search.messages.redaction import server_words
from search.models.faults import Fault, ServerError, fault_of_error

UNREADABLE = (json.JSONDecodeError, UnicodeDecodeError, RecursionError)
"""What the client lets through, beside its own errors, where a body is not JSON."""

LONGEST_SHOWN = 80
"""Characters of what is not a reply that a message shows."""


def translate(error: Exception, settings: LLMSettings) -> LLMError:
    """Return the `LLMError` that says what failed and what to check."""
    import openai

    if isinstance(error, openai.APITimeoutError):
        return _failure("pause", settings, seconds=settings.timeout_s)
    if isinstance(error, openai.APIConnectionError):
        return _failure("connection", settings)
    if isinstance(error, openai.APIResponseValidationError):
        return nonsense(settings)
    if isinstance(error, openai.APIError | ServerError):
        return refused(fault_of_error(error), settings)
    return nonsense(settings)


def refused(fault: Fault, settings: LLMSettings) -> LLMError:
    """Return the error for a refusal: what it means, the server's own words, and what to do."""
    url = settings.public_url()
    words = shown_words(fault.reason, settings) if fault.reason else "no reason given"
    row = next(one for one in SERVERS["refusal"] if _is_for(one, fault))
    filled = row["says"].format(
        url=url,
        model=repr(settings.model),
        told=f"({fault.status}: {words})" if fault.status else f"({words})",
        attempts=settings.retries + 1,
        endpoint=settings.shown_endpoint(),
        instead="" if url.endswith("/v1") else f", try {url}/v1",
    )
    return LLMError(filled, row["code"])


def _is_for(row: Mapping[str, Any], fault: Fault) -> bool:
    if "kind" in row:
        return fault.is_a(row["kind"])
    return fault.status in row.get("status", (fault.status,)) and fault.status >= row.get("from", 0)


def without_answer(done: Completion, refusal: str, settings: LLMSettings) -> LLMError:
    """Return the error for a reply that holds no answer, as far as it came: why it holds none.

    `refusal` has the words by which the model refused; empty: it did not.
    """
    if refusal:
        return _failure("refused", settings, words=shown_words(refusal, settings))
    if done.finish == "filtered":
        return _failure("filtered", settings, words=f" ({done.ended})" if done.ended else "")
    if done.reasoning and done.finish == "length":
        count = f" ({done.completion_tokens:,})" if done.completion_tokens else ""
        return _failure("only-reasoned", settings, count=count)
    if done.reasoning:
        looped = " in a loop" if done.finish == "looped" else ""
        only = _failure("only-reasoning", settings, looped=looped)
        return ReasoningOnlyError(str(only), only.code, done)
    if done.finish == "length":
        return _failure("wrote-nothing", settings)
    ended = f" (it ended with {done.ended!r})" if done.ended else ""
    empty = _failure("empty", settings, ended=ended)
    return EmptyReplyError(str(empty), empty.code)


class ReasoningOnlyError(EmptyReplyError):
    """A model that wrote only reasoning; where JSON was asked for, that may be in it."""

    def __init__(self, message: str, code: str, done: Completion) -> None:
        super().__init__(message, code)
        self.done = done


def nonsense(settings: LLMSettings, sent: str = "") -> LLMError:
    """Return the error for a reply that is not one of the API."""
    began = shown_words(sent[:1000], settings)[:LONGEST_SHOWN] if sent.strip() else ""
    return _failure("nonsense", settings, came=f" (it sent “{began}”)" if began else "")


def late(settings: LLMSettings) -> LateReplyError:
    """Return the error for a reply that did not end in time."""
    most = settings.longest_reply_s
    name = "pause" if most == settings.timeout_s else "late"
    error = _failure(name, settings, seconds=most)
    return LateReplyError(str(error), error.code)


def shown_words(text: str, settings: LLMSettings) -> str:
    """Return a server's own words as they may be shown."""
    return server_words(text, settings.plain_key)


def _failure(name: str, settings: LLMSettings, **values: object) -> LLMError:
    row = SERVERS["failure"][name]
    filled = row["says"].format(model=repr(settings.model), url=settings.public_url(), **values)
    return LLMError(filled, row["code"])
