"""The settings of an answer."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from string import Template

from generation.filter import FilterSettings
from generation.prompts import prompt_names, shipped
from generation.verify.settings import VerifySettings
from search.errors import InputError
from search.messages.arguments import number, whole_number
from search.messages.refusals import unknown_name


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


_PARTS = {
    "filter": FilterSettings, "verify": VerifySettings, "delegate": DelegateSettings,
    "prompts": Mapping,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """Settings of answers in every mode."""

    filter: FilterSettings = field(default_factory=FilterSettings)
    words: int = 250
    """About how many words mode `extractive` quotes."""
    prompts: Mapping[str, str] = field(default_factory=dict)
    """Prompts of the user's own by name, in place of those in `generation/prompts/`; a name or a
    `$name` that there is not is refused."""
    verify: VerifySettings = field(default_factory=VerifySettings)
    """What the verifier asks besides the words, and what is done with doubtful statements."""
    calls_at_once: int = 4
    """How many calls of a model run at a time where a mode makes several; servers of one GPU gain
    little beyond that, and hosted ones begin to refuse."""

    delegate: DelegateSettings = field(default_factory=DelegateSettings)
    """The limits of mode `delegate`."""

    def __post_init__(self) -> None:
        for name in ("calls_at_once", "words"):
            value = whole_number(getattr(self, name), f"The answer's {name}", 1)
            object.__setattr__(self, name, value)
        for name, kind in _PARTS.items():
            if not isinstance(getattr(self, name), kind):
                raise InputError(
                    f"The answer's {name} must be {kind.__name__}, not {getattr(self, name)!r:.80}",
                    code="argument.invalid",
                )
        for name, text in self.prompts.items():
            check_prompt(name, text)


def check_prompt(name: str, text: str, file: Path | None = None) -> None:
    """Refuse a prompt that would be ignored, or would reach the model with a gap in it.

    There must be a prompt of this name to replace, and something to fill in for each `$name`.
    """
    where, known = file or f"{name}.txt", prompt_names()
    if name not in known:
        raise InputError(unknown_name("prompt", name, known), file, code="prompt.unknown")
    if not text.strip():
        raise InputError(
            "is empty; write a prompt, or remove the file.", where, code="prompt.invalid"
        )
    filled_in = set(shipped(name).get_identifiers())
    unknown = sorted(set(Template(text).get_identifiers()) - filled_in)
    if unknown:
        known_here = ", ".join(f"${one}" for one in sorted(filled_in)) or "nothing"
        raise InputError(
            f"unknown placeholder ${unknown[0]}; this prompt has {known_here}. Write "
            "$$ for a dollar sign.", where, code="prompt.invalid",
        )  # fmt: skip
