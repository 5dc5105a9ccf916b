"""The limits of mode `delegate`: how much it may plan, ask, read, spend and wait."""

from __future__ import annotations

import math
from dataclasses import dataclass

from search.errors import InputError


@dataclass(frozen=True, slots=True)
class DelegateSettings:
    """The limits of mode `delegate`; what is reached ends the work with what was found so far."""

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
    """Wall time; the source reports 5 to 10 minutes an answer."""
    challenge: bool = True
    """Whether every conclusion is challenged once against the definitions that it rests on."""

    def __post_init__(self) -> None:
        for name in ("max_steps", "max_rounds", "max_tasks", "max_tokens"):
            if getattr(self, name) < 1:
                raise InputError(f"The limit {name} is {getattr(self, name)}; it must be above 0.")
        for name in ("max_cost", "max_seconds"):
            value = getattr(self, name)
            if value is not None and not (value > 0 and math.isfinite(value)):
                raise InputError(f"The limit {name} is {value}; it must be above 0.")
