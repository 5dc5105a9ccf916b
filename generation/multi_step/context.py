"""The prompt of mode `multi-step`: articles with their passages, examples, background, question."""

from __future__ import annotations

from collections.abc import Sequence

from generation.llm.protocol import estimate_tokens
from generation.mode import Request
from generation.multi_step.references import Chosen, best_found, union
from generation.prompts.examples import Example, shown_examples
from generation.prompts.passages import TOKENS_BETWEEN, Context, Frame, passage_name
from generation.records import AnswerWarning
from generation.text.fence import Fence
from search.errors import LLMError
from search.records import Passage
from search.text.analyzer import term_set

LARGEST_SHARE = 0.25
"""One article takes at most this part of the room: Article 4 of the CRR alone has 7,000 words. Of a
longer one those passages are read that the search found, then those that share most words with the
question, in their order."""

EXAMPLES_SHARE = 0.25
"""Examples take at most this part of the room; the law is worth more."""


def fit_examples(request: Request, fence: Fence, examples: Sequence[Example]) -> tuple[Frame, int]:
    """Return the frame with as many examples as their share of the context takes; and how many."""
    background = fence.material("background", request.context.background or "none given")

    def with_first(count: int) -> Frame:
        more = {"background": background, "examples": shown_examples(examples[:count], fence)}
        return Frame(
            "multi-step", request.question, request.limits_of(""), fence, request.settings.prompts,
            more=more,
        )  # fmt: skip

    room = with_first(0).room()
    for count in range(len(examples), 0, -1):
        frame = with_first(count)
        if room - frame.room() <= EXAMPLES_SHARE * room:
            return frame, count
    return with_first(0), 0


def fit_articles(
    request: Request, frame: Frame, named: Sequence[Chosen], ranked: Sequence[Chosen]
) -> Context:
    """Return the prompt with the passages that fit, article by article.

    Room goes to the articles that are named, then to what the search found in the others, then to
    the rest of these.
    """
    articles = union(named, ranked)
    kept = _fitting(request, frame.room(), articles, len(named))
    passages: list[Passage] = []
    blocks: list[str] = []
    missed: list[str] = []
    for one, places in zip(articles, kept, strict=True):
        own = one.article.written
        if not places:
            missed.append(str(one))
        elif len(places) < len(own):
            missed.append(f"{len(own) - len(places)} of {len(own)} passages of {one}")
        for place in sorted(places):
            passages.append(own[place])
            name = passage_name(own[place])
            blocks.append(frame.fence.passage(len(passages), name, own[place].text))
    if not passages:
        context = frame.limits.context
        raise LLMError(
            f"The model's context of {context} tokens is too small for even one "
            "passage of the articles besides question and instructions; use a model "
            "or server with a larger context, or shorten the question."
        )
    return Context(frame.prompt(blocks), tuple(passages), _warnings(missed), frame.fence.code)


def _fitting(request: Request, room: int, articles: Sequence[Chosen], named: int) -> list[set[int]]:
    """Return the places of the passages that fit, for each article; the first ones are named."""
    ranks = {hit.id: rank for rank, hit in enumerate(best_found(request))}
    terms = term_set(f"{request.question} {request.context.background}")

    def urgency(reading: tuple[int, int]) -> tuple[int, int, int, int]:
        number, place = reading
        rank = ranks.get(articles[number].article.written[place].id)
        shared = len(terms & articles[number].article.terms[place])
        if number >= named and rank is not None:
            return (1, 0, rank, -shared)
        return (0 if number < named else 2, number, len(ranks) if rank is None else rank, -shared)

    kept: list[set[int]] = [set() for _ in articles]
    left = [int(LARGEST_SHARE * room)] * len(articles)
    every = [
        (n, place) for n, one in enumerate(articles) for place in range(len(one.article.written))
    ]
    for number, place in sorted(every, key=urgency):
        size = _size(articles[number].article.written[place])
        if size <= min(room, left[number]):
            kept[number].add(place)
            room -= size
            left[number] -= size
    return kept


MARKS = 30
"""Tokens of the two marks around a passage, beside its name, which the opening one holds."""


def _size(passage: Passage) -> int:
    return estimate_tokens(f"{passage_name(passage)} {passage.text}") + MARKS + TOKENS_BETWEEN


def _warnings(missed: Sequence[str]) -> tuple[AnswerWarning, ...]:
    if not missed:
        return ()
    message = f"Not read because the model's context was full: {'; '.join(missed)}."
    return (AnswerWarning("left-out", message),)
