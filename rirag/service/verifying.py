"""Check the statements of an answer against the passages that it cites."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rirag.inputs.answer_records import AnswerRecord, passages_of
from rirag.inputs.own_prompts import read_prompts
from rirag.service.judges import load_judge, wants_llm
from rirag.service.language_models import language_model

if TYPE_CHECKING:
    from generation import LLM
    from generation.verify import Judge, Verification
    from rirag.settings import Settings
    from search.records import Passage


class Verifier:
    """Verifies answers with the judge that the settings name; threads may share one."""

    def __init__(self, settings: Settings) -> None:
        """Load what the settings name; the default judge is loaded when it is first asked.

        Raises:
            RiragError: there is no such judge or model, or a prompt cannot be used.
        """
        self._settings = settings
        self._llm: LLM | None = None
        self._judge: Judge | None = None
        if wants_llm(settings.judge):
            self._llm = language_model(settings)
            self._prompts = read_prompts(settings.prompts)
        else:
            self._judge = load_judge(settings.judge)

    def verify(
        self, answer: AnswerRecord, held: Mapping[str, Passage] | None = None
    ) -> Verification:
        """Return the verdicts on an answer; none for a refusal, which claims nothing.

        Args:
            answer: as `rirag ask --json` wrote it.
            held: passages by `ID`; None: those of the answer itself.

        Raises:
            InputError: the answer does not hold the text of a passage.
            LLMError: the language model that judges cannot be asked.
        """
        from generation.verify.records import Verification
        from generation.verify.verifying import verify, verify_by_llm

        if answer.claims_nothing:
            return Verification(())
        text, passages, question = answer.text, passages_of(answer, held), answer.question
        if self._llm is None:
            return verify(text, passages, question, judge=self._judge)
        calls = self._settings.llm_calls_at_once
        return verify_by_llm(text, passages, question, self._llm, self._prompts, calls)
