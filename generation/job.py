"""Prepare one answer: everything that does not wait for a model."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from generation.answer_context import AnswerContext
from generation.filter import filter_hits, readable_hits
from generation.insufficient import insufficient_draft
from generation.llm.calls import Ask, Asked
from generation.llm.exchanges import Exchange
from generation.llm.protocol import Completion, Limits, OnText
from generation.llm.roles import DEFAULT_ROLE
from generation.llm.trace import Call, Trace
from generation.mode import Draft, Mode, Request, Steps
from generation.records import Answer, AnswerWarning
from generation.replies.stream import Stream
from generation.settings import AnswerSettings
from generation.text.markup import without_markup
from generation.text.phrases import DIFFER
from generation.text.sanitize import one_line, printable
from generation.verify.checks.contradictions import conflicts_in, sides_of
from generation.verify.steps import verified
from search.errors import InputError, LLMError
from search.law_in_time import not_in_force
from search.messages.arguments import several_hits
from search.records import Hit


@dataclass
class Job:
    """Run a mode from call to call; `answer` and `answer_async` differ only in how they wait."""

    question: str
    hits: Sequence[Hit]
    mode: Mode
    settings: AnswerSettings
    question_id: str | None = None
    on_text: OnText | None = None
    answerable: float | None = None
    context: AnswerContext = field(default_factory=AnswerContext)

    def __post_init__(self) -> None:
        if not isinstance(self.question, str):
            raise InputError(
                f"The question must be a text, not {self.question!r:.80}.", code="question.invalid"
            )
        if not self.question.strip():
            raise InputError("The question is empty; ask something.", code="question.empty")
        self.hits = several_hits(self.hits)
        for value, kind in ((self.settings, AnswerSettings), (self.context, AnswerContext)):
            if not isinstance(value, kind):
                name = f"generation.{kind.__name__}"
                raise InputError(
                    f"The value must be a {name}, not {value!r:.80}", code="argument.invalid"
                )
        asked = self.context.in_full or self.question
        found = filter_hits(self.hits, self.settings.filter, self.answerable, asked)
        self._conflicts = conflicts_in(found.kept, self._others(found.kept), asked)
        sides = {side.hit.rank: side.hit for side in chain.from_iterable(self._conflicts)}
        kept = {hit.rank for hit in found.kept}
        differing = tuple(hit for rank, hit in sides.items() if rank not in kept)
        self._filter = replace(found, differing=differing)
        self._started = time.perf_counter()
        self._calls: list[Call] = []
        self._streamed = False
        self._stream: Stream | None = None
        self._draft: Draft | None = None
        self._steps: Steps | None = None
        self._asked: Asked | None = None

    @property
    def has_evidence(self) -> bool:
        """Whether there is anything to answer from."""
        if not self.mode.needs_hits:
            return True
        return bool(self._filter.read) and not self.context.unfound

    @property
    def needs_llm(self) -> bool:
        """Whether a model will be called."""
        return self.mode.needs_llm and self.has_evidence

    def start(self, limits: Mapping[str, Limits]) -> Asked | None:
        """Begin; return the first call to make, or several at once, None if none is needed.

        Args:
            limits: role → what its model takes; empty for a mode that needs none.
        """
        if not self.has_evidence:
            self._draft = insufficient_draft(self.hits, self._filter, self.context.unfound)
            return None
        request = self._request(limits)
        self._steps = verified(self.mode.steps(request), request)
        return self._advance(None)

    def end_stream(self) -> None:
        """Pass on what was held back of a reply that has been written to its end."""
        if self._stream is not None:
            self._stream.finish()
            self._stream = None

    def take(self, exchanges: Sequence[Exchange]) -> Asked | None:
        """Take in what came of the calls; return the next to make, None if those were the last.

        Raises:
            LLMError: a call failed and the mode cannot continue; it carries the trace.
        """
        self._calls += [_call(made) for made in exchanges]
        replies = tuple(made.reply for made in exchanges)
        try:
            return self._advance(replies if isinstance(self._asked, tuple) else replies[0])
        except LLMError as error:
            error.trace = self.trace()
            raise

    def listener(self, ask: Ask) -> OnText | None:
        """Return what is to hear the reply of a call as it is written."""
        hear = self.on_text
        if hear is None or not ask.final:
            return None

        def noted(text: str) -> None:
            self._streamed = True
            hear(text)

        self._stream = Stream(noted, ask.code, ask.echo, ask.passages)
        return self._stream

    def trace(self) -> Trace:
        """Return how the answer came about, as far as it is."""
        report = self._draft.report if self._draft else None
        seconds = time.perf_counter() - self._started
        return Trace(self.mode.name, seconds, tuple(self._calls), report)

    def answer(self) -> Answer:
        """Return the finished answer."""
        if self._draft is None:
            raise RuntimeError("answer() was called before the last reply was processed")
        made = self._draft
        cited = {one.marker: one.passage for one in made.citations}
        past = [
            one_line(f"{marker} {passage.citation()} is {told}.")
            for marker, passage in cited.items() if (told := not_in_force(passage))
        ]  # fmt: skip
        above = "".join(f"### {one}\n\n" for one in past if made.extract)
        # Last, whatever the mode: no text of a model or a passage may act where it is shown.
        draft = replace(made, text=without_markup(printable(above + made.text)))
        if self.on_text is not None and not self._streamed:
            self.on_text(draft.text)
        warnings = (*draft.warnings, *(AnswerWarning("not-in-force", one) for one in past))
        if not draft.insufficient_evidence:
            sides = map(sides_of, self._conflicts)
            shown = (one for one in sides if not draft.extract or all(s in draft.text for s in one))
            differ = (f"{DIFFER} {'; '.join(one)}.".replace("**", "") for one in shown)
            warnings += tuple(AnswerWarning("differing", one) for one in differ)
        return Answer(
            question=self.question,
            text=draft.text,
            mode=self.mode.name,
            filter=self._filter,
            citations=draft.citations,
            warnings=warnings,
            insufficient_evidence=draft.insufficient_evidence,
            refused_by=draft.refused_by,
            decisions=draft.decisions,
            verification=draft.verification,
            extract=draft.extract,
            trace=self.trace(),
            question_id=self.question_id,
        )

    def _request(self, limits: Mapping[str, Limits]) -> Request:
        default = limits.get(DEFAULT_ROLE)
        kept = self._filter.read
        return Request(
            self.question, kept, self.settings, self.context, default, limits, self._others(kept),
            self._filter.is_unsure, self._filter.is_doubtful, self._conflicts,
        )  # fmt: skip

    def _others(self, used: Sequence[Hit]) -> tuple[Hit, ...]:
        ranks = {hit.rank for hit in used}
        return tuple(hit for hit in readable_hits(self.hits) if hit.rank not in ranks)

    def _advance(
        self, replied: Completion | LLMError | tuple[Completion | LLMError, ...] | None
    ) -> Asked | None:
        if self._steps is None:
            return None
        try:
            if replied is None:
                self._asked = next(self._steps)
            elif isinstance(replied, LLMError):
                self._asked = self._steps.throw(replied)
            else:
                self._asked = self._steps.send(replied)
        except StopIteration as done:
            self._asked, self._draft = None, done.value
        return self._asked


def _call(made: Exchange) -> Call:
    ask, reply = made.ask, made.reply
    if isinstance(reply, LLMError):
        return Call(ask.purpose, ask.prompt, None, made.seconds, str(reply), ask.model)
    return Call(ask.purpose, ask.prompt, reply, made.seconds, "", ask.model)
