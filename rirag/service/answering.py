"""What an answer takes of the settings: models, prompts, examples and limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rirag.inputs.own_prompts import read_prompts
from rirag.service.judges import load_judge, wants_llm
from rirag.service.language_models import wanted_models

if TYPE_CHECKING:
    from generation import LLM, AnswerSettings
    from generation.prompts.examples import Example
    from rirag.settings import Settings

WITH_EXAMPLES = ("few-shot", "multi-step")
"""Modes that show the examples of the settings."""

BoundLLM = Callable[["LLM"], "LLM"]
"""Puts something around a model, such as a bound on its calls."""


class Answering:
    """Everything for answers that stays the same from one question to the next."""

    def __init__(self, settings: Settings, bound_llm: BoundLLM | None = None) -> None:
        """Read what the settings name."""
        self._settings = settings
        models = wanted_models(settings)
        if models is not None and bound_llm is not None:
            models = {role: bound_llm(llm) for role, llm in models.items()}
        self.models: Mapping[str, LLM] | None = models
        if settings.regime is not None:
            from generation.advisor.regime import chosen_regime

            chosen_regime(settings.regime)
        self.prompts = read_prompts(settings.prompts)
        self.examples(settings.answer_mode)

    def examples(self, mode: str) -> tuple[Example, ...]:
        """Return the examples of the settings for a mode; none for a mode that shows none."""
        return self._examples if mode in WITH_EXAMPLES else ()

    @cached_property
    def _examples(self) -> tuple[Example, ...]:
        if self._settings.examples is None:
            return ()
        from rirag.inputs.answer_examples import read_examples

        return read_examples(Path(self._settings.examples))

    @cached_property
    def settings(self) -> AnswerSettings:
        """The limits of an answer."""
        from generation import AnswerSettings, DelegateSettings, FilterSettings
        from generation.verify import VerifySettings

        given = self._settings
        judge = load_judge(given.judge, default="none")
        return AnswerSettings(
            filter=FilterSettings(
                max_passages=given.filter_limit, max_drop=given.filter_drop,
                min_score=given.filter_floor, score=given.filter_score,
                min_answerable=given.filter_answerable, margin=given.filter_margin,
            ),
            prompts=self.prompts,
            verify=VerifySettings(judge, wants_llm(given.judge), given.require_supported),
            calls_at_once=given.llm_calls_at_once,
            delegate=DelegateSettings(
                max_steps=given.delegate_steps, max_tokens=given.delegate_tokens,
                max_cost=given.delegate_cost, max_seconds=given.delegate_seconds,
            ),
        )  # fmt: skip
