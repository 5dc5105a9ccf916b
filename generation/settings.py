"""The settings of an answer."""

from __future__ import annotations

from dataclasses import dataclass, field

from generation.filter import FilterSettings
from search.errors import InputError


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """How answers are made, whatever the mode."""

    filter: FilterSettings = field(default_factory=FilterSettings)
    words: int = 250
    """About how many words mode `extractive` quotes; a page holds 500."""

    def __post_init__(self) -> None:
        if self.words < 1:
            raise InputError(f"The answer's words are {self.words}; they must be at least 1.")
