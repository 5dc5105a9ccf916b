"""Counts what an answer has used, and says when a limit is reached."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from generation.delegate.settings import DelegateSettings
from generation.llm.protocol import Completion, Prompt
from generation.llm.tokens import prompt_tokens_estimate


@dataclass
class Meter:
    """What was used so far, against the limits."""

    settings: DelegateSettings
    tokens: int = 0
    cost: float = 0.0
    _started: float = field(init=False)

    def __post_init__(self) -> None:
        self._started = time.monotonic()

    def add(self, prompt: Prompt, completion: Completion) -> None:
        """Count a call; tokens that the server does not tell are estimated."""
        told = completion.prompt_tokens
        self.tokens += prompt_tokens_estimate(prompt) if told is None else told
        said = completion.completion_tokens
        self.tokens += len(completion.text) // 4 if said is None else said
        self.cost += completion.cost or 0.0

    def seconds_left(self) -> float:
        """Return the seconds that are left, at least 0."""
        return max(0.0, self.settings.max_seconds - (time.monotonic() - self._started))

    def exhausted(self) -> str:
        """Return a sentence on the limit that is reached; empty: none is."""
        limits = self.settings
        if self.tokens >= limits.max_tokens:
            return f"The limit of {limits.max_tokens:,} tokens was reached."
        if limits.max_cost is not None and self.cost >= limits.max_cost:
            return f"The limit of the cost, {limits.max_cost:g}, was reached."
        if not self.seconds_left():
            return f"The limit of {limits.max_seconds:g} seconds was reached."
        return ""
