"""Calls that a mode or a judge wants made, and the replies that it is sent."""

from __future__ import annotations

from dataclasses import dataclass

from generation.llm.protocol import Completion, Prompt
from search.errors import LLMError
from search.records import Passage


@dataclass(frozen=True, slots=True)
class Ask:
    """A call that a mode wants made."""

    purpose: str
    """Which step it is, for the trace."""
    prompt: Prompt
    final: bool = True
    """Whether the reply is text of the answer, to be streamed to the user."""
    model: str = ""
    """The role of the model that is asked; empty: the default one."""
    code: str = ""
    """The code of the fence in the prompt: its marks are not part of a reply; empty: no fence."""
    echo: str = ""
    """The question, where a reply that begins with it is to go without; empty: it stays."""
    passages: tuple[Passage, ...] = ()
    """What the prompt holds: a list of these is not part of a reply."""


Asked = Ask | tuple[Ask, ...]
"""One call, or several that do not wait for one another."""

Replied = Completion | tuple[Completion | LLMError, ...]
"""The reply to one call; or the replies to several, in their order, a failed one as its error."""


def completion_of(replied: Replied) -> Completion:
    """Return the reply to a single call."""
    if not isinstance(replied, Completion):
        raise TypeError("a mode made one call but received several replies")
    return replied


def completions_of(replied: Replied) -> tuple[Completion | LLMError, ...]:
    """Return the replies to several calls at once."""
    if isinstance(replied, Completion):
        raise TypeError("a mode made several calls but received one reply")
    return replied
