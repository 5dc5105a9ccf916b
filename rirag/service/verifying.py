"""Check the statements of an answer against the passages that it cites."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

from generation.llm.running import blocking
from rirag.inputs.answer_records import AnswerRecord, passages_of
from rirag.inputs.own_prompts import read_prompts
from rirag.service.judges import load_judge, wants_llm
from rirag.service.language_models import language_model

if TYPE_CHECKING:
    from generation import LLM, AnswerSettings
    from generation.verification import Verification
    from generation.verify import Judge
    from rirag.settings import Settings
    from search.records import Passage


class Verifier:
    """Verifies answers with the judge that the settings name; threads may share one."""

    def __init__(self, settings: Settings) -> None:
        """Load what the settings name; the default judge is loaded when it is first asked."""
        self._llm: LLM | None = None
        self._judge: Judge | None = None
        self._settings: AnswerSettings | None = None
        if wants_llm(settings.judge):
            from generation import AnswerSettings

            self._llm = language_model(settings)
            self._settings = AnswerSettings(
                prompts=read_prompts(settings.prompts), calls_at_once=settings.llm_calls_at_once
            )
        else:
            self._judge = load_judge(settings.judge)

    async def verify_async(
        self, answer: AnswerRecord, held: Mapping[str, Passage] | None = None
    ) -> Verification:
        """Return the verdicts on an answer; none for a refusal, which claims nothing.

        Args:
            answer: as `rirag ask --json` wrote it.
            held: passages by `ID`; None: those of the answer itself.
        """
        from generation.verify.steps import verify_by_llm

        if self._llm is None or answer.claims_nothing:
            return await asyncio.to_thread(self._by_words, answer, held)
        text, passages = answer.text, passages_of(answer, held)
        return await verify_by_llm(text, passages, answer.question, self._llm, self._settings)

    verify = blocking(verify_async)

    def _by_words(self, answer: AnswerRecord, held: Mapping[str, Passage] | None) -> Verification:
        from generation.verification import Verification
        from generation.verify import verify

        if answer.claims_nothing:
            return Verification(())
        passages = passages_of(answer, held)
        return verify(answer.text, passages, answer.question, judge=self._judge)
