"""Turns the failures of an OpenAI-compatible server into one clear sentence each."""

from __future__ import annotations

import json
from collections.abc import Callable

from generation.llm.openai.settings import LLMSettings
from generation.llm.protocol import Completion
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
    code, sentence = next(
        (code, sentence) for code, is_meant, sentence in _REFUSALS if is_meant(fault)
    )
    filled = sentence.format(
        url=url,
        model=repr(settings.model),
        told=f"({fault.status}: {words})" if fault.status else f"({words})",
        attempts=settings.retries + 1,
        endpoint=settings.shown_endpoint(),
        instead="" if url.endswith("/v1") else f", try {url}/v1",
    )
    return LLMError(filled, code)


_REFUSALS: tuple[tuple[str, Callable[[Fault], bool], str], ...] = (
    (
        "llm.key",
        lambda fault: fault.is_about_key,
        (
            "The language model at {url} rejected the key {told}; check the API key in "
            "the environment, and that it belongs to this server."
        ),
    ),
    (
        "llm.too-long",
        lambda fault: fault.is_too_long,
        (
            "The prompt is longer than the context of {model} at {url} {told}; set "
            "llm_context_tokens to the actual size, or use fewer passages."
        ),
    ),
    (
        "llm.unknown-model",
        lambda fault: fault.is_unknown_model,
        "The server at {url} has no model {model} {told}; rirag doctor lists its models.",
    ),
    (
        "llm.quota",
        lambda fault: fault.is_quota,
        "The account at {url} has no credit or quota left {told}; top it up, or use another "
        "server.",
    ),
    (
        "llm.filtered",
        lambda fault: fault.is_filtered,
        (
            "A content filter of the server at {url} rejected the prompt {told}; "
            "rephrase the question, or ask the server's operator to allow regulatory "
            "texts."
        ),
    ),
    (
        "llm.wrong-url",
        lambda fault: fault.status in (404, 405),
        (
            "The address {endpoint} does not exist {told}; check the URL: it often ends "
            "in /v1{instead}."
        ),
    ),
    (
        "llm.busy",
        lambda fault: fault.status == 429,
        (
            "The language model at {url} still rejects requests as too many {told} after "
            "{attempts} attempts; wait, or make fewer concurrent calls."
        ),
    ),
    (
        "llm.failed",
        lambda fault: fault.status >= 500,
        (
            "The language model at {url} failed {told} after {attempts} attempts; see "
            "the server's log."
        ),
    ),
    (
        "llm.refused",
        lambda fault: True,  # noqa: ARG005
        "The language model at {url} rejected the request {told}.",
    ),
)
"""Code, which failures it is for, and the sentence; the first that fits counts."""


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
