"""The rubric: four criteria from 1 to 4, and the prompt that asks for their grades."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template

from generation.llm.protocol import Message, Prompt, ReplySchema
from generation.llm.schemas import TEXT, strict_object
from generation.text.fence import Fence

CRITERIA = ("correct", "complete", "cited", "scope")
"""As `rubric.txt` describes them."""

GRADES = (1, 2, 3, 4)
GOOD = 3
"""An answer is good if it is at least so correct and so complete."""

REPLY_TOKENS = 400

_GRADE = {"type": "integer", "enum": list(GRADES)}
SCHEMA = ReplySchema("grades", strict_object(reason=TEXT, **dict.fromkeys(CRITERIA, _GRADE)))


@dataclass(frozen=True, slots=True)
class Grades:
    """What the judge gave to one answer."""

    correct: int
    complete: int
    cited: int
    scope: int
    reason: str = ""

    @property
    def is_good(self) -> bool:
        """Whether the answer may be relied on."""
        return min(self.correct, self.complete) >= GOOD


@dataclass(frozen=True, slots=True)
class Case:
    """An answer to be judged."""

    question: str
    reference: str
    """The official answer."""
    answer: str


def prompt_for(case: Case, examples: int, fence: Fence) -> Prompt:
    """Return the prompt that asks for the grades of an answer.

    Args:
        case: what is judged; none of its words can end the marks that it is between.
    """
    system = Template(shipped("rubric.txt")).substitute(code=fence.code)
    messages = [Message("system", system)]
    for one in _examples()[:examples]:
        shown = Case(one["question"], one["reference"], one["answer"])
        messages.append(Message("user", _shown(shown, fence)))
        grades = {"reason": one["reason"], **{name: one[name] for name in CRITERIA}}
        messages.append(Message("assistant", json.dumps(grades)))
    messages.append(Message("user", _shown(case, fence)))
    return Prompt(tuple(messages), REPLY_TOKENS, schema=SCHEMA)


def fingerprint() -> Sequence[str]:
    """Return the texts that decide what a judge is asked beside the case."""
    return shipped("rubric.txt"), shipped("examples.json")


def _shown(case: Case, fence: Fence) -> str:
    parts = {
        "question": case.question, "official answer": case.reference, "answer": case.answer,
    }  # fmt: skip
    return "\n".join(fence.cited(name, text) for name, text in parts.items())


@cache
def _examples() -> list[Mapping[str, str]]:
    found: list[Mapping[str, str]] = json.loads(shipped("examples.json"))
    return found


@cache
def shipped(name: str) -> str:
    """Return a text of this folder."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
