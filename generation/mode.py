"""What rirag asks of a mode: a way from a question and its passages to a draft of an answer."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from generation.llm.calls import Asked, Replied
from generation.llm.protocol import Limits
from generation.llm.trace import Report
from generation.prompts.examples import Example
from generation.records import AnswerWarning, Citation, Conflict, Decision, Extract, RefusedBy
from generation.settings import AnswerSettings
from generation.verification import Verification
from search.errors import InputError, LLMError
from search.messages.arguments import several_ids
from search.records import Hit, Passage

if TYPE_CHECKING:
    from generation.library import Library
    from search.records import Passage


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerContext:
    """Information that comes with a question; each mode uses the fields that it needs."""

    library: Library | None = None
    """Documents that a mode may read as a whole; None: it has the hits alone."""
    named: tuple[Passage, ...] = ()
    """What a question names by number in passing, which no search put first."""
    documents: tuple[str, ...] = ()
    """`document_id` of each document to answer from; empty: the mode chooses."""
    unfound: tuple[str, ...] = ()
    """Why none of the rules exists that the question asks for by number (`trace.unfound` of a
    search): a sentence each. An answer rests on no other rule then."""
    in_full: str = ""
    """The question with what its abbreviations stand for, where no passage has them; empty: it is
    read as it was asked."""
    background: str = ""
    """The facts behind the question, in the words of the asker."""
    topic: str = ""
    """What the question is about, in the words of a list of topics."""
    article: str = ""
    """The article that the asker names, such as `92` or `129b`."""
    examples: tuple[Example, ...] = ()
    """Answered questions that show how answers look."""
    ranker: Path | None = None
    """File of an article ranker of the user's own (`search.articles.ranker`); None: the one that
    ships."""
    regime: str = ""
    """The legal regime to answer under; empty: it is judged."""

    def __post_init__(self) -> None:
        library = self.library
        if library is not None and not callable(getattr(library, "worked_out", None)):
            raise InputError(
                "the library must contain documents, as "
                f"generation.IndexLibrary(index) does, not {library!r:.80}",
                code="argument.invalid",
            )
        object.__setattr__(self, "documents", several_ids(self.documents))
        odd = next((one for one in self.examples if not isinstance(one, Example)), None)
        if odd is not None:
            raise InputError(
                f"an example must be a generation.Example, not {odd!r:.80}", code="argument.invalid"
            )


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
        """Return what the model of a role takes; a role without its own has the default one."""
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
