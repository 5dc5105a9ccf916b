"""What rirag asks of a mode: a way from a question and its passages to a draft of an answer."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Protocol

from generation.llm import Completion, Limits, Prompt
from generation.records import AnswerWarning, Citation
from generation.settings import AnswerSettings
from search.records import Hit


@dataclass(frozen=True, slots=True)
class Request:
    """What a mode answers from."""

    question: str
    hits: Sequence[Hit]
    """The hits that survived the filter, best first; at least one, each with text."""
    settings: AnswerSettings
    limits: Limits | None = None
    """What the language model takes; None for a mode that needs none."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A call that a mode wants made."""

    purpose: str
    """Which step it is, for the trace."""
    prompt: Prompt
    final: bool = True
    """Whether the reply is text of the answer, to be streamed to the user."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What a mode hands back."""

    text: str
    citations: tuple[Citation, ...] = ()
    warnings: tuple[AnswerWarning, ...] = ()
    insufficient_evidence: bool = False


Steps = Generator[Ask, Completion, Draft]
"""A mode at work: it yields each call it wants, is sent the reply, and returns the draft."""


class Mode(Protocol):
    """One way of answering.

    A mode is a generator and calls no model itself, so it is written once and runs blocking,
    in an event loop, and in tests with replies from a list.
    """

    @property
    def name(self) -> str:
        """The name that `answer(mode=…)` understands."""
        ...

    @property
    def needs_llm(self) -> bool:
        """Whether it yields calls at all."""
        ...

    def steps(self, request: Request) -> Steps:
        """Answer the request."""
        ...
