"""Define the limits of mode `delegate`, and count their use: steps, tokens, cost, seconds."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field

from generation.llm.protocol import Completion, Prompt
from generation.llm.tokens import prompt_tokens_estimate
from search.errors import InputError
from search.messages.arguments import number, whole_number


@dataclass(frozen=True, slots=True)
class DelegateSettings:
    """The limits of mode `delegate`; reaching one ends the work with the findings so far."""

    max_steps: int = 12
    """Steps of a plan that are kept; plans of real questions have five to ten."""
    max_rounds: int = 8
    """Turns in which the master may delegate."""
    max_tasks: int = 24
    """Tasks given to juniors in all, twice the longest plan."""
    max_tokens: int = 400_000
    """Tokens of all prompts and replies; a plan over the CRR and nine tasks take some 150,000."""
    max_cost: float | None = None
    """In the currency of the model's prices; None: no limit."""
    max_seconds: float = 900.0
    """Wall time; the source reports 5 to 10 minutes per answer."""
    challenge: bool = True
    """Whether every conclusion is challenged once against the definitions that it rests on."""

    def __post_init__(self) -> None:
        for name in ("max_steps", "max_rounds", "max_tasks", "max_tokens"):
            most = whole_number(getattr(self, name), f"The limit {name}", 1)
            object.__setattr__(self, name, most)
        for name in ("max_cost", "max_seconds"):
            if (limit := getattr(self, name)) is None:
                continue
            limit = number(limit, f"The limit {name}", 0, sys.float_info.max)
            if not limit:
                raise InputError(
                    f"The limit {name} is 0; it must be above 0.", code="argument.out-of-range"
                )
            object.__setattr__(self, name, limit)


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
            return f"The limit of cost, {limits.max_cost:g}, was reached."
        if not self.seconds_left():
            return f"The limit of {limits.max_seconds:g} seconds was reached."
        return ""
