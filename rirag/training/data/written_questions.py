"""Questions that a language model writes for passages, kept where search finds the passage again.

A question is worth training on when its passage answers it. The check is the round trip
(consistency filtering; Dai et al. 2023, "Promptagator", section 3.2): the question is searched for,
and it is kept only if its own passage comes back among the first.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Literal

from generation.advisor.shares import cut_to
from generation.llm.protocol import LLM, Message, Prompt
from generation.llm.tokens import prompt_tokens_estimate
from generation.prompts import render
from generation.text.fence import Fence
from rirag.training.data.pairs import Pair, PassageReference
from search.errors import EmptyReplyError
from search.records import Passage

SOURCE = "written"
LEAST_PASSAGE_WORDS = 12
"""Shorter passages leave nothing to ask that their number would not answer."""
LEAST_WORDS, MOST_WORDS = 4, 60
"""Of a question: fewer are no question, and more are an essay."""
COPIED_WORDS = 9
"""A question with so many words in a row from its passage was copied, not asked."""
TOKENS_A_QUESTION = 60

Fate = Literal["kept", "empty", "malformed", "copied", "not found again", "too many"]
"""What became of a question; *empty* is a reply without any, *too many* a question that came when
as many were kept as were asked for."""

Rank = Callable[[str, str], int | None]
"""Takes a question and the `ID` of its passage; returns the passage's place among the hits,
counted from 1, or None."""

_LIST_MARK = re.compile(r"^\s*(?:[-*•–]|\(?\d{1,2}[.):]|Q\d*[.:])\s*")


@dataclass(frozen=True, slots=True)
class Written:
    """What a model wrote for one passage."""

    passage: Passage
    fates: tuple[tuple[str, Fate], ...]
    """Each line that it wrote, and what became of it."""

    def pairs(self) -> Iterator[Pair]:
        """Yield a pair for each question that was kept."""
        reference = PassageReference(self.passage.id, self.passage.text)
        kept = [question for question, fate in self.fates if fate == "kept"]
        for number, question in enumerate(kept, start=1):
            yield Pair(question, (reference,), (), f"{SOURCE}-{self.passage.id}-{number}", SOURCE)


def choose_passages(passages: Iterable[Passage], count: int, seed: int) -> list[Passage]:
    """Draw passages that can be asked about; equal seeds draw the same ones.

    Args:
        passages: of an index.
        count: how many at most.
        seed: of the draw.
    """
    speaking = [
        passage
        for passage in passages
        if passage.kind != "heading" and len(passage.text.split()) >= LEAST_PASSAGE_WORDS
    ]
    chooser = random.Random(seed)  # noqa: S311 - a draw, not a secret
    return chooser.sample(speaking, min(count, len(speaking)))


def write_questions(
    passages: Sequence[Passage], llm: LLM, rank: Rank, *, each: int, best: int, workers: int,
    prompts: Mapping[str, str] | None = None,
) -> Iterator[Written]:  # fmt: skip
    """Yield what the model wrote for each passage, in their order.

    Args:
        passages: to ask about.
        llm: writes the questions.
        rank: finds a passage again.
        each: how many questions are asked for; no more are kept.
        best: a question is kept if its passage is among so many first hits.
        workers: requests to the model at a time.
        prompts: of the user's own by name, such as `questions-system`.

    Raises:
        LLMError: the model cannot be used.
    """
    context = llm.limits().context
    with ThreadPoolExecutor(workers) as pool:
        ask = partial(_replied, llm, each=each, own=prompts, context=context)
        pending = [pool.submit(ask, passage) for passage in passages]
        try:
            for passage, reply in zip(passages, pending, strict=True):
                yield Written(passage, tuple(_judged(passage, reply.result(), rank, best, each)))
        finally:
            pool.shutdown(cancel_futures=True)


def questions_in(reply: str) -> Iterator[str]:
    """Yield the lines of a reply, without list marks and quotation marks, each once."""
    lines = (_LIST_MARK.sub("", line).strip().strip('"“”').strip() for line in reply.splitlines())
    yield from dict.fromkeys(line for line in lines if line)


def questions_prompt(
    passages: Sequence[Passage], each: int, own: Mapping[str, str] | None, context: int,
    name: str = "questions-user",
) -> Prompt:  # fmt: skip
    """Return what the model is asked; passages that its context cannot hold are cut off.

    Args:
        passages: to ask about, together.
        each: how many questions are wanted.
        own: prompts of the user's own by name.
        context: tokens that the model takes.
        name: of the prompt that says which questions are wanted.
    """
    fence = Fence()

    def of(texts: Sequence[str]) -> Prompt:
        shown = "\n".join(
            fence.passage(number, _name(passage), text)
            for number, (passage, text) in enumerate(zip(passages, texts, strict=True), 1)
        )
        messages = (
            Message("system", render("questions-system", own, code=fence.code)),
            Message("user", render(name, own, passage=shown, count=str(each))),
        )
        return Prompt(messages, TOKENS_A_QUESTION * each)

    empty = prompt_tokens_estimate(of([""] * len(passages)))
    room = max(context - empty - TOKENS_A_QUESTION * each, 0) // len(passages)
    return of([cut_to(passage.text, room) for passage in passages])


def _name(passage: Passage) -> str:
    crumbs = " › ".join((passage.document_title, *passage.breadcrumb)).strip(" ›")
    return crumbs or passage.document_id


def _replied(
    llm: LLM, passage: Passage, each: int, own: Mapping[str, str] | None, context: int
) -> str:
    try:
        return llm.complete(questions_prompt((passage,), each, own, context)).text
    except EmptyReplyError:  # of one passage; others may have something to ask
        return ""


def _judged(
    passage: Passage, reply: str, rank: Rank, best: int, each: int
) -> Iterator[tuple[str, Fate]]:
    kept = 0
    questions = list(questions_in(reply))
    if not questions:
        yield "", "empty"
    for question in questions:
        fate = _fate(question, passage, rank, best) if kept < each else "too many"
        kept += fate == "kept"
        yield question, fate


def _fate(question: str, passage: Passage, rank: Rank, best: int) -> Fate:
    problem = form_problem(question, (passage.text,))
    if problem is not None:
        return problem
    place = rank(question, passage.id)
    return "kept" if place is not None and place <= best else "not found again"


def form_problem(question: str, texts: Iterable[str]) -> Literal["malformed", "copied"] | None:
    """Return what is wrong with the form of a question about some passages; None: nothing."""
    words = question.split()
    if not (question.endswith("?") and LEAST_WORDS <= len(words) <= MOST_WORDS):
        return "malformed"
    return "copied" if any(_is_copied(words, text) for text in texts) else None


def _is_copied(words: Sequence[str], text: str) -> bool:
    folded = " " + " ".join(text.lower().split()) + " "
    runs = (
        " ".join(words[start : start + COPIED_WORDS]).lower()
        for start in range(len(words) - COPIED_WORDS + 1)
    )
    return any(run in folded for run in runs)
