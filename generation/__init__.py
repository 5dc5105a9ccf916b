"""Answers: from the hits of a search to a text whose every statement names its source."""

from generation.answer import answer, answer_async
from generation.filter import FilterResult, FilterSettings, filter_hits
from generation.llm import LLM, Completion, Limits, Message, Prompt
from generation.modes import MODES
from generation.openai_llm import OpenAILLM
from generation.openai_settings import LLMSettings
from generation.records import Answer, AnswerWarning, Citation
from generation.settings import AnswerSettings
from generation.terminal import printable, sources_text, warnings_text
from generation.trace import Call, Trace

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
