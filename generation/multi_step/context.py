"""The prompt of mode `multi-step`: articles with their passages, examples, background, question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from generation.llm.protocol import Message, Prompt
from generation.llm.tokens import estimate_tokens, prompt_tokens_estimate
from generation.mode import Request
from generation.multi_step.references import Chosen
from generation.prompts import render
from generation.prompts.examples import Example
from generation.prompts.passages import TOKENS_BETWEEN, Context, passage_name, reply_tokens
from generation.records import AnswerWarning
from generation.text.fence import Fence
from search.articles.act import Article
from search.errors import LLMError
from search.records import Passage
from search.text.analyzer import term_set

LARGEST_SHARE = 0.25
"""One article takes at most this part of the room: Article 4 of the CRR alone has 7,000 words. Of a
longer one those passages are read that share most words with the question, in their order."""

EXAMPLES_SHARE = 0.25
"""Examples take at most this part of the room; the law is worth more."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What is around the articles."""

    request: Request
    fence: Fence
    examples: tuple[Example, ...] = ()

    def prompt(self, blocks: Sequence[str]) -> Prompt:
        """Return the prompt with passages that are fenced already."""
        request, fence = self.request, self.fence
        texts, background = request.settings.prompts, request.context.background
        shown = "\n\n".join(
            fence.example(number, one.question, one.answer)
            for number, one in enumerate(self.examples, start=1)
        )
        system = render("multi-step-system", texts, code=fence.code)
        user = render(
            "multi-step-user",
            texts,
            passages="\n\n".join(blocks),
            examples=shown,
            background=fence.material("background", background or "none given"),
            question=fence.question(request.question),
        )
        reply = reply_tokens(request.limits_of(""))
        return Prompt((Message("system", system), Message("user", user)), reply)

    def room(self) -> int:
        """Return how many tokens there are for passages."""
        prompt, context = self.prompt([]), self.request.limits_of("").context
        return context - prompt.max_tokens - prompt_tokens_estimate(prompt)


def fit_examples(request: Request, fence: Fence, examples: Sequence[Example]) -> Frame:
    """Return the frame with as many examples as their share of the context takes."""
    bare = Frame(request, fence)
    room = bare.room()
    for count in range(len(examples), 0, -1):
        frame = Frame(request, fence, tuple(examples[:count]))
        if room - frame.room() <= EXAMPLES_SHARE * room:
            return frame
    return bare


def fit_articles(frame: Frame, articles: Sequence[Chosen]) -> Context:
    """Return the prompt with the articles that fit, the first ones before the later ones.

    Raises:
        LLMError: not even one passage fits.
    """
    whole = room = frame.room()
    passages: list[Passage] = []
    blocks: list[str] = []
    missed: list[str] = []
    question = term_set(f"{frame.request.question} {frame.request.context.background}")
    for one in articles:
        own = one.article.written
        kept = _fitting(one.article, min(room, int(LARGEST_SHARE * whole)), question)
        if not kept:
            missed.append(str(one))
        elif len(kept) < len(own):
            missed.append(f"{len(own) - len(kept)} of {len(own)} passages of {one}")
        for passage in kept:
            passages.append(passage)
            blocks.append(frame.fence.passage(len(passages), passage_name(passage), passage.text))
            room -= _size(passage)
    if not passages:
        context = frame.request.limits_of("").context
        raise LLMError(
            f"The model's context of {context} tokens is too small for even one "
            "passage of the articles besides question and instructions; use a model "
            "or server with a larger context, or shorten the question."
        )
    return Context(frame.prompt(blocks), tuple(passages), _warnings(missed), frame.fence.code)


def _fitting(article: Article, room: int, question: frozenset[str]) -> list[Passage]:
    """Return the passages that fit, those that share most words with the question."""
    passages = article.written
    sizes = [_size(passage) for passage in passages]
    if sum(sizes) <= room:
        return list(passages)
    shared = [len(question & terms) for terms in article.terms]
    kept: set[int] = set()
    for place in sorted(range(len(passages)), key=lambda place: -shared[place]):
        if sizes[place] <= room:
            kept.add(place)
            room -= sizes[place]
    return [passage for place, passage in enumerate(passages) if place in kept]


MARKS = 30
"""Tokens of the two marks around a passage, beside its name, which the opening one holds."""


def _size(passage: Passage) -> int:
    return estimate_tokens(f"{passage_name(passage)} {passage.text}") + MARKS + TOKENS_BETWEEN


def _warnings(missed: Sequence[str]) -> tuple[AnswerWarning, ...]:
    if not missed:
        return ()
    message = f"Not read because the model's context was full: {'; '.join(missed)}."
    return (AnswerWarning("left-out", message),)
