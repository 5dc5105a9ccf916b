"""A language model behind any OpenAI-compatible server, through the `openai` client.

Every call opens its own client and closes it: no socket outlives the call, nothing is bound to
an event loop, and one object serves many threads. A synchronous call runs the asynchronous one in a
loop of its own. Against the seconds that a model takes, both cost nothing.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from generation.llm.openai.dialect import MEMORY
from generation.llm.openai.errors import UNREADABLE, late, translate
from generation.llm.openai.negotiation import Negotiation
from generation.llm.openai.refusals import is_named
from generation.llm.openai.reply import Reply
from generation.llm.openai.requests import hurried
from generation.llm.openai.settings import FALLBACK_CONTEXT, LLMSettings
from generation.llm.protocol import Completion, Limits, OnText, Prompt
from generation.llm.running import blocking
from search.errors import LateReplyError, LLMError
from search.models.faults import ServerError, fault_of_error, fault_of_response

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_CONTEXT_FIELDS = ("max_model_len", "context_length", "context_window", "max_context_length")
"""Where vLLM, hosted gateways and desktop servers give a model's context in `/v1/models`."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A server's list of models, as far as it concerns one of them."""

    names: tuple[str, ...] = ()
    """All that it lists; empty: it has no list."""
    context: int | None = None
    """The model's context in tokens; None: the list does not give it."""

    def lacks(self, model: str) -> bool:
        """Return whether the list shows that the server does not have a model.

        A server with a single model serves that one under any name.
        """
        return len(self.names) > 1 and model not in self.names


def listed(models: Any, name: str) -> Listed:
    """Return what a list (as JSON) says of a model; llama.cpp has the context in `meta`."""
    data = models.get("data") if isinstance(models, dict) else None
    every = [m for m in data if isinstance(m, dict)] if isinstance(data, list) else []
    names = tuple(m["id"] for m in every if isinstance(m.get("id"), str))
    ours = [m for m in every if m.get("id") == name] or (every if len(every) == 1 else [])
    for model in ours:
        meta = model.get("meta")
        in_meta = meta.get("n_ctx") if isinstance(meta, dict) else None
        for value in (in_meta, *(model.get(field) for field in _CONTEXT_FIELDS)):
            if type(value) is int and value > 0:
                return Listed(names, value)
    return Listed(names)


__all__ = ["OpenAILLM"]

T = TypeVar("T")

FAILURE = 500
BUSY = 429
"""Statuses that the client tries again: this one, and from the other one on."""


class OpenAILLM:
    """An `LLM` behind an OpenAI-compatible server."""

    def __init__(self, settings: LLMSettings) -> None:
        self.settings = settings
        self._context = settings.context_tokens

    def __repr__(self) -> str:
        return f"OpenAILLM({self.settings!r})"

    async def limits_async(self) -> Limits:
        """Return how much the model takes: from the settings, else from the server's list."""
        if self._context is None:
            self._context = (await self._listed()).context or FALLBACK_CONTEXT
        return Limits(self._context, self.settings.max_tokens)

    limits = blocking(limits_async)

    async def _listed(self) -> Listed:
        """Return what the server's list says of the model; a server without a list has its own.

        Raises:
            LLMError: the server cannot be reached, or refuses the key.
        """
        import openai

        try:
            async with self._client(self.settings) as client:
                models = await _in_time(client.get(**_MODELS), self.settings)
        except openai.NotFoundError:
            return Listed()
        except (openai.OpenAIError, *UNREADABLE) as error:
            raise translate(error, self.settings) from None
        return listed(models, self.settings.model)

    listed = blocking(_listed)

    async def complete_async(self, prompt: Prompt, on_text: OnText | None = None) -> Completion:
        """Return the reply of the server; see `LLM.complete_async`."""
        import openai

        hear = on_text if _is_plain(prompt) else None
        talk = Negotiation(prompt, self.settings, heard=hear is not None)
        settings = hurried(self.settings, prompt.timeout_s)
        while True:
            reply = Reply(settings, hear, closes_alone=talk.dialect.closes_alone)
            try:
                async with self._client(settings) as client:
                    done = await _read(client, talk.to_send(), reply, settings)
            except (openai.OpenAIError, ServerError, *UNREADABLE) as error:
                if not talk.refused(fault_of_error(error)):
                    raise translate(error, settings) from None
            except LLMError as error:
                if (found := talk.from_reasoning(error)) is not None:
                    return _heard(found, on_text)
                if not talk.unanswered(error):
                    raise
            else:
                if (made := talk.taken(done, reply.closed_alone)) is not None:
                    return _heard(made, None if hear else on_text)

    complete = blocking(complete_async)

    def findings(self) -> tuple[str, ...]:
        """Return what this process has found out about how the server wants to be asked."""
        at = self.settings.url, self.settings.model
        return (*MEMORY.dialect(*at, self.settings.dialect()).differences().values(),)

    def _client(self, settings: LLMSettings) -> AsyncOpenAI:
        import openai

        async def only_key_header(request: Any) -> None:
            settings.only_key_header(request)

        hooks: dict[str, list[Any]] = {"request": [only_key_header], "response": [_decide]}
        http = openai.DefaultAsyncHttpxClient(event_hooks=hooks, verify=_authorities())
        return openai.AsyncOpenAI(**settings.client_options(), http_client=http)


async def _read(
    client: AsyncOpenAI, body: Mapping[str, Any], reply: Reply, settings: LLMSettings
) -> Completion:

    async def read() -> Completion:
        create = client.chat.completions.with_streaming_response.create
        async with create(**_arguments(body)) as response:
            try:
                async for line in response.iter_lines():
                    reply.line(line)
                    if reply.is_looping:
                        break
            except _broken() as error:
                return reply.broken(error)
        return reply.finished()

    try:
        return await _in_time(read(), settings)
    except LateReplyError as error:
        return reply.broken(error)


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


@cache
def _authorities() -> ssl.SSLContext:
    """Return whom TLS trusts: reading that takes longer than all else that a call needs."""
    import httpx2

    return httpx2.create_ssl_context()


def _broken() -> tuple[type[Exception], ...]:
    """Return the errors after which what came of a reply is kept."""
    import httpx2
    import openai

    lost = httpx2.HTTPError, httpx2.StreamError
    return (openai.OpenAIError, *lost, LLMError, ServerError, *UNREADABLE)


async def _decide(response: Any) -> None:
    """Keep the client from asking again what is refused for good, whatever its status."""
    if response.status_code >= FAILURE or response.status_code == BUSY:
        await response.aread()
        if is_named(fault_of_response(response.status_code, response)):
            response.headers["x-should-retry"] = "false"


def _arguments(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of the client's `create`: fields that it may not know go beside."""
    others = {name: value for name, value in body.items() if name not in _KNOWN}
    return {**{name: body[name] for name in _KNOWN}, "extra_body": others}


def _is_plain(prompt: Prompt) -> bool:
    """Return whether a reply can be nothing but text, so that it may be shown as it comes."""
    return not prompt.tools and prompt.schema is None


def _heard(done: Completion, on_text: OnText | None) -> Completion:
    if on_text is not None and done.text:
        on_text(done.text)
    return done


_KNOWN = ("model", "messages")
_MODELS: Mapping[str, Any] = {"path": "/models", "cast_to": object}
"""As JSON: the client's own list fails on a list that is none."""
