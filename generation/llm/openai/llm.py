"""A language model behind any OpenAI-compatible server, through the `openai` client.

Every call opens its own client and closes it: no socket outlives the call, nothing is bound to
an event loop, and one object serves many threads. Against the seconds that a model takes, a new
connection costs nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from generation.llm.openai.deadline import Deadline, TimeOverError
from generation.llm.openai.errors import UNREADABLE, late, status_and_reason, translate
from generation.llm.openai.replies import StreamedReply, completion_of, context_of
from generation.llm.openai.requests import Abilities, Negotiation, hurried, request_body
from generation.llm.openai.settings import FALLBACK_CONTEXT, LLMSettings
from generation.llm.protocol import Completion, Limits, OnText, Prompt
from search.errors import LateReplyError, LLMError

if TYPE_CHECKING:
    from openai import AsyncOpenAI, OpenAI

__all__ = ["OpenAILLM"]

T = TypeVar("T")


class OpenAILLM:
    """An `LLM` behind an OpenAI-compatible server."""

    def __init__(self, settings: LLMSettings) -> None:
        self.settings = settings
        self._context = settings.context_tokens
        self._abilities = Abilities()

    def __repr__(self) -> str:
        return f"OpenAILLM({self.settings!r})"

    def limits(self) -> Limits:
        """Return how much the model takes: from the settings, else from the server's list."""
        if self._context is None:
            import openai

            try:
                with self._client(self.settings) as (client, _):
                    self._context = context_of(client.get(**_MODELS), self.settings.model)
            except openai.NotFoundError:
                self._context = FALLBACK_CONTEXT  # a server without a list still has its model
            except (openai.OpenAIError, *UNREADABLE) as error:
                raise translate(error, self.settings) from None
        return Limits(self._context, self.settings.max_tokens)

    async def limits_async(self) -> Limits:
        """Do the same without blocking the event loop."""
        if self._context is None:
            import openai

            try:
                async with self._async_client(self.settings) as client:
                    models = await _in_time(client.get(**_MODELS), self.settings)
                self._context = context_of(models, self.settings.model)
            except openai.NotFoundError:
                self._context = FALLBACK_CONTEXT
            except (openai.OpenAIError, *UNREADABLE) as error:
                raise translate(error, self.settings) from None
        return Limits(self._context, self.settings.max_tokens)

    def complete(self, prompt: Prompt, on_text: OnText | None = None) -> Completion:
        """Return the reply of the server; see `LLM.complete`."""
        import openai

        talk = Negotiation(prompt, self._abilities)
        settings = hurried(self.settings, prompt.timeout_s)
        hear = on_text if _is_plain(prompt) else None
        while True:
            try:
                with self._client(settings) as (client, deadline):
                    reply = _send(client, talk.to_send(), settings, hear, deadline)
            except (openai.OpenAIError, *UNREADABLE) as error:
                if not talk.refused(*status_and_reason(error, settings)):
                    raise translate(error, settings) from None
            except LLMError as error:
                if not talk.unanswered(error):
                    raise
            else:
                if (done := talk.taken(reply)) is not None:
                    return _heard(done, None if hear else on_text)

    async def complete_async(self, prompt: Prompt, on_text: OnText | None = None) -> Completion:
        """Return the reply of the server; see `LLM.complete_async`."""
        import openai

        talk = Negotiation(prompt, self._abilities)
        settings = hurried(self.settings, prompt.timeout_s)
        hear = on_text if _is_plain(prompt) else None
        while True:
            try:
                async with self._async_client(settings) as client:
                    reply = await _send_async(client, talk.to_send(), settings, hear)
            except (openai.OpenAIError, *UNREADABLE) as error:
                if not talk.refused(*status_and_reason(error, settings)):
                    raise translate(error, settings) from None
            except LLMError as error:
                if not talk.unanswered(error):
                    raise
            else:
                if (done := talk.taken(reply)) is not None:
                    return _heard(done, None if hear else on_text)

    @contextmanager
    def _client(self, settings: LLMSettings) -> Iterator[tuple[OpenAI, Deadline]]:
        """Open a client, with the end of its time, after which no failure is one of its own."""
        import openai

        with Deadline(settings.longest_reply_s) as deadline:
            http = openai.DefaultHttpxClient(event_hooks={"request": [deadline.watch]})
            try:
                with openai.OpenAI(**_options(settings), http_client=http) as client:
                    yield client, deadline
            except (openai.OpenAIError, LLMError, TimeOverError, *UNREADABLE):
                if deadline.passed:
                    raise late(settings) from None
                raise

    def _async_client(self, settings: LLMSettings) -> AsyncOpenAI:
        from openai import AsyncOpenAI

        return AsyncOpenAI(**_options(settings))


