"""The settings of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from generation.delegate.settings import DelegateSettings
from generation.filter import FilterSettings
from generation.prompts.own import check_prompt
from generation.verify.settings import VerifySettings
from search.errors import InputError
from search.messages.arguments import whole_number

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
