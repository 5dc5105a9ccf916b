"""From hits to an answer: filter, mode, language model, answer with its trace."""

from __future__ import annotations

from collections.abc import Sequence

from generation.job import Job
from generation.llm import LLM, OnText
from generation.modes import load_mode
from generation.records import Answer
from generation.settings import AnswerSettings
from search.errors import InputError
from search.records import Hit


def answer(
    question: str,
    hits: Sequence[Hit],
    *,
    mode: str = "extractive",
    settings: AnswerSettings | None = None,
    llm: LLM | None = None,
    question_id: str | None = None,
    on_text: OnText | None = None,
    answerable: float | None = None,
) -> Answer:
    """Answer a question from the hits of a search.

    Where the filter leaves nothing, the answer says so and no model is called.

    Args:
        question: the question, as it was asked.
        hits: the ranked hits, best first.
        mode: `extractive`, which needs no model, or `rag`.
        settings: the filter's numbers and the length of an extractive answer.
        llm: the language model; the modes that use one need it.
        question_id: kept in the answer, for evaluation.
        on_text: gets the text of the answer as it is written, safe to print; what no model
            writes comes in one piece.
        answerable: probability that the index has an answer (`Plan.answerable` of the search);
            below the filter's floor the answer says that there is none.

    Raises:
        InputError: the question is empty, the mode unknown, or its model missing.
        LLMError: the model cannot be reached or gives no usable reply.
    """
    chosen, limits = load_mode(mode), settings or AnswerSettings()
    job = Job(question, hits, chosen, limits, question_id, on_text, answerable)
    model = _needed(llm, mode) if job.needs_llm else None
    ask = job.start(model.limits() if model and job.has_evidence else None)
    while ask is not None:
        ask = job.take(_needed(model, mode).complete(ask.prompt, job.listener(ask)))
    return job.answer()


async def answer_async(
    question: str,
    hits: Sequence[Hit],
    *,
    mode: str = "extractive",
    settings: AnswerSettings | None = None,
    llm: LLM | None = None,
    question_id: str | None = None,
    on_text: OnText | None = None,
    answerable: float | None = None,
) -> Answer:
    """Answer a question as `answer` does, without blocking the event loop while a model writes."""
    chosen, limits = load_mode(mode), settings or AnswerSettings()
    job = Job(question, hits, chosen, limits, question_id, on_text, answerable)
    model = _needed(llm, mode) if job.needs_llm else None
    ask = job.start(await model.limits_async() if model and job.has_evidence else None)
    while ask is not None:
        reply = await _needed(model, mode).complete_async(ask.prompt, job.listener(ask))
        ask = job.take(reply)
    return job.answer()


def _needed(llm: LLM | None, mode: str) -> LLM:
    if llm is None:
        raise InputError(
            f"Mode {mode} needs a language model; name its server and model, or use mode "
            "extractive, which needs none."
        )
    return llm
