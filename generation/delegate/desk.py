"""What all steps of mode `delegate` share: documents, marks, limits, and what was done so far."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace

from generation.delegate.legal_trace import Challenge, Finding, LegalTrace, Step
from generation.delegate.shelf import Shelf, shelf_for
from generation.llm.calls import Ask, Asked, Replied, completion_of, completions_of
from generation.llm.protocol import Completion, Message, Prompt, ReplySchema, prompt_tokens_estimate
from generation.mode import Request
from generation.prompts import render
from generation.prompts.passages import reply_tokens
from generation.settings import DelegateSettings
from generation.text.fence import Fence
from generation.text.sanitize import printable
from search.errors import LLMError

SENIOR, JUNIOR, CHALLENGER = "senior", "junior", "challenger"
"""The roles that may have a model of their own."""

Calls = Generator[Asked, Replied, Completion]


@dataclass
class Meter:
    """What was used so far, against the limits."""

    settings: DelegateSettings
    tokens: int = 0
    cost: float = 0.0
    _started: float = field(init=False)

    def __post_init__(self) -> None:
        self._started = time.monotonic()

    def add(self, prompt: Prompt, completion: Completion) -> None:
        """Count a call; tokens that the server does not tell are estimated."""
        told = completion.prompt_tokens
        self.tokens += prompt_tokens_estimate(prompt) if told is None else told
        said = completion.completion_tokens
        self.tokens += len(completion.text) // 4 if said is None else said
        self.cost += completion.cost or 0.0

    def seconds_left(self) -> float:
        """Return the seconds that are left, at least 0."""
        return max(0.0, self.settings.max_seconds - (time.monotonic() - self._started))

    def exhausted(self) -> str:
        """Return a sentence on the limit that is reached; empty: none is."""
        limits = self.settings
        if self.tokens >= limits.max_tokens:
            return f"The limit of {limits.max_tokens:,} tokens was reached."
        if limits.max_cost is not None and self.cost >= limits.max_cost:
            return f"The limit of cost, {limits.max_cost:g}, was reached."
        if not self.seconds_left():
            return f"The limit of {limits.max_seconds:g} seconds was reached."
        return ""


@dataclass
class Desk:
    """One answer in the making."""

    request: Request
    shelf: Shelf
    meter: Meter
    fence: Fence = field(default_factory=Fence)
    notes: str = ""
    plan: tuple[Step, ...] = ()
    findings: list[Finding] = field(default_factory=list)
    challenges: list[Challenge] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    _started: float = field(default_factory=time.monotonic)

    @classmethod
    def of(cls, request: Request) -> Desk:
        """Return the desk of a request; what cannot be read is an `InputError`."""
        return cls(request, shelf_for(request), Meter(request.settings.delegate))

    def render(self, name: str, **values: str) -> str:
        """Return a prompt of the mode, or the user's own."""
        return render(f"delegate-{name}", self.request.settings.prompts, **values)

    def system(self, name: str) -> Message:
        """Return what a role gets first."""
        return Message("system", self.render(f"{name}-system", code=self.fence.code))

    def question(self) -> str:
        """Return the question between its marks, with the facts behind it where they were told."""
        asked, facts = self.fence.question(self.request.question), self.request.context.background
        return f"{asked}\n\n{self.fence.material('facts', facts)}" if facts.strip() else asked

    def prompt(
        self, messages: Sequence[Message], role: str, schema: ReplySchema | None = None
    ) -> Prompt:
        """Return a prompt for the model of a role, with the time that is left."""
        limits = self.request.limits_of(role)
        left = max(self.meter.seconds_left(), 0.1)
        return Prompt(tuple(messages), reply_tokens(limits), schema=schema, timeout_s=left)

    def room(self, role: str) -> int:
        """Return how many tokens a prompt to a role may have."""
        limits = self.request.limits_of(role)
        return limits.context - reply_tokens(limits)

    def ask(self, ask: Ask) -> Calls:
        """Make one call."""
        self._stop_if_exhausted()
        done = completion_of((yield ask))
        self.meter.add(ask.prompt, done)
        return done

    def ask_all(
        self, asks: Sequence[Ask]
    ) -> Generator[Asked, Replied, tuple[Completion | LLMError, ...]]:
        """Make several calls at once."""
        self._stop_if_exhausted()
        replies = completions_of((yield tuple(asks)))
        for ask, reply in zip(asks, replies, strict=True):
            if isinstance(reply, Completion):
                self.meter.add(ask.prompt, reply)
        return replies

    def remark(self, text: str) -> None:
        """Keep a sentence for the trace and for the reader of the answer, once."""
        if printable(text) not in self.remarks:
            self.remarks.append(printable(text))

    def legal_trace(self) -> LegalTrace:
        """Return the trace as far as the work has come."""
        priced = self.request.settings.delegate.max_cost is not None or self.meter.cost > 0
        return LegalTrace(
            self.request.question,
            tuple(self.shelf.name(one.document_id) for one in self.shelf.documents),
            printable(self.notes),
            self.plan,
            tuple(self.findings),
            tuple(self.challenges),
            tuple(self.remarks),
            self.meter.tokens,
            self.meter.cost if priced else None,
            time.monotonic() - self._started,
        )

    def keep(self, finding: Finding) -> Finding:
        """Keep a finding under the next number, and return it so numbered."""
        numbered = replace(finding, number=len(self.findings) + 1)
        self.findings.append(numbered)
        return numbered

    def _stop_if_exhausted(self) -> None:
        if reason := self.meter.exhausted():
            raise LLMError(reason)
