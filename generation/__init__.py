"""Answer a question from the hits of a search, with a source for every statement.

Importing is quick: a mode, a language model and their libraries load when they are used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from generation.answer_context import AnswerContext
    from generation.answering import answer, answer_async
    from generation.delegate.settings import DelegateSettings
    from generation.filter import FilterResult, FilterSettings, filter_hits
    from generation.library import IndexLibrary, Library
    from generation.llm.openai.llm import OpenAILLM
    from generation.llm.openai.settings import LLMSettings
    from generation.llm.protocol import LLM, Completion, Limits, Message, Prompt
    from generation.llm.trace import Call, Trace
    from generation.modes import MODES
    from generation.prompts.examples import Example
    from generation.records import Answer, AnswerWarning, Citation, Decision
    from generation.render import checked_text, decisions_text, sources_text, warnings_text
    from generation.settings import AnswerSettings
    from generation.text.sanitize import printable

_MODULES = {
    "generation.answering": ("answer", "answer_async"),
    "generation.prompts.examples": ("Example",),
    "generation.delegate.settings": ("DelegateSettings",),
    "generation.filter": ("FilterResult", "FilterSettings", "filter_hits"),
    "generation.answer_context": ("AnswerContext",),
    "generation.library": ("IndexLibrary", "Library"),
    "generation.llm.protocol": ("LLM", "Completion", "Limits", "Message", "Prompt"),
    "generation.modes": ("MODES",),
    "generation.llm.openai.llm": ("OpenAILLM",),
    "generation.llm.openai.settings": ("LLMSettings",),
    "generation.records": ("Answer", "AnswerWarning", "Citation", "Decision"),
    "generation.settings": ("AnswerSettings",),
    "generation.text.sanitize": ("printable",),
    "generation.render": (
        "answer_text",
        "checked_text",
        "decisions_text",
        "sources_text",
        "warnings_text",
    ),
    "generation.llm.trace": ("Call", "Trace"),
}
"""Module → the public names in it."""


def __getattr__(name: str) -> Any:
    from importlib import import_module

    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module 'generation' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = [
    "LLM",
    "MODES",
    "Answer",
    "AnswerContext",
    "AnswerSettings",
    "AnswerWarning",
    "Call",
    "Citation",
    "Completion",
    "Decision",
    "DelegateSettings",
    "Example",
    "FilterResult",
    "FilterSettings",
    "IndexLibrary",
    "LLMSettings",
    "Library",
    "Limits",
    "Message",
    "OpenAILLM",
    "Prompt",
    "Trace",
    "answer",
    "answer_async",
    "answer_text",
    "checked_text",
    "decisions_text",
    "filter_hits",
    "printable",
    "sources_text",
    "warnings_text",
]
