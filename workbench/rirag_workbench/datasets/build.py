"""Building a data set: passages drawn, questions written, checked, and searched for."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from generation.llm.protocol import LLM, Prompt
from generation.llm.running import run
from generation.prompts import shipped
from rirag_workbench.datasets.checks import Duplicates, mechanical_problem
from rirag_workbench.datasets.records import Question, QuestionClass, SourcePassage
from rirag_workbench.datasets.writing import (
    Topics,
    choose_passages,
    groups_of,
    questions_in,
    questions_prompt,
)
from rirag_workbench.evaluation.cache import Cache, key_of
from rirag_workbench.refusals import unusable
from search.errors import EmptyReplyError
from search.models.classifiers import EntailmentModel
from search.records import Passage

FATES = (
    "empty reply", "too many", "malformed", "copied", "number", "given", "repeated",
    "contradicted", "not found again", "kept",
)  # fmt: skip
"""What can become of a line that a model wrote, in the order of the checks."""

PROMPTS: Mapping[QuestionClass, str] = {
    "single": "questions-user", "group": "questions-group-user",
    "near-miss": "questions-near-miss-user", "unanswerable": "questions-unanswerable-user",
}  # fmt: skip

Rank = Callable[[str, Sequence[str]], int | None]
"""Takes a question and `ID`s; returns the place of the first of them among the hits, or None."""


@dataclass(frozen=True, slots=True)
class Task:
    """Passages about which a model is asked."""

    kind: QuestionClass
    passages: tuple[Passage, ...]
    topic: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be built."""

    single: int
    """Passages to ask about one by one."""
    groups: int
    """Groups of passages that share a topic."""
    group_size: int
    near_misses: int
    """Passages to ask about past what they say."""
    unanswerable: int
    """Passages whose readers ask about another subject."""
    seed: int


@dataclass(slots=True)
class Funnel:
    """How many were left after each step."""

    tasks: Counter[str] = field(default_factory=Counter)
    fates: Counter[str] = field(default_factory=Counter)
    ranks: Counter[str] = field(default_factory=Counter)
    """How hard the kept ones are: where search finds the first relevant passage."""

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {
            "asked_about": dict(self.tasks),
            "lines_written": sum(self.fates.values()) - self.fates["empty reply"],
            "fates": {name: self.fates[name] for name in FATES},
            "kept": self.fates["kept"], "rank_of_first_relevant": dict(self.ranks),
        }  # fmt: skip


def tasks_of(passages: Sequence[Passage], plan: Plan, topics: Topics) -> list[Task]:
    """Draw what is asked about; equal plans draw the same."""
    usable = choose_passages(passages, len(passages), plan.seed)
    if not usable:
        raise unusable("dataset.invalid/no-passage")
    random = Random(plan.seed)  # noqa: S311 - a draw, not a secret
    tasks = [Task("single", (one,)) for one in usable[: plan.single]]
    drawn = groups_of(usable, topics, plan.group_size, plan.groups, random)
    tasks += [Task("group", group, topic) for topic, group in drawn]
    wanted: dict[QuestionClass, int] = {
        "near-miss": plan.near_misses, "unanswerable": plan.unanswerable,
    }  # fmt: skip
    for kind, count in wanted.items():
        tasks += [Task(kind, (one,)) for one in random.sample(usable, min(count, len(usable)))]
    return tasks


