"""One answer in the making: everything about it that does not wait for a model."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from generation.filter import filter_hits
from generation.insufficient import insufficient_draft
from generation.llm import Completion, Limits, OnText
from generation.modes.protocol import Ask, Draft, Mode, Request, Steps
from generation.records import Answer
from generation.settings import AnswerSettings
from generation.terminal import printable
from generation.trace import Call, Trace
from search.errors import InputError
from search.records import Hit


@dataclass
class Job:
    """Runs a mode from call to call; `answer` and `answer_async` differ only in how they wait."""

    question: str
    hits: Sequence[Hit]
    mode: Mode
    settings: AnswerSettings
    question_id: str | None = None
    on_text: OnText | None = None
    answerable: float | None = None

    def __post_init__(self) -> None:
        if not self.question.strip():
            raise InputError("The question is empty; ask something.")
        self._filter = filter_hits(self.hits, self.settings.filter, self.answerable)
        self._started = self._asked = time.perf_counter()
        self._calls: list[Call] = []
        self._streamed = False
        self._draft: Draft | None = None
        self._steps: Steps | None = None
        self._ask: Ask | None = None

    @property
    def has_evidence(self) -> bool:
        """Whether the filter left anything to answer from."""
        return bool(self._filter.kept)

    @property
    def needs_llm(self) -> bool:
        """Whether the mode calls a model."""
        return self.mode.needs_llm

    def start(self, limits: Limits | None) -> Ask | None:
        """Begin; return the first call to make, None if none is needed."""
        if not self.has_evidence:
            self._draft = insufficient_draft(self.hits, self._filter)
            return None
        request = Request(self.question, self._filter.kept, self.settings, limits)
        self._steps = self.mode.steps(request)
        return self._advance(None)

    def take(self, completion: Completion) -> Ask | None:
        """Take in a reply; return the next call to make, None if that was the last."""
        if self._ask is not None:
            seconds = time.perf_counter() - self._asked
            self._calls.append(Call(self._ask.purpose, self._ask.prompt, completion, seconds))
        return self._advance(completion)

    def listener(self, ask: Ask) -> OnText | None:
        """Return what is to hear the reply of a call as it is written."""
        hear = self.on_text
        if hear is None or not ask.final:
            return None

        def safely(text: str) -> None:
            self._streamed = True
            hear(printable(text))

        return safely

    def answer(self) -> Answer:
        """Return the finished answer."""
        if self._draft is None:
            raise RuntimeError("answer() was called before the last reply was taken in")
        draft = self._draft
        if self.on_text is not None and not self._streamed:
            self.on_text(printable(draft.text))
        seconds = time.perf_counter() - self._started
        return Answer(
            question=self.question,
            text=draft.text,
            mode=self.mode.name,
            filter=self._filter,
            citations=draft.citations,
            warnings=draft.warnings,
            insufficient_evidence=draft.insufficient_evidence,
            trace=Trace(self.mode.name, seconds, tuple(self._calls)),
            question_id=self.question_id,
        )

    def _advance(self, completion: Completion | None) -> Ask | None:
        if self._steps is None:
            return None
        try:
            steps = self._steps
            self._ask = next(steps) if completion is None else steps.send(completion)
        except StopIteration as done:
            self._ask, self._draft = None, done.value
        self._asked = time.perf_counter()
        return self._ask
