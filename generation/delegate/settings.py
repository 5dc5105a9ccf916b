"""The limits of mode `delegate`: how much it may plan, ask, read, spend and wait."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from search.errors import InputError
from search.messages.arguments import number, whole_number


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
            most = whole_number(getattr(self, name), f"The limit {name}", 1)
            object.__setattr__(self, name, most)
        for name in ("max_cost", "max_seconds"):
            if (limit := getattr(self, name)) is None:
                continue
            limit = number(limit, f"The limit {name}", 0, sys.float_info.max)
            if not limit:
                raise InputError(f"The limit {name} is 0; it must be above 0.")
            object.__setattr__(self, name, limit)
