"""Builds the prompt of mode `rag`: as many passages as the model's context takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from generation.fence import Fence
from generation.labels import citation_label
from generation.llm import Limits, Message, Prompt
from generation.prompts import render
from generation.records import AnswerWarning
from generation.tokens import TOKENS_PER_MESSAGE, estimate_tokens
from search.errors import LLMError
from search.records import Hit, Passage

LARGEST_REPLY_SHARE = 0.5
"""At most this part of the context is kept free for the reply, however long it may be: passages
are worth more than room for words."""


@dataclass(frozen=True, slots=True)
class Context:
    """A prompt, and which passages it holds."""

    prompt: Prompt
    passages: tuple[Passage, ...]
    """Passage number n of the prompt is the n-th."""
    warnings: tuple[AnswerWarning, ...] = ()


def fit_passages(
    question: str, hits: Sequence[Hit], limits: Limits, fence: Fence | None = None
) -> Context:
    """Return the prompt with the best hits that fit; those left out are told in a warning.

    Raises:
        LLMError: not even the first passage fits.
    """
    fence = fence or Fence()
    reply = min(limits.reply, int(limits.context * LARGEST_REPLY_SHARE))
    for count in range(len(hits), 0, -1):
        prompt = _prompt(question, hits[:count], reply, fence)
        if _tokens(prompt) + reply <= limits.context:
            passages = tuple(hit.passage for hit in hits[:count])
            return Context(prompt, passages, _left_out(hits[count:], limits))
    needed = _tokens(_prompt(question, hits[:1], reply, fence)) + reply
    raise LLMError(
        f"The model's context of {limits.context} tokens is too small even for one passage, "
        f"{citation_label(hits[0].passage)} (about {needed} tokens with question and reply); "
        "use a model or server with a larger context, or mode extractive."
    )


def _prompt(question: str, hits: Sequence[Hit], reply: int, fence: Fence) -> Prompt:
    passages = "\n\n".join(
        fence.passage(number, _name(hit.passage), hit.text)
        for number, hit in enumerate(hits, start=1)
    )
    system = render("rag-system", code=fence.code)
    user = render("rag-user", passages=passages, question=fence.question(question))
    return Prompt((Message("system", system), Message("user", user)), reply)


def _name(passage: Passage) -> str:
    return ", ".join([citation_label(passage), *passage.breadcrumb])


def _tokens(prompt: Prompt) -> int:
    return sum(estimate_tokens(m.content) + TOKENS_PER_MESSAGE for m in prompt.messages)


def _left_out(hits: Sequence[Hit], limits: Limits) -> tuple[AnswerWarning, ...]:
    if not hits:
        return ()
    named = ", ".join(citation_label(hit.passage) for hit in hits)
    message = (
        f"{len(hits)} of the passages found did not fit into the model's context of "
        f"{limits.context} tokens and were not read: {named}."
    )
    return (AnswerWarning("left-out", message),)
