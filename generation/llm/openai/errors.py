"""Turns the failures of an OpenAI-compatible server into one clear sentence each."""

from __future__ import annotations

import json
import re

from generation.llm.openai.settings import LLMSettings
from search.errors import EmptyReplyError, LateReplyError, LLMError
from search.messages.redaction import server_words

UNREADABLE = (json.JSONDecodeError, UnicodeDecodeError, RecursionError)
"""What the client lets through, beside its own errors, where a body is no JSON."""

_TOO_LONG = re.compile(
    r"context[\s_-]*(length|size|window)|maximum context|too many tokens|prompt is too long", re.I
)


def translate(error: Exception, settings: LLMSettings) -> LLMError:
    """Return the `LLMError` that tells a person what failed and what to check."""
    import openai

    url = settings.public_url()
    if isinstance(error, openai.APITimeoutError):
        return LLMError(_no_answer(url, settings.timeout_s))
    if isinstance(error, openai.APIConnectionError):
        return LLMError(
            f"The language model at {url} cannot be reached; check that the server runs and that "
            "the URL ends as its documentation says (often /v1)."
        )
    if isinstance(error, openai.APIStatusError):
        return LLMError(_status_sentence(error.status_code, _reason(error, settings), settings))
    if isinstance(error, openai.APIError) and not isinstance(
        error, openai.APIResponseValidationError
    ):
        return LLMError(f"The language model at {url} failed: {_reason(error, settings)}.")
    return nonsense(settings)


def status_and_reason(error: Exception, settings: LLMSettings) -> tuple[int, str]:
    """Return what a server refused with: its status, 0 for none, and its own words."""
    return getattr(error, "status_code", 0), _reason(error, settings)


def is_too_long(reason: str) -> bool:
    """Tell whether a server's words say that the prompt does not fit its context."""
    return bool(_TOO_LONG.search(reason))


def nonsense(settings: LLMSettings) -> LLMError:
    """Return the error for a reply that is not one of the API."""
    return LLMError(
        f"What answers at {settings.public_url()} is not an OpenAI-compatible API; "
        "check the URL (it often ends in /v1)."
    )


def late(settings: LLMSettings) -> LateReplyError:
    """Return the error for a reply that did not end in time."""
    url, most = settings.public_url(), settings.longest_reply_s
    if most == settings.timeout_s:
        return LateReplyError(_no_answer(url, most))
    return LateReplyError(
        f"The reply of the language model at {url} was not complete after {most:g} s; check "
        "whether it is overloaded, or allow more time (reply_timeout_s)."
    )


def empty(settings: LLMSettings) -> EmptyReplyError:
    """Return the error for a reply without text."""
    return EmptyReplyError(
        f"The language model {settings.model!r} at {settings.public_url()} returned an empty "
        "answer; ask again, allow more reply tokens, or use another model."
    )


def _no_answer(url: str, seconds: float) -> str:
    return (
        f"The language model at {url} did not answer within {seconds:g} s; check whether it is "
        "overloaded, or allow more time (timeout_s)."
    )


def _status_sentence(status: int, reason: str, settings: LLMSettings) -> str:
    url, model = settings.public_url(), settings.model
    if status in (401, 403):
        return (
            f"The language model at {url} refused the key ({status}); "
            "check the API key in the environment."
        )
    if status == 404:
        return (
            f"The server at {url} knows no model {model!r}, or the URL is wrong (404); "
            "check both against the server's list of models."
        )
    if status == 429:
        return (
            f"The language model at {url} is still refusing requests as too many (429) after "
            f"{settings.retries + 1} attempts; wait, or check the quota."
        )
    if status in (400, 413, 422) and is_too_long(reason):
        return (
            f"The prompt is longer than the context of {model!r} at {url} ({reason}); set "
            "context_tokens to what the server really has, or use fewer passages."
        )
    if status >= 500:
        return (
            f"The language model at {url} failed ({status}: {reason}) after "
            f"{settings.retries + 1} attempts; look into the server's log."
        )
    return f"The language model at {url} refused the request ({status}: {reason})."


def _reason(error: Exception, settings: LLMSettings) -> str:
    """Return the server's own words, as they may be shown."""
    body = getattr(error, "body", None)
    message = body.get("message") if isinstance(body, dict) else None
    text = message if isinstance(message, str) else str(getattr(error, "message", error))
    return server_words(text, settings.api_key.get_secret_value() if settings.api_key else "")
