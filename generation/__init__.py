"""Answers: from the hits of a search to a text whose every statement names its source.

Importing is quick: a mode, a language model and their libraries load when they are used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from generation.answering import answer, answer_async
    from generation.filter import FilterResult, FilterSettings, filter_hits
    from generation.llm import LLM, Completion, Limits, Message, Prompt
    from generation.modes import MODES
    from generation.openai_llm import OpenAILLM
    from generation.openai_settings import LLMSettings
    from generation.records import Answer, AnswerWarning, Citation
    from generation.settings import AnswerSettings
    from generation.terminal import printable, sources_text, warnings_text
    from generation.trace import Call, Trace

_MODULES = {
    "generation.answering": ("answer", "answer_async"),
    "generation.filter": ("FilterResult", "FilterSettings", "filter_hits"),
    "generation.llm": ("LLM", "Completion", "Limits", "Message", "Prompt"),
    "generation.modes": ("MODES",),
    "generation.openai_llm": ("OpenAILLM",),
    "generation.openai_settings": ("LLMSettings",),
    "generation.records": ("Answer", "AnswerWarning", "Citation"),
    "generation.settings": ("AnswerSettings",),
    "generation.terminal": ("printable", "sources_text", "warnings_text"),
    "generation.trace": ("Call", "Trace"),
}
"""Module → the public names in it."""


def __getattr__(name: str) -> Any:
    from importlib import import_module

    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module 'generation' has no attribute {name!r}")


__all__ = [
    "LLM",
    "MODES",
    "Answer",
    "AnswerSettings",
    "AnswerWarning",
    "Call",
    "Citation",
    "Completion",
    "FilterResult",
    "FilterSettings",
    "LLMSettings",
    "Limits",
    "Message",
    "OpenAILLM",
    "Prompt",
    "Trace",
    "answer",
    "answer_async",
    "filter_hits",
    "printable",
    "sources_text",
    "warnings_text",
]
