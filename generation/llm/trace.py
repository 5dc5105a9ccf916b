"""The trace of an answer: every call of a language model, with prompt, tokens, time and cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from generation.llm.protocol import Completion, Message, Prompt, ToolCall
from search.json_form import Record


class Report(Protocol):
    """What a mode reports on its work."""

    def to_json(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        ...

    def to_text(self) -> str:
        """Return it for a person."""
        ...


@dataclass(frozen=True, slots=True)
class Call:
    """One exchange with a language model."""

    purpose: str
    """Which step of the mode asked, such as `answer`."""
    prompt: Prompt
    completion: Completion | None
    """None: the call failed."""
    seconds: float
    error: str = ""
    """Why it failed."""
    role: str = ""
    """The role of the model; empty: the default one."""


@dataclass(frozen=True, slots=True)
class Trace(Record):
    """The calls behind an answer; contains no keys."""

    mode: str
    seconds: float
    """Wall time of the whole answer."""
    calls: tuple[Call, ...] = ()
    """In the order of their ends; calls made at the same time are in the order asked."""
    report: Report | None = None
    """What the mode reports besides its calls."""

    json_form = "mode seconds prompt_tokens completion_tokens cost calls report"

    @property
    def prompt_tokens(self) -> int:
        """The tokens of all prompts, as far as servers reported them."""
        return sum(done.prompt_tokens or 0 for done in self._completions())

    @property
    def completion_tokens(self) -> int:
        """The tokens of all replies, as far as servers reported them."""
        return sum(done.completion_tokens or 0 for done in self._completions())

    @property
    def cost(self) -> float | None:
        """The cost of all calls; None where the settings hold no prices."""
        costs = [done.cost for done in self._completions() if done.cost is not None]
        return sum(costs) if costs else None

    def to_text(self) -> str:
        """Return the trace for a person: a line per call, with its prompt below."""
        priced = "" if self.cost is None else f", cost {self.cost:.4f}"
        calls = "1 model call" if len(self.calls) == 1 else f"{len(self.calls)} model calls"
        head = f"mode {self.mode}: {calls}, {self.seconds:.2f} s{priced}"
        lines = [head]
        for number, call in enumerate(self.calls, start=1):
            lines += [_headline(number, call), *_conversation(call)]
        if self.report is not None:
            lines += ["", self.report.to_text()]
        return "\n".join(lines)

    def _completions(self) -> Iterator[Completion]:
        return (call.completion for call in self.calls if call.completion is not None)


def _headline(number: int, call: Call) -> str:
    done, asked = call.completion, f"{number}. {call.purpose}"
    asked += f" ({call.role})" if call.role else ""
    if done is None:
        return f"{asked}: failed after {call.seconds:.2f} s: {call.error}"
    cost = "" if done.cost is None else f", cost {done.cost:.4f}"
    return (
        f"{asked}: {done.model}, {_tokens(done.prompt_tokens)} tokens in, "
        f"{_tokens(done.completion_tokens)} out, {call.seconds:.2f} s{cost}, {done.finish}"
        f"{f' ({done.ended})' if done.ended else ''}"
    )


def _conversation(call: Call) -> Iterator[str]:
    for message in call.prompt.messages:
        yield from _said(message)
    if call.completion is not None:
        yield from (f"   reasoning> {line}" for line in call.completion.reasoning.splitlines())
        yield from (f"   reply> {line}" for line in call.completion.text.splitlines())
        yield from map(_called, call.completion.tool_calls)
        yield from (f"   note> {note}" for note in call.completion.notes)


def _said(message: Message) -> Iterator[str]:
    yield from (f"   {message.role}> {line}" for line in message.content.splitlines())
    yield from map(_called, message.tool_calls)


def _called(call: ToolCall) -> str:
    given = ", ".join(f"{name}={value!r}" for name, value in call.arguments.items())
    return f"   call> {call.name}({call.problem or given})"


def _tokens(count: int | None) -> str:
    return "?" if count is None else str(count)
