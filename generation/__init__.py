"""Answer a question from the hits of a search, with a source for every statement.

Importing is quick: a mode, a language model and their libraries load when they are used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from search.lazy import lazily

if TYPE_CHECKING:
    from generation.answering import answer as answer
    from generation.answering import answer_async as answer_async
    from generation.filter import FilterResult as FilterResult
    from generation.filter import FilterSettings as FilterSettings
    from generation.filter import filter_hits as filter_hits
    from generation.library import IndexLibrary as IndexLibrary
    from generation.library import Library as Library
    from generation.llm.openai.llm import OpenAILLM as OpenAILLM
    from generation.llm.openai.settings import LLMSettings as LLMSettings
    from generation.llm.protocol import LLM as LLM
    from generation.llm.protocol import Completion as Completion
    from generation.llm.protocol import Limits as Limits
    from generation.llm.protocol import Message as Message
    from generation.llm.protocol import Prompt as Prompt
    from generation.llm.trace import Call as Call
    from generation.llm.trace import Trace as Trace
    from generation.mode import AnswerContext as AnswerContext
    from generation.modes import MODES as MODES
    from generation.prompts.examples import Example as Example
    from generation.records import Answer as Answer
    from generation.records import AnswerWarning as AnswerWarning
    from generation.records import Citation as Citation
    from generation.records import Decision as Decision
    from generation.records import answer_text as answer_text
    from generation.render import remarks as remarks
    from generation.render import sources_text as sources_text
    from generation.settings import AnswerSettings as AnswerSettings
    from generation.settings import DelegateSettings as DelegateSettings
    from generation.text.sanitize import printable as printable

__getattr__, __dir__, __all__ = lazily(__name__)
