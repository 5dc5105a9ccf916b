"""Modes and models that do as a test says, without a server."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any

from generation.llm.calls import Ask
from generation.llm.protocol import Completion, Limits, Message, OnText, Prompt
from search.errors import LLMError

Reply = Completion | LLMError | str


@dataclass
class ScriptedLLM:
    """Answers by a function of the prompt; counts what runs at the same time."""

    reply: Callable[[Prompt], Reply]
    wait_s: float = 0.0
    context: int = 8192
    asked: list[Prompt] = field(default_factory=list)
    running: int = 0
    most_at_once: int = 0
    cancelled: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    async def limits_async(self) -> Limits:
        return Limits(self.context, 512)

    async def complete_async(self, prompt: Prompt, on_text: OnText | None = None) -> Completion:
        self._enter(prompt)
        try:
            await asyncio.sleep(self.wait_s)
            return self._said(prompt, on_text)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        finally:
            self._leave()

    def _enter(self, prompt: Prompt) -> None:
        with self._lock:
            self.asked.append(prompt)
            self.running += 1
            self.most_at_once = max(self.most_at_once, self.running)

    def _leave(self) -> None:
        with self._lock:
            self.running -= 1

    def _said(self, prompt: Prompt, on_text: OnText | None) -> Completion:
        reply = self.reply(prompt)
        if isinstance(reply, LLMError):
            raise reply
        done = Completion(reply, "scripted", "stop", 10, 5) if isinstance(reply, str) else reply
        if on_text is not None and done.text:
            on_text(done.text)
        return done


@dataclass
class ScriptedMode:
    """A mode whose steps a test writes as a generator function."""

    way: Callable[[Any], Generator[Any, Any, Any]]
    name: str = "scripted"
    needs_llm: bool = True
    needs_hits: bool = False

    def steps(self, request: Any) -> Generator[Any, Any, Any]:
        return self.way(request)


def ask(text: str, **more: Any) -> Ask:
    return Ask(text, Prompt((Message("user", text),), 50), **more)
