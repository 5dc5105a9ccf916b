"""Whether everything that the settings name can be used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rirag.settings import Settings

Check = Callable[["Settings"], str]
"""Returns what is used, or raises the `RiragError` that a command with these settings would."""

LONGEST_WAIT_S = 10.0
"""For the language model's server."""


def _profile(settings: Settings) -> str:
    from search.ranking.profile_file import load_profile

    return load_profile(settings.profile).name


def _reranker(settings: Settings) -> str:
    from search.models.rerankers import load_reranker

    return load_reranker(settings.reranker).name if settings.rerank else "none"


def _judge(settings: Settings) -> str:
    from rirag.service.judges import load_judge

    load_judge(settings.judge)
    return settings.judge or "that of each command"


def _answers(settings: Settings) -> str:
    from rirag.service.answering import Answering

    Answering(settings)
    return f"mode {settings.answer_mode}"


def _language_model(settings: Settings) -> str:
    from generation import LLMSettings
    from rirag.service.language_models import language_model

    if not (settings.llm_url or settings.llm_model):
        return "none"
    waits = min(settings.llm_timeout_s, LONGEST_WAIT_S)
    hurried = {"llm_timeout_s": waits, "llm_reply_timeout_s": waits}
    model = language_model(settings.model_copy(update=hurried))
    context = model.limits().context
    shown = LLMSettings(url=settings.llm_url or "", model=settings.llm_model or "").public_url()
    return f"{settings.llm_model} at {shown}, {context:,} tokens"


CHECKS: Mapping[str, Check] = {
    "profile": _profile,
    "reranker": _reranker,
    "judge": _judge,
    "language model": _language_model,
    "answers": _answers,
}