def _send(
    client: OpenAI,
    prompt: Prompt,
    settings: LLMSettings,
    on_text: OnText | None,
    deadline: Deadline,
) -> Completion:
    request = request_body(prompt, settings)
    if on_text is None:
        return completion_of(client.chat.completions.create(**request), settings)
    return _stream(client, request, settings, on_text, deadline)


async def _send_async(
    client: AsyncOpenAI, prompt: Prompt, settings: LLMSettings, on_text: OnText | None
) -> Completion:
    request = request_body(prompt, settings)
    if on_text is None:
        reply = await _in_time(client.chat.completions.create(**request), settings)
        return completion_of(reply, settings)
    return await _stream_async(client, request, settings, on_text)


async def _in_time(work: Awaitable[T], settings: LLMSettings) -> T:
    """Return what a server replies; break it off, as a `LateReplyError`, when its time is over."""
    timeout = asyncio.timeout(settings.longest_reply_s)
    try:
        async with timeout:
            return await work
    except TimeoutError:
        if timeout.expired():
            raise late(settings) from None
        raise


def _stream(
    client: OpenAI,
    request: Mapping[str, Any],
    settings: LLMSettings,
    on_text: OnText,
    deadline: Deadline,
) -> Completion:
    import openai

    reply = StreamedReply(settings, on_text)
    with client.chat.completions.create(**request, **_STREAMED) as chunks:
        try:
            for chunk in chunks:
                reply.add(chunk)
                if reply.is_looping:
                    break
        except (openai.APIError, LLMError, *UNREADABLE) as error:
            return reply.broken(late(settings) if deadline.passed else error)
    if deadline.passed and not reply.has_ended:
        return reply.broken(late(settings))
    return reply.finished()


async def _stream_async(
    client: AsyncOpenAI, request: Mapping[str, Any], settings: LLMSettings, on_text: OnText
) -> Completion:
    import openai

    reply = StreamedReply(settings, on_text)

    async def read() -> Completion:
        async with await client.chat.completions.create(**request, **_STREAMED) as chunks:
            try:
                async for chunk in chunks:
                    reply.add(chunk)
                    if reply.is_looping:
                        break
            except (openai.APIError, LLMError, *UNREADABLE) as error:
                return reply.broken(error)
        return reply.finished()

    try:
        return await _in_time(read(), settings)
    except LateReplyError as error:
        return reply.broken(error)


def _options(settings: LLMSettings) -> dict[str, Any]:
    key = settings.api_key
    return {
        "base_url": settings.url,
        # The client insists on a key; servers without one ignore it. Naming it here also
        # keeps a key of the environment from being sent to a server it is not meant for.
        "api_key": key.get_secret_value() if key and key.get_secret_value() else "none",
        "organization": "",
        "project": "",
        "timeout": settings.timeout_s,
        "max_retries": settings.retries,
    }


def _is_plain(prompt: Prompt) -> bool:
    """Tell whether a reply can be nothing but text, so that it may be shown as it comes."""
    return not prompt.tools and prompt.schema is None


def _heard(done: Completion, on_text: OnText | None) -> Completion:
    if on_text is not None and done.text:
        on_text(done.text)
    return done


_MODELS: Mapping[str, Any] = {"path": "/models", "cast_to": object}
"""As JSON: the client's own list fails on a list that is none."""
_STREAMED: Mapping[str, Any] = {"stream": True, "stream_options": {"include_usage": True}}
