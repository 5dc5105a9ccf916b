"""The desk of `rirag ask`: all that stays the same from one question to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rirag.cli.asking.case import Case
from rirag.cli.asking.delegating import delegate_settings
from rirag.cli.asking.judges import load_judge, wants_llm
from rirag.cli.asking.language_model import language_models
from rirag.cli.options import run_search

if TYPE_CHECKING:
    from generation import LLM, Answer, Given, Library
    from generation.prompts.examples import Example
    from generation.verify import VerifySettings
    from rirag.evaluation.retrieval.questions import Question
    from rirag.settings import Settings
    from search import Index, Plan

OnText = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class AnswerDesk:
    """Where questions are answered: an opened index and everything that stays the same."""

    index: Index
    library: Library
    """Of the index; what is worked out of whole documents is kept in it."""
    settings: Settings
    filters: tuple[str, ...]
    llm: Mapping[str, LLM] | None
    """By role; None: no model is wanted."""
    prompts: Mapping[str, str]
    """Of the user's own."""
    examples: tuple[Example, ...]
    """Of a file; empty: none was named."""
    documents: tuple[str, ...] = ()
    """`document_id` of each document that mode `delegate` is to read."""
    case: Case = field(
        default_factory=lambda: Case(background="", topic="", article="", ranker=None)
    )
    """What stands behind the question, for mode `multi-step`."""

    def answer(
        self, question: str, question_id: str | None = None, on_text: OnText | None = None
    ) -> tuple[Answer, tuple[str, ...]]:
        """Search and answer; return the answer and the notes of the search."""
        import generation

        settings = self.settings
        limits = generation.FilterSettings(
            max_passages=settings.filter_limit,
            max_drop=settings.filter_drop,
            min_score=settings.filter_floor,
            score=settings.filter_score,
            min_answerable=settings.filter_answerable,
        )
        result = run_search(self.index, settings, question, self.filters, _depth(settings))
        answer = generation.answer(
            question,
            result.hits,
            mode=settings.answer_mode,
            settings=generation.AnswerSettings(
                filter=limits,
                prompts=self.prompts,
                verify=_verify_settings(settings),
                calls_at_once=settings.llm_calls_at_once,
                delegate=delegate_settings(settings),
            ),
            llm=self.llm,
            question_id=question_id,
            on_text=on_text,
            answerable=result.plan.answerable,
            given=self._given(question, question_id, result.plan),
        )
        return answer, result.plan.notes

    def _given(self, question: str, question_id: str | None, plan: Plan) -> Given:
        """Return what the mode needs beside the hits."""
        from generation import Given

        examples = self.examples
        if self.settings.answer_mode == "few-shot" and not examples:
            from rirag.inputs.answer_examples import known_examples

            examples = known_examples(question, plan.memory, self.index, question_id)
        return Given(
            library=self.library,
            documents=self.documents,
            regime=self.settings.regime or "",
            examples=examples,
            **self.case,
        )

    def answer_json(self, question: str, question_id: str | None = None) -> dict[str, Any]:
        """Return the stable JSON form of an answer, with the notes of its search."""
        answer, notes = self.answer(question, question_id)
        return {**answer.to_json(), "notes": list(notes)}

    def answer_of_file(self, asked: Question) -> dict[str, Any]:
        """Return the answer to a question; what it brings goes before what was given for all."""
        case = Case(
            background=asked.background or self.case["background"],
            topic=asked.topic or self.case["topic"],
            article=asked.article or self.case["article"],
            ranker=self.case["ranker"],
        )
        return replace(self, case=case).answer_json(asked.text, asked.question_id)


def _depth(settings: Settings) -> int:
    """Return how many hits are searched for: what was asked for, else enough for those used.

    Bare headings are passed over, and there may be as many of them.
    """
    from rirag.settings import MOST_HITS

    given = "k" in settings.model_fields_set
    return settings.k if given else max(settings.k, min(2 * settings.filter_limit, MOST_HITS))


def _verify_settings(settings: Settings) -> VerifySettings:
    from generation.verify import VerifySettings

    judge = load_judge(settings.judge, default="none")
    return VerifySettings(judge, wants_llm(settings.judge), settings.require_supported)


def wanted_models(settings: Settings) -> Mapping[str, LLM] | None:
    """Return the models that answer or judge, by role; None where none is wanted.

    Raises:
        InputError: one is wanted and not named.
    """
    if wants_llm(settings.judge):
        return language_models(settings, "; without one use another --judge")
    named = settings.llm_url or settings.llm_model
    if settings.answer_mode == "extractive" and not (settings.mode is None and named):
        return None
    return language_models(settings, "; without one use --mode extractive")


def own_texts(settings: Settings) -> tuple[Mapping[str, str], tuple[Example, ...]]:
    """Return prompts and examples of the user's own, and refuse a regime that there is not."""
    from rirag.inputs.own_prompts import read_prompts

    if settings.regime is not None:
        from generation.advisor.regime import chosen_regime

        chosen_regime(settings.regime)
    if settings.answer_mode not in ("few-shot", "multi-step") or settings.examples is None:
        return read_prompts(settings.prompts), ()
    from rirag.inputs.answer_examples import read_examples

    return read_prompts(settings.prompts), read_examples(Path(settings.examples))
