"""How a language model helps a search: other words for a question, and an order of what is found.

docs/research/search-help.md has what other words bring. Each is one call, bounded in time and
length; where it brings nothing of use, the question is searched alone, and the order stays.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from generation.llm.protocol import LLM, Limits, Prompt, estimate_tokens, prompt_tokens_estimate
from generation.llm.roles import told
from generation.prompts.passages import TOKENS_BETWEEN, Frame, passage_name, prompt_of
from generation.replies.drafts import cleaned
from generation.text.fence import Fence
from search.caches import LastUsed
from search.errors import LLMError
from search.pipeline import SearchResult
from search.ranking.steps.finding.formulations import MOST
from search.text.shortening import shortened

REPLY_TOKENS = 300
MOST_SECONDS = 20.0
"""How long a search waits for the model."""
LONGEST = 400
"""Characters of a formulation that are searched; a rule in one sentence is shorter."""
FEWEST_WORDS = 2
MOST_KEPT = 1000
"""Questions whose formulations are remembered."""

MOST_ORDERED = 30
"""Hits that a model puts in order."""
FEWEST_ORDERED = 2
LONGEST_READ = 500
"""Characters of each of them that it reads."""

_ORDER = re.compile(r"\[?\d{1,4}\]?(?:\s*[>,]\s*\[?\d{1,4}\]?)+")
_NUMBER = re.compile(r"\d+")
_LINE = re.compile(r"^\s*(?:[-*•–]|\d{1,2}[.)])\s+(?P<text>\S.*)$", re.MULTILINE)


class Help(NamedTuple):
    """What a model brings to the search for a question."""

    formulations: tuple[str, ...] = ()
    note: str = ""
    """Why there are none, as a sentence; empty: there are some."""


class SearchHelp:
    """Asks a language model for other words; remembers what it wrote."""

    def __init__(self, llm: LLM, prompts: Mapping[str, str] | None = None) -> None:
        """Take the model, and prompts of the user's own by name."""
        self._llm = llm
        self._prompts = prompts or {}
        self._known = LastUsed[str, Help](MOST_KEPT)

    async def ask(self, question: str) -> Help:
        """Return other words for a question; a model that fails brings a note instead."""
        if known := self._known.known([question]):
            return known[question]

        def prompt(fence: Fence, limits: Limits) -> Prompt:
            asked = fence.question(question)
            return prompt_of("search-help", fence, self._prompts, limits, question=asked)

        try:
            found = formulations_in(await self._reply(prompt), question)
        except LLMError as error:
            return Help(note=_without(str(error)))
        helped = Help(found, "" if found else _without("its reply has no lines to search for"))
        self._known.keep({question: helped})
        return helped

    async def order(self, question: str, result: SearchResult) -> SearchResult:
        """Return a search with its best hits in the order of the model, and a note.

        What the question names or a person pinned keeps its place, and each place its score. A
        model that fails leaves the order.
        """
        pinned = {one.id for one in result.trace.pinned}
        hits = [
            hit
            for hit in result.hits[:MOST_ORDERED]
            if hit.scores.number is None and not hit.definition and hit.id not in pinned
        ]

        def prompt(fence: Fence, limits: Limits) -> Prompt:
            frame = Frame("search-order", question, limits, fence, self._prompts)
            blocks, room = [], frame.room()
            for number, hit in enumerate(hits, start=1):
                text = shortened(hit.bearing, LONGEST_READ)
                block = fence.passage(number, passage_name(hit.passage), text)
                room -= estimate_tokens(block) + TOKENS_BETWEEN
                if room < 0:
                    break
                blocks.append(block)
            return frame.prompt(blocks)

        try:
            order = order_in(await self._reply(prompt), len(hits))
            note = "the language model put the best hits in order"
        except LLMError as error:
            order, note = (), _without(str(error))
        moved = {hit.rank: hits[place] for hit, place in zip(hits, order, strict=False)}
        ordered = tuple(
            replace(moved.get(one.rank, one), rank=one.rank, score=one.score) for one in result.hits
        )
        trace = replace(result.trace, notes=(*result.trace.notes, note))
        return replace(result, hits=ordered, trace=trace)

    async def _reply(self, prompt: Callable[[Fence, Limits], Prompt]) -> str:
        """Return the reply to a prompt.

        Raises:
            LLMError: there is none in time, or the prompt is too long.
        """
        try:
            async with asyncio.timeout(MOST_SECONDS):
                with told(self._llm):
                    fence, limits = Fence(), await self._llm.limits_async()
                    limits = replace(limits, reply=min(REPLY_TOKENS, limits.reply))
                    asked = replace(prompt(fence, limits), timeout_s=MOST_SECONDS)
                    if prompt_tokens_estimate(asked) + asked.max_tokens > limits.context:
                        raise LLMError("the question is too long for it")
                    return cleaned(await self._llm.complete_async(asked), fence.code)[0]
        except TimeoutError:
            raise LLMError(f"it took more than {MOST_SECONDS:g} s") from None


def formulations_in(reply: str, question: str) -> tuple[str, ...]:
    """Return the formulations of a reply: its first lines that are items of a list.

    A refusal, an answer in prose or nonsense has none. The question itself is none either.
    """
    lines = (" ".join(line["text"].split()).strip("\"'“”`") for line in _LINE.finditer(reply))
    asked = question.casefold().split()
    usable = (
        line[:LONGEST].rpartition(" ")[0] if len(line) > LONGEST else line
        for line in lines
        if len(line.split()) >= FEWEST_WORDS and line.casefold().split() != asked
    )
    return tuple(dict.fromkeys(filter(None, usable)))[:MOST]


def order_in(reply: str, count: int) -> tuple[int, ...]:
    """Return the order that a reply gives `count` passages, as 0-based places.

    Those that it leaves out keep their order behind the others. Numbers that no passage has, and
    repetitions, are passed over.

    Raises:
        LLMError: it has no order.
    """
    runs: list[list[str]] = [_NUMBER.findall(one[0]) for one in _ORDER.finditer(reply)]
    longest: list[str] = max(runs, key=len, default=[])
    named = dict.fromkeys(int(one) - 1 for one in longest if 1 <= int(one) <= count)
    if len(named) < FEWEST_ORDERED:
        raise LLMError("its reply has no order of the passages")
    return tuple(named | dict.fromkeys(range(count)))


def _without(reason: str) -> str:
    return f"the language model did not help the search: {reason.rstrip('.')}"
