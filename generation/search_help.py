"""Other words for a question, written by a language model to be searched beside it.

docs/research/search-help.md has what this brings. It is one call, bounded in time and length; where
it brings nothing of use, the question is searched alone.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from generation.llm.protocol import LLM, prompt_tokens_estimate
from generation.llm.roles import told
from generation.prompts.passages import prompt_of
from generation.replies.drafts import cleaned
from generation.text.fence import Fence
from search.caches import LastUsed
from search.errors import LLMError
from search.ranking.steps.finding.formulations import MOST

REPLY_TOKENS = 300
MOST_SECONDS = 20.0
"""How long a search waits for the model."""
LONGEST = 400
"""Characters of a formulation that are searched; a rule in one sentence is shorter."""
FEWEST_WORDS = 2
MOST_KEPT = 1000
"""Questions whose formulations are remembered."""

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
        try:
            async with asyncio.timeout(MOST_SECONDS):
                with told(self._llm):
                    found = await self._asked(question)
        except TimeoutError:
            return Help(note=_without(f"it took more than {MOST_SECONDS:g} s"))
        except LLMError as error:
            return Help(note=_without(str(error).rstrip(".")))
        self._known.keep({question: found})
        return found

    async def _asked(self, question: str) -> Help:
        fence, limits = Fence(), await self._llm.limits_async()
        asked, most = fence.question(question), min(REPLY_TOKENS, limits.reply)
        prompt = prompt_of("search-help", fence, self._prompts, limits, question=asked)
        prompt = replace(prompt, max_tokens=most, timeout_s=MOST_SECONDS)
        if prompt_tokens_estimate(prompt) + prompt.max_tokens > limits.context:
            return Help(note=_without("the question is too long for it"))
        written, _ = cleaned(await self._llm.complete_async(prompt), fence.code)
        found = formulations_in(written, question)
        return Help(found) if found else Help(note=_without("its reply has no lines to search for"))


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


def _without(reason: str) -> str:
    return f"the language model did not help the search: {reason}"
