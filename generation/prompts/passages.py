"""Builds prompts with passages: as many of them as the model's context takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from generation.llm.calls import Ask
from generation.llm.protocol import Limits, Message, Prompt, estimate_tokens, prompt_tokens_estimate
from generation.prompts import render
from generation.records import AnswerWarning
from generation.text.fence import Fence
from generation.text.labels import citation_label
from search.errors import LLMError
from search.records import Hit, Passage

Texts = Mapping[str, str]
"""Prompts of the user's own by name."""

LARGEST_REPLY_SHARE = 0.5
"""At most this part of the context is kept free for the reply, however long it may be: passages
are worth more than room for words."""

TOKENS_BETWEEN = 1
"""An empty line between two passages."""


@dataclass(frozen=True, slots=True)
class Context:
    """A prompt, and which passages it holds."""

    prompt: Prompt
    passages: tuple[Passage, ...]
    """Passage number n of the prompt is the n-th."""
    warnings: tuple[AnswerWarning, ...] = ()
    code: str = ""
    """The code of the fence, which no reply has a reason to repeat."""

    def ask(self, role: str = "") -> Ask:
        """Return the call for the answer."""
        return Ask("answer", self.prompt, model=role, code=self.code, passages=self.passages)


def fit_passages(
    question: str,
    hits: Sequence[Hit],
    limits: Limits,
    fence: Fence | None = None,
    texts: Texts | None = None,
) -> Context:
    """Return the prompt of mode `rag` with the best hits that fit.

    A warning names those left out.
    """
    fence = fence or Fence()
    frame = Frame("rag", question, limits, fence, texts or {})
    blocks = [
        fence.passage(number, passage_name(hit.passage), hit.bearing)
        for number, hit in enumerate(hits, start=1)
    ]
    count, room = 0, frame.room()
    for block in blocks:
        room -= estimate_tokens(block) + TOKENS_BETWEEN
        if room < 0:
            break
        count += 1
    if not count:
        raise too_small(hits[0], limits, limits.context - frame.room() + estimate_tokens(blocks[0]))
    prompt = frame.prompt(blocks[:count])
    passages = tuple(hit.passage for hit in hits[:count])
    return Context(prompt, passages, left_out(hits[count:], limits), fence.code)


@dataclass(frozen=True, slots=True)
class Frame:
    """What is around the passages of a prompt: instructions and question."""

    name: str
    """Of the prompt files, which end in `-system` and `-user`."""
    question: str
    limits: Limits
    fence: Fence
    texts: Texts
    user: str = ""
    """Name of the user's part, where it differs."""
    more: Mapping[str, str] = field(default_factory=dict)
    """What else the user's part has a place for."""

    def room(self) -> int:
        """Return how many tokens there are for passages; below 0 where the frame is too large."""
        return (
            self.limits.context
            - reply_tokens(self.limits)
            - prompt_tokens_estimate(self.prompt([]))
        )

    def prompt(self, blocks: Sequence[str]) -> Prompt:
        """Return the prompt with passages that are fenced already."""
        return prompt_of(
            self.name, self.fence, self.texts, self.limits, user=self.user,
            passages="\n\n".join(blocks), question=self.fence.question(self.question), **self.more,
        )  # fmt: skip


def prompt_of(
    name: str, fence: Fence, texts: Texts, limits: Limits, *, user: str = "", **values: str
) -> Prompt:
    """Return the prompt of two files, `NAME-system` and `USER-user`, with the values filled in."""
    system = render(f"{name}-system", texts, code=fence.code)
    asked = render(f"{user or name}-user", texts, **values)
    return Prompt((Message("system", system), Message("user", asked)), reply_tokens(limits))


def reply_tokens(limits: Limits) -> int:
    """Return how many tokens of a context are kept free for the reply."""
    return min(limits.reply, int(limits.context * LARGEST_REPLY_SHARE))


def passage_name(passage: Passage) -> str:
    """Return what a model is told a passage is: its citation and the headings above it."""
    return ", ".join([citation_label(passage), *passage.breadcrumb])


def too_small(hit: Hit, limits: Limits, needed: int) -> LLMError:
    """Return the error for a context that does not take one passage."""
    return LLMError(
        f"The model's context of {limits.context} tokens is too small for even one "
        f"passage, {citation_label(hit.passage)} (about {needed} tokens with question "
        "and reply); use a model or server with a larger context, or mode extractive."
    )


def left_out(hits: Sequence[Hit], limits: Limits) -> tuple[AnswerWarning, ...]:
    """Return the warning that names the passages that did not fit; none if all did."""
    if not hits:
        return ()
    named = ", ".join(citation_label(hit.passage) for hit in hits)
    message = (
        f"{len(hits)} of the passages found did not fit the model's context of "
        f"{limits.context} tokens and were not read: {named}."
    )
    return (AnswerWarning("left-out", message),)