class Replies:
    """Replies of a model by model, prompt and passages: a file, so that work can be taken up."""

    def __init__(self, path: Path, model: str, prompts: Mapping[str, str] | None) -> None:
        """Read the file, if there is one."""
        self._model, self._prompts = model, prompts
        problem = "this file does not hold replies; choose another output."
        self._known = Cache(path, "reply", problem, "dataset.invalid")

    def to_all(
        self, tasks: Sequence[Task], llm: LLM, each: int, requests: int
    ) -> Iterator[tuple[Task, str]]:
        """Yield each task with its reply; the model is asked for what it did not say before."""
        context = run(llm.limits_async()).context
        with ThreadPoolExecutor(requests) as pool:
            pending = [pool.submit(self._to, task, llm, each, context) for task in tasks]
            try:
                for task, reply in zip(tasks, pending, strict=True):
                    yield task, reply.result()
            finally:
                pool.shutdown(cancel_futures=True)

    def _to(self, task: Task, llm: LLM, each: int, context: int) -> str:
        prompt = questions_prompt(task.passages, each, self._prompts, context, PROMPTS[task.kind])
        key = self._key(task, each)
        known: str | None = self._known.get(key)
        if known is None:
            known = _completed(llm, prompt)
            self._known.put(key, known)
        return known

    def prompts(self) -> list[str]:
        """Return the texts of all prompts."""
        return [self._prompt(name) for name in ("questions-system", *PROMPTS.values())]

    def _prompt(self, name: str) -> str:
        return (self._prompts or {}).get(name) or shipped(name).template

    def _key(self, task: Task, each: int) -> str:
        prompts = [self._prompt(name) for name in ("questions-system", PROMPTS[task.kind])]
        texts = [one.content_hash() for one in task.passages]
        return key_of(self._model, prompts, texts, each)


def _completed(llm: LLM, prompt: Prompt) -> str:
    try:
        return run(llm.complete_async(prompt)).text
    except EmptyReplyError:
        return ""


def written(task: Task, reply: str, each: int, funnel: Funnel) -> Iterator[Question]:
    """Yield the questions of a reply; those beyond the number asked for are counted and left."""
    lines = list(questions_in(reply))
    if not lines:
        funnel.fates["empty reply"] += 1
    funnel.fates["too many"] += max(0, len(lines) - each)
    key = hashlib.sha256("".join(one.id for one in task.passages).encode()).hexdigest()[:10]
    passages = tuple(map(SourcePassage.of, task.passages))
    for number, line in enumerate(lines[:each], 1):
        yield Question(f"{task.kind}-{key}-{number}", line, task.kind, passages, task.topic)


def kept(
    questions: Iterator[Question], duplicates: Duplicates, nli: EntailmentModel | None,
    rank: Rank, funnel: Funnel, best: int | None = None,
) -> Iterator[Question]:  # fmt: skip
    """Yield the questions that pass every check, with their difficulty.

    Args:
        nli: validates question and passages; None: that is left out.
        rank: finds passages again; the place is recorded.
        best: drop a question unless a relevant passage is among so many first hits, the round trip
            of Dai et al. (2023), "Promptagator", section 3.2; None: drop none.
    """
    for one in questions:
        fate = mechanical_problem(one) or duplicates.reason(one)
        validated: Question | None = one
        if fate is None and nli is not None and one.relevant:
            validated = supported(one, nli)
            fate = None if validated else "contradicted"
        if fate is None and validated is not None:
            ids = [passage.id for passage in validated.relevant]
            place = rank(one.question, ids) if ids else None
            if best and ids and (place is None or place > best):
                fate = "not found again"
            else:
                funnel.ranks[_difficulty(one, place)] += 1
                yield replace(validated, rank=place)
        funnel.fates[fate or "kept"] += 1


def supported(question: Question, nli: EntailmentModel) -> Question | None:
    """Return a question with the passages that NLI leaves it (RIRAG, section 3.2); None: none.

    An entailed question keeps its passage and a contradicted one loses it; where neutral is most
    likely, the passage stays if neutral is nearer to entailment than to contradiction.
    """
    pairs = [(one.text, question.question) for one in question.passages]
    left = tuple(
        one
        for one, (entailed, neutral, contradicted) in zip(
            question.passages, nli.probabilities(pairs).tolist(), strict=True
        )
        if _stays(entailed, neutral, contradicted)
    )
    return replace(question, passages=left) if left else None


def _stays(entailed: float, neutral: float, contradicted: float) -> bool:
    most = max(entailed, neutral, contradicted)
    if most == entailed:
        return True
    return most == neutral and abs(neutral - entailed) < abs(neutral - contradicted)


def _difficulty(question: Question, place: int | None) -> str:
    if not question.relevant:
        return question.kind.replace("-", " ")
    if place is None:
        return "not found"
    return "1" if place == 1 else "2 to 3" if place <= 3 else "4 to 10"
