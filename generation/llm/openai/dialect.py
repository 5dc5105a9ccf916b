"""Which optional parts of a request a server takes: found out from its refusals, and remembered."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from search.errors import InputError
from search.messages.refusals import unknown_name

REMEMBERED_S = 3600.0
"""Seconds that a finding holds: a server may be started again with other options."""

OPTIONAL = (
    "max_tokens", "temperature", "stream_options", "stream", "response_format", "tools",
    "tool_choice", "system", "turns",
)  # fmt: skip
"""What a user may have left out: fields of the request, and forms of the conversation."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a server wants to be asked."""

    limit: Literal["max_tokens", "max_completion_tokens", ""] = "max_tokens"
    """Name of the field that bounds the reply; empty: there is none."""
    most_tokens: int | None = None
    """Highest value that this field takes; None: none is known."""
    temperature: bool = True
    stream_options: bool = True
    stream: Literal["asked", "never", "always"] = "asked"
    """Whether replies are streamed: where somebody listens, never, or always."""
    response_format: bool = True
    """Whether the server holds a model to a JSON schema; else the shape is described in words."""
    tools: bool = True
    """Whether it knows functions; else they are described in words."""
    tool_choice: Literal["required", "auto", ""] = "required"
    """The strongest choice that may be asked for; empty: the field is left out."""
    system: bool = True
    """Whether there is a system role; else its text opens the user's first turn."""
    turns: bool = True
    """Whether one side may speak twice in a row; else its turns are joined."""
    closes_alone: bool = False
    """Whether the model closes reasoning that it did not open; its replies are held back until it
    does."""

    @classmethod
    def without(cls, names: Iterable[str]) -> Dialect:
        """Return the dialect of a server to which some of `OPTIONAL` are not sent.

        Raises:
            InputError: a name is none of them.
        """
        made = cls()
        for name in names:
            if name not in OPTIONAL:
                raise InputError(
                    unknown_name("optional part of a request", name, OPTIONAL),
                    code="llm.invalid-setting",
                )
            made = made.lacking(name)
        return made

    def lacking(self, name: str) -> Dialect:
        """Return the dialect of a server that refused one of `OPTIONAL` as it was sent."""
        if name == "max_tokens":
            if self.limit == "max_tokens":
                return replace(self, limit="max_completion_tokens")
            return replace(self, limit="")
        if name == "tool_choice":
            return replace(self, tool_choice="auto" if self.tool_choice == "required" else "")
        if name == "stream":
            return replace(self, stream="never", stream_options=False)
        changed: dict[str, Any] = {name: False}
        return replace(self, **changed)

    def differences(self) -> dict[str, str]:
        """Return what is done another way than usual: the part of a request → what is done."""
        usual, own = asdict(Dialect()), asdict(self)
        changed = {name: value for name, value in own.items() if value != usual[name]}
        return {name: _DIFFERENCES[name][not one].format(one) for name, one in changed.items()}


_DIFFERENCES = {
    "limit": ("max_tokens is sent as {}", "max_tokens is not sent"),
    "most_tokens": ("at most {:,} reply tokens are requested", ""),
    "temperature": ("", "temperature is not sent"),
    "stream_options": ("", "stream_options is not sent"),
    "stream": ("replies are {} streamed", ""),
    "response_format": ("", "response_format is not sent; the schema is in the prompt"),
    "tools": ("", "tools are not sent; the functions are in the prompt"),
    "tool_choice": ("tool_choice is sent as {}", "tool_choice is not sent"),
    "system": ("", "the system prompt is sent in the user's first turn"),
    "turns": ("", "consecutive turns of one role are merged"),
    "closes_alone": ("its reasoning is closed and not opened", ""),
}
"""Field → what is said of a value that is not the usual one, and of none."""


class Memory:
    """What was found out about servers and their models; safe for threads."""

    def __init__(self, seconds: float = REMEMBERED_S) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._found: dict[tuple[str, str], tuple[float, Dialect]] = {}

    def dialect(self, url: str, model: str, usual: Dialect) -> Dialect:
        """Return what was found out; the usual dialect where nothing was."""
        with self._lock:
            since, found = self._found.get((url, model), (0.0, usual))
        return found if since and time.monotonic() - since < self._seconds else usual

    def learn(self, url: str, model: str, dialect: Dialect) -> None:
        """Remember a dialect that worked."""
        with self._lock:
            self._found[url, model] = time.monotonic(), dialect

    def forget(self) -> None:
        """Forget everything."""
        with self._lock:
            self._found.clear()


MEMORY = Memory()
"""That of this process: one adapter learns for all that ask the same model of the same server."""
