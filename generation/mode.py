"""What rirag asks of a mode: a way from a question and its passages to a draft of an answer."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from generation.answer_context import AnswerContext
from generation.llm.calls import Asked, Replied
from generation.llm.protocol import Limits
from generation.llm.trace import Report
from generation.records import AnswerWarning, Citation, Conflict, Decision, Extract, RefusedBy
from generation.settings import AnswerSettings
from generation.verification import Verification
from search.errors import LLMError
from search.records import Hit, Passage


@dataclass(frozen=True, slots=True)
class Request:
    """What a mode answers from."""

    question: str
    hits: Sequence[Hit]
    """The hits that survived the filter, best first, each with text; at least one, unless the mode
    needs none."""
    settings: AnswerSettings
    context: AnswerContext = field(default_factory=AnswerContext)
    """What else comes with the question."""
    limits: Limits | None = None
    """What the language model takes; None for a mode that needs none."""
    role_limits: Mapping[str, Limits] = field(default_factory=dict)
    """The same for the models of other roles, where there are any."""
    others: Sequence[Hit] = ()
    """Readable hits behind those, which the filter left out, best first."""
    unsure: bool = False
    """Whether the hits are below the numbers of the filter, and only the nearest."""
    is_doubtful: bool = False
    """Whether the index has an answer with hardly more than the least probability."""
    conflicts: Sequence[Conflict] = ()
    """What the hits of different documents set differently."""

    def limits_of(self, role: str) -> Limits:
        """Return what the model of a role takes; a role without its own has the default one.

        Raises:
            LLMError: there is no model.
        """
        limits = self.role_limits.get(role, self.limits)
        if limits is None:
            raise LLMError("This mode needs a language model; give its server and model.")
        return limits


@dataclass(frozen=True, slots=True)
class Draft:
    """What a mode hands back."""

    text: str
    citations: tuple[Citation, ...] = ()
    warnings: tuple[AnswerWarning, ...] = ()
    insufficient_evidence: bool = False
    refused_by: RefusedBy | None = None
    """What decided that the evidence does not do."""
    decisions: tuple[Decision, ...] = ()
    """What the mode chose."""
    report: Report | None = None
    """What the mode reports on its work, besides its calls."""
    given: Mapping[int, Passage] = field(default_factory=dict)
    """Number → passage, all that the model could cite."""
    extract: Extract | None = None
    """What mode `extractive` quotes; None: another mode."""
    verification: Verification | None = None
    """What the verifier says of it; added after the mode."""


Steps = Generator[Asked, Replied, Draft]
"""A mode at work: it yields each call it wants, is sent the reply, and returns the draft.

A single call that fails is thrown into it as `LLMError`; a mode that does not catch it fails with
it. Several at once never throw.
"""


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

    @property
    def needs_hits(self) -> bool:
        """Whether it answers from hits alone: without any the answer says so, and nobody asks."""
        ...

    def steps(self, request: Request) -> Steps:
        """Answer the request."""
        ...
