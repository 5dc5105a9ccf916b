"""Verify a finished answer with a language model as the judge."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from generation.llm.calls import Ask
from generation.llm.exchanges import Exchange, exchange_all
from generation.llm.protocol import LLM, Completion, Limits
from generation.llm.roles import DEFAULT_ROLE, Cast
from generation.mode import Request
from generation.settings import AnswerSettings
from generation.verification import Verification
from generation.verify.judges.llm import judge_by_llm
from generation.verify.verifying import check_statements, sources_of, verification_of
from search.errors import LLMError
from search.records import Passage


async def verify_by_llm(
    text: str,
    passages: Mapping[int, Passage],
    question: str,
    llm: LLM,
    settings: AnswerSettings | None = None,
) -> Verification:
    """Check an answer as `generation.verify.verify` does, with a language model as the judge.

    Args:
        text: the answer.
        passages: number of a citation → its passage.
        question: its numbers and terms may be repeated without a source.
        llm: the judge.
        settings: prompts of the user's own, and how many calls run at a time.

    Raises:
        LLMError: the model cannot be reached.
    """
    settings = settings or AnswerSettings()
    cast = Cast.of("verify", llm)
    limits = (await cast.limits())[DEFAULT_ROLE]
    judging = await asyncio.to_thread(_Judging, text, passages, question, settings, limits)
    while judging.asks:
        judging.take(await exchange_all(judging.asks, cast, settings.calls_at_once))
    return await asyncio.to_thread(judging.verification)


class _Judging:
    """Everything about it that does not wait for the model."""

    def __init__(
        self,
        text: str,
        passages: Mapping[int, Passage],
        question: str,
        settings: AnswerSettings,
        limits: Limits,
    ) -> None:
        self._sources = sources_of(passages)
        self._checked = check_statements(text, self._sources, question)
        self._steps = judge_by_llm(self._checked, Request(question, (), settings, limits=limits))
        self._judge, self._problem = "", ""
        self.asks: tuple[Ask, ...] = ()
        """The calls to make next; empty: it is done."""
        self._advance(None)

    def take(self, made: Sequence[Exchange]) -> None:
        """Take in what came of the calls."""
        self._advance(tuple(one.reply for one in made))

    def verification(self) -> Verification:
        """Return the verdicts."""
        return verification_of(self._checked, self._sources, self._judge, self._problem)

    def _advance(self, replies: tuple[Completion | LLMError, ...] | None) -> None:
        try:
            self.asks = next(self._steps) if replies is None else self._steps.send(replies)
        except StopIteration as done:
            self.asks, (self._judge, self._problem) = (), done.value
