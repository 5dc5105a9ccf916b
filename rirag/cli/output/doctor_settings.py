"""Whether everything that the settings name can be used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rirag.settings import Settings

Check = Callable[["Settings"], str]
"""Returns what is used, or raises the `RiragError` that a command with these settings would."""


def _profile(settings: Settings) -> str:
    from search.ranking.profile_file import load_profile

    return load_profile(settings.profile).name


def _reranker(settings: Settings) -> str:
    from search.models.rerankers import load_reranker

    named = settings.reranker if settings.rerank else None
    return load_reranker(named).name if named else "none"


def _judge(settings: Settings) -> str:
    from rirag.service.judges import load_judge

    load_judge(settings.judge)
    return settings.judge or "that of each command"


def _answers(settings: Settings) -> str:
    from rirag.service.answering import Answering

    Answering(settings)
    return f"mode {settings.answer_mode}"


CHECKS: Mapping[str, Check] = {
    "profile": _profile,
    "reranker": _reranker,
    "judge": _judge,
    "answers": _answers,
}
