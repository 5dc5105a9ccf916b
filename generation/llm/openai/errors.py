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

    url = settings.public_url()
    if isinstance(error, openai.APITimeoutError):
        return LLMError(_no_answer(url, settings.timeout_s), "llm.timeout")
    if isinstance(error, openai.APIConnectionError):
        return LLMError(
            f"The language model at {url} cannot be reached; check that the server is "
            "running and that the URL is complete (it often ends in /v1).",
            "llm.unreachable",
        )
    if isinstance(error, openai.APIStatusError | ServerError):
        return refused(fault_of_error(error), settings)
    if isinstance(error, openai.APIError) and not isinstance(
        error, openai.APIResponseValidationError
    ):
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
    """Return whether a row of the table of refusals is for a failure."""
    if "kind" in row:
        return fault.is_a(row["kind"])
    return fault.status in row.get("status", (fault.status,)) and fault.status >= row.get("from", 0)


def without_answer(done: Completion, refusal: str, settings: LLMSettings) -> LLMError:
    """Return the error for a reply that holds no answer: why it holds none.

    Args:
        done: the reply as far as it came.
        refusal: the words by which the model refused; empty: it did not.
        settings: of the server.
    """
    of_model = f"The language model {settings.model!r} at {settings.public_url()}"
    if refusal:
        words = shown_words(refusal, settings)
        return LLMError(
            f"{of_model} refused to answer: “{words}”; rephrase the question, or use "
            "another model.",
            "llm.refused-to-answer",
        )
    if done.finish == "filtered":
        words = f" ({done.ended})" if done.ended else ""
        return LLMError(
            "The server's content filter stopped "
            f"{of_model[:1].lower() + of_model[1:]} before it answered{words}; "
            "rephrase the question, or use another model.",
            "llm.filtered",
        )
    if done.reasoning and done.finish == "length":
        count = f" ({done.completion_tokens:,})" if done.completion_tokens else ""
        return LLMError(
            f"{of_model} used all of its reply tokens{count} for reasoning and "
            "gave no answer; raise llm_max_tokens, or limit the reasoning "
            '(llm_extra, such as {"reasoning_effort": "low"}).',
            "llm.thinking-budget",
        )
    if done.reasoning:
        looped = " in a loop" if done.finish == "looped" else ""
        return ReasoningOnlyError(
            f"{of_model} wrote only reasoning{looped}, and no answer; ask again, or "
            "switch off its reasoning (llm_extra).",
            "llm.only-reasoning",
            done,
        )
    if done.finish == "length":
        return LLMError(
            f"{of_model} used all of its reply tokens and wrote no text, perhaps "
            "because it was reasoning; raise llm_max_tokens.",
            "llm.thinking-budget",
        )
    ended = f" (it ended with {done.ended!r})" if done.ended else ""
    return EmptyReplyError(
        f"{of_model} returned an empty answer{ended}; ask again, or use another model.",
        "llm.empty",
    )


class ReasoningOnlyError(EmptyReplyError):
    """A model that wrote only reasoning; where JSON was asked for, that may be in it."""

    def __init__(self, message: str, code: str, done: Completion) -> None:
        super().__init__(message, code)
        self.done = done


def nonsense(settings: LLMSettings, sent: str = "") -> LLMError:
    """Return the error for a reply that is not one of the API."""
    began = shown_words(sent[:1000], settings)[:LONGEST_SHOWN] if sent.strip() else ""
    came = f" (it sent “{began}”)" if began else ""
    return LLMError(
        f"The server at {settings.public_url()} does not have an OpenAI-compatible "
        f"API{came}; check the URL (it often ends in /v1).",
        "llm.no-api",
    )


def late(settings: LLMSettings) -> LateReplyError:
    """Return the error for a reply that did not end in time."""
    url, most = settings.public_url(), settings.longest_reply_s
    if most == settings.timeout_s:
        return LateReplyError(_no_answer(url, most), "llm.timeout")
    return LateReplyError(
        f"The reply of the language model at {url} was not complete after {most:g} s; "
        "check whether the server is overloaded, or raise the time limit "
        "(reply_timeout_s).",
        "llm.late",
    )


def shown_words(text: str, settings: LLMSettings) -> str:
    """Return a server's own words as they may be shown."""
    return server_words(text, settings.api_key.get_secret_value() if settings.api_key else "")


def _no_answer(url: str, seconds: float) -> str:
    return (
        f"The language model at {url} did not answer within {seconds:g} s; check "
        "whether the server is overloaded, or raise the time limit (timeout_s)."
    )
