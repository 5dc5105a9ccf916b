"""Answer a question from hits: filter, mode, language model, answer with its trace."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from generation.extract.score import may_answer
from generation.filter import FilterResult, filter_hits, readable_hits
from generation.insufficient import insufficient_draft
from generation.llm.calls import Ask, Asked
from generation.llm.exchanges import Exchange, exchange, exchange_all
from generation.llm.protocol import Completion, Limits, OnText
from generation.llm.roles import DEFAULT_ROLE, Cast, Models
from generation.llm.running import run
from generation.llm.trace import Call, Trace
from generation.mode import AnswerContext, Draft, Mode, Request, Steps
from generation.modes import load_mode
from generation.records import Answer, AnswerWarning, Citation
from generation.replies.stream import Stream
from generation.settings import AnswerSettings
from generation.text.markup import without_markup
from generation.text.phrases import DIFFER
from generation.text.sanitize import one_line, printable
from generation.verify.checks.contradictions import conflicts_in, sides_of
from generation.verify.steps import verified
from search.errors import InputError, LLMError
from search.law_in_time import asked_day, not_in_force, status_of
from search.messages.arguments import several_hits
from search.records import Hit, InTime


def answer(  # noqa: PLR0913 - all but the first two are named
    question: str,
    hits: Sequence[Hit],
    *,
    mode: str = "extractive",
    settings: AnswerSettings | None = None,
    llm: Models | None = None,
    question_id: str | None = None,
    on_text: OnText | None = None,
    answerable: float | None = None,
    context: AnswerContext | None = None,
) -> Answer:
    """Answer a question from the hits of a search.

    Where the filter leaves nothing, the answer says so and no model is called, unless the mode
    answers from something else than hits.

    Args:
        question: the question, as it was asked.
        hits: the ranked hits, best first.
        mode: one of `generation.MODES`; `extractive` needs no model.
        settings: the filter's numbers, the length of an extractive answer, and limits.
        llm: the language model, or several by role (`""` is the default one); the modes that use
            one need it.
        question_id: kept in the answer, for evaluation.
        on_text: gets the text of the answer as it is written, safe to print; what no model
            writes comes in one piece.
        answerable: probability that the index has an answer (`trace.answerable` of a search);
            below the filter's floor the answer says that there is none.
        context: what else comes with the question.

    Raises:
        InputError: the question is empty, the mode unknown, its model missing, or something is no
            hit, no settings, no model.
        LLMError: the model cannot be reached or gives no usable reply; `error.trace` holds the
            calls made before.
    """
    job = Job(
        question, hits, load_mode(mode), settings or AnswerSettings(), question_id, on_text,
        answerable, context or AnswerContext(),
    )  # fmt: skip
    run(_make_calls(job, Cast.of(mode, llm), _at_once))
    return job.answer()


async def answer_async(  # noqa: PLR0913
    question: str,
    hits: Sequence[Hit],
    *,
    mode: str = "extractive",
    settings: AnswerSettings | None = None,
    llm: Models | None = None,
    question_id: str | None = None,
    on_text: OnText | None = None,
    answerable: float | None = None,
    context: AnswerContext | None = None,
) -> Answer:
    """Answer a question as `answer` does, without blocking the event loop."""
    job = Job(
        question, hits, load_mode(mode), settings or AnswerSettings(), question_id, on_text,
        answerable, context or AnswerContext(),
    )  # fmt: skip
    await _make_calls(job, Cast.of(mode, llm), asyncio.to_thread)
    return job.answer()


async def _make_calls(job: Job, cast: Cast, work: Callable[..., Awaitable[Any]]) -> None:
    """Make the calls of a job until none is left; `work` awaits what keeps a processor busy.

    Nothing is returned: asyncio writes out, at length, what its first task returns.
    """
    sizes = await cast.limits() if job.needs_llm else {}
    asked = await work(job.start, sizes)
    while asked is not None:
        if isinstance(asked, tuple):
            made = await exchange_all(asked, cast, job.settings.calls_at_once)
        else:
            made = [await exchange(asked, cast, job.listener(asked))]
            job.end_stream()  # here, since whoever listens may belong to this loop
        asked = await work(job.take, made)


async def _at_once(work: Callable[..., Any], *arguments: object) -> Any:
    """Work in the event loop, which nothing else needs."""
    return work(*arguments)


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
        sides = [side.hit for side in chain.from_iterable(self._conflicts)]
        read = {hit.rank: hit for hit in (*self._likely(found, asked), *sides)}
        for hit in found.kept:
            read.pop(hit.rank, None)
        self._filter = replace(found, behind=tuple(read.values()))
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
        citations, day = [self._in_time(one) for one in draft.citations], asked_day()
        if day[:1].isdecimal():
            named = dict.fromkeys(said for one in citations for said in one.other_days(day))
            warnings += tuple(AnswerWarning("names-day", one) for one in named)
        return Answer(
            question=self.question,
            text=draft.text,
            mode=self.mode.name,
            filter=self._filter,
            citations=tuple(citations),
            warnings=warnings,
            insufficient_evidence=draft.insufficient_evidence,
            refused_by=draft.refused_by,
            decisions=draft.decisions,
            verification=draft.verification,
            extract=draft.extract,
            trace=self.trace(),
            question_id=self.question_id,
            as_of=day,
        )

    def _in_time(self, citation: Citation) -> Citation:
        """Return a citation with when its passage is law."""
        found = (hit.in_time for hit in self.hits if hit.id == citation.passage.id)
        known = next(found, None) or InTime(status=status_of(citation.passage))
        return replace(citation, in_time=known)

    def _request(self, limits: Mapping[str, Limits]) -> Request:
        default = limits.get(DEFAULT_ROLE)
        kept = self._filter.read
        return Request(
            self.question, kept, self.settings, self.context, default, limits, self._others(kept),
            self._filter.is_unsure, self._filter.is_doubtful, self._conflicts,
        )  # fmt: skip

    def _likely(self, found: FilterResult, question: str) -> list[Hit]:
        """Return what a model reads beside what the filter kept, if that is not nothing."""
        bounds = self.settings.filter
        if not (found.kept and bounds.margin and self.mode.needs_llm and self.mode.needs_hits):
            return []
        first = readable_hits(self.hits)[: bounds.max_passages]
        return may_answer(question, first, bounds.margin, self.context.library)

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
