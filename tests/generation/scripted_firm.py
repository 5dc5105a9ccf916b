"""A law firm of scripted models: each role answers from its own script."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from scripted_modes import ScriptedLLM

from generation.llm.protocol import Completion, Prompt, ToolCall
from search.errors import LLMError

Said = str | LLMError | Completion | Sequence[dict[str, Any]]
"""Text, a failure, or the arguments of calls to `delegate`."""


def step(parts: Sequence[str], task: str = "Find out.", title: str = "A step") -> dict[str, Any]:
    return {"title": title, "task": task, "parts": list(parts), "document": ""}


def report(conclusion: str, finding: str = "", quotes: Sequence[tuple[int, str]] = ()) -> str:
    quoted = [{"passage": number, "words": words} for number, words in quotes]
    return json.dumps(
        {"conclusion": conclusion, "finding": finding, "quotes": quoted, "missing": []}
    )


def verdict(said: str = "holds", reason: str = "", corrected: str = "") -> str:
    return json.dumps({"verdict": said, "reason": reason, "corrected": corrected})


def number_of(prompt: Prompt, name: str) -> int:
    """The number under which a prompt shows a passage."""
    found = re.search(rf"begin passage (\d+) \([^,)]*{re.escape(name)}[,)]", said_to(prompt))
    assert found, f"{name} is not in the prompt"
    return int(found[1])


def said_to(prompt: Prompt) -> str:
    return "\n".join(message.content for message in prompt.messages)


@dataclass
class Firm:
    """The scripts; the last of a list is repeated."""

    plans: Sequence[Any] = ([step(["Article 1"])],)
    """Steps of each plan, or the text or reply that the planner writes instead."""
    turns: Sequence[Said] = ([step(["Article 1"])], "FINAL ANSWER\nIt applies to services [1].")
    junior: Callable[[Prompt], Said] = lambda _: report("It applies.", "It applies [1].")
    challenger: Callable[[Prompt], Said] = lambda _: verdict()
    notes: Said = "What is a service?"
    revision: Said = "FINAL ANSWER\nRevised [1]."
    conclusion: Said = "FINAL ANSWER\nConcluded [1]."
    wait_s: float = 0.0
    context: int = 8192
    seen: dict[str, list[Prompt]] = field(default_factory=dict)
    """Role → the prompts it was given."""

    def llm(self) -> ScriptedLLM:
        return ScriptedLLM(self._reply, self.wait_s, self.context)

    def _reply(self, prompt: Prompt) -> str | LLMError | Completion:
        role = self._role(prompt)
        before = self.seen.setdefault(role, [])
        before.append(prompt)
        place = len(before) - 1
        if role == "junior":
            return _completion(self.junior(prompt))
        if role == "challenger":
            return _completion(self.challenger(prompt))
        if role == "plan":
            plan = self.plans[min(place, len(self.plans) - 1)]
            return plan if isinstance(plan, str | Completion) else json.dumps({"steps": plan})
        if role == "master":
            return _completion(self.turns[min(place, len(self.turns) - 1)])
        return _completion(
            {"notes": self.notes, "revision": self.revision, "conclusion": self.conclusion}[role]
        )

    @staticmethod
    def _role(prompt: Prompt) -> str:
        if prompt.schema:
            return {"finding": "junior", "challenge": "challenger", "plan": "plan"}[
                prompt.schema.name
            ]
        if prompt.tools:
            return "master"
        last = prompt.messages[-1].content
        if "were challenged" in last:
            return "revision"
        return "conclusion" if "Delegate nothing more" in last else "notes"


def _completion(said: Said) -> str | LLMError | Completion:
    if isinstance(said, str | LLMError | Completion):
        return said
    calls = [ToolCall(f"c{n}", "delegate", one) for n, one in enumerate(said, start=1)]
    return Completion("", "scripted", "stop", 10, 5, tuple(calls))
