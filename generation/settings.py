"""The settings of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from generation.delegate.settings import DelegateSettings
from generation.filter import FilterSettings
from generation.prompts.own import check_prompt
from generation.verify.settings import VerifySettings
from search.errors import InputError


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """How answers are made, whatever the mode."""

    filter: FilterSettings = field(default_factory=FilterSettings)
    words: int = 250
    """About how many words mode `extractive` quotes; a page holds 500."""
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
        if self.calls_at_once < 1:
            raise InputError(
                f"The answer's calls_at_once are {self.calls_at_once}; they must be at least 1."
            )
        if self.words < 1:
            raise InputError(f"The answer's words are {self.words}; they must be at least 1.")
        for name, text in self.prompts.items():
            check_prompt(name, text)
