"""The trace of an answer: every call of a language model, with prompt, tokens and time."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from generation.llm import Completion, Prompt


@dataclass(frozen=True, slots=True)
class Call:
    """One exchange with a language model."""

    purpose: str
    """Which step of the mode asked, such as `answer`."""
    prompt: Prompt
    completion: Completion
    seconds: float


@dataclass(frozen=True, slots=True)
class Trace:
    """How an answer came about; holds no keys and no addresses."""

    mode: str
    seconds: float
    """Wall time of the whole answer."""
    calls: tuple[Call, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the trace as plain JSON values, to be stored with the answer."""
        return asdict(self)

    def to_text(self) -> str:
        """Return the trace for a person: a line per call, with its prompt below."""
        lines = [f"mode {self.mode}: {len(self.calls)} model calls, {self.seconds:.2f} s"]
        for number, call in enumerate(self.calls, start=1):
            done = call.completion
            lines.append(
                f"{number}. {call.purpose}: {done.model}, {_tokens(done.prompt_tokens)} tokens in, "
                f"{_tokens(done.completion_tokens)} out, {call.seconds:.2f} s, {done.finish}"
            )
            lines += [f"   {m.role}> {line}" for m in call.prompt.messages
                      for line in m.content.splitlines()]  # fmt: skip
            lines += [f"   reply> {line}" for line in done.text.splitlines()]
        return "\n".join(lines)


def _tokens(count: int | None) -> str:
    return "?" if count is None else str(count)
