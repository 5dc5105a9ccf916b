"""A language model behind any OpenAI-compatible server, through the `openai` client.

Every call opens its own client and closes it: no socket outlives the call, nothing is bound to
an event loop, and one object serves many threads. Against the seconds that a model takes, a new
connection costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from generation.llm import Completion, Limits, OnText, Prompt
from generation.openai_errors import UNREADABLE, nonsense, translate
from generation.openai_replies import StreamedReply, completion_of, context_of
from generation.openai_settings import FALLBACK_CONTEXT, LLMSettings
from search.errors import LLMError

if TYPE_CHECKING:
    from openai import AsyncOpenAI, OpenAI

__all__ = ["OpenAILLM"]


class OpenAILLM:
    """An `LLM` behind an OpenAI-compatible server."""

    def __init__(self, settings: LLMSettings) -> None:
        self.settings = settings
        self._context = settings.context_tokens

    def __repr__(self) -> str:
        return f"OpenAILLM({self.settings!r})"

    def limits(self) -> Limits:
        """Return how much the model takes: from the settings, else from the server's list."""
        if self._context is None:
            import openai

            try:
                with self._client() as client:
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
                async with self._async_client() as client:
                    models = await client.get(**_MODELS)
                self._context = context_of(models, self.settings.model)
            except openai.NotFoundError:
                self._context = FALLBACK_CONTEXT
            except (openai.OpenAIError, *UNREADABLE) as error:
                raise translate(error, self.settings) from None
        return Limits(self._context, self.settings.max_tokens)

    def complete(self, prompt: Prompt, on_text: OnText | None = None) -> Completion:
        """Return the reply of the server; see `LLM.complete`."""
        import openai

        request = self._request(prompt)
        try:
            with self._client() as client:
                if on_text is None:
                    reply = client.chat.completions.create(**request)
                    return completion_of(reply, self.settings)
                return self._stream(client, request, on_text)
        except (openai.OpenAIError, *UNREADABLE) as error:
            raise translate(error, self.settings) from None

    async def complete_async(self, prompt: Prompt, on_text: OnText | None = None) -> Completion:
        """Return the reply of the server; see `LLM.complete_async`."""
        import openai

        request = self._request(prompt)
        try:
            async with self._async_client() as client:
                if on_text is None:
                    reply = await client.chat.completions.create(**request)
                    return completion_of(reply, self.settings)
                return await self._stream_async(client, request, on_text)
        except (openai.OpenAIError, *UNREADABLE) as error:
            raise translate(error, self.settings) from None

    def _stream(self, client: OpenAI, request: Mapping[str, Any], on_text: OnText) -> Completion:
        import openai

        reply = StreamedReply(self.settings, on_text)
        with client.chat.completions.create(**request, **_STREAMED) as chunks:
            if not hasattr(chunks, "__next__"):
                raise nonsense(self.settings)
            try:
                for chunk in chunks:
                    reply.add(chunk)
            except (openai.APIError, LLMError, *UNREADABLE) as error:
                return reply.broken(error)
        return reply.finished()

    async def _stream_async(
        self, client: AsyncOpenAI, request: Mapping[str, Any], on_text: OnText
    ) -> Completion:
        import openai

        reply = StreamedReply(self.settings, on_text)
        async with await client.chat.completions.create(**request, **_STREAMED) as chunks:
            try:
                async for chunk in chunks:
                    reply.add(chunk)
            except (openai.APIError, LLMError, *UNREADABLE) as error:
                return reply.broken(error)
        return reply.finished()

    def _request(self, prompt: Prompt) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self.settings.model,
            "messages": [{"role": m.role, "content": m.content} for m in prompt.messages],
            "max_tokens": prompt.max_tokens,
        }
        if self.settings.temperature is not None:
            request["temperature"] = self.settings.temperature
        return request

    def _client(self) -> OpenAI:
        from openai import OpenAI

        return OpenAI(**self._options())

    def _async_client(self) -> AsyncOpenAI:
        from openai import AsyncOpenAI

        return AsyncOpenAI(**self._options())

    def _options(self) -> dict[str, Any]:
        key = self.settings.api_key
        return {
            "base_url": self.settings.url,
            # The client insists on a key; servers without one ignore it. Naming it here also
            # keeps a key of the environment from being sent to a server it is not meant for.
            "api_key": key.get_secret_value() if key and key.get_secret_value() else "none",
            "organization": "",
            "project": "",
            "timeout": self.settings.timeout_s,
            "max_retries": self.settings.retries,
        }


_MODELS: Mapping[str, Any] = {"path": "/models", "cast_to": object}
"""As JSON: the client's own list fails on a list that is none."""
_STREAMED: Mapping[str, Any] = {"stream": True, "stream_options": {"include_usage": True}}
