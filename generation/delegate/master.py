"""The master: a conversation that delegates by function calls until it has an answer."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from generation.delegate.desk import JUNIOR, SENIOR, Desk
from generation.delegate.juniors import Assignment, assign, finding_of, report_text
from generation.delegate.legal_trace import Finding, Step
from generation.llm.calls import Ask, Asked, Replied
from generation.llm.json_in_prompt import calls_in
from generation.llm.protocol import (
    Completion,
    Message,
    Prompt,
    Tool,
    ToolCall,
    prompt_tokens_estimate,
)
from generation.llm.schemas import misfit
from generation.text.sanitize import one_line
from search.errors import LLMError

DELEGATE = Tool(**json.loads(Path(__file__).with_name("delegate.json").read_text("utf-8")))
"""The one function of the master; a junior has none, so nobody delegates to itself."""

_FINAL = re.compile(r"^[\s#*_>]*FINAL\s+ANSWER\b[\s*_:.—–-]*", re.IGNORECASE | re.MULTILINE)
_SHORTENED = "(shortened) "

Working = Generator[Asked, Replied, Completion]


def final_answer(text: str) -> str | None:
    """Return what comes after the line that says FINAL ANSWER, None where there is none."""
    marks = list(_FINAL.finditer(text))
    return text[marks[-1].end() :].strip() if marks else None


class Repetition(str):
    """The answer to a call for a task that was given before."""


@dataclass
class Master:
    """The conversation, and what was delegated in it."""

    desk: Desk
    talk: list[Message] = field(default_factory=list)
    _known: dict[tuple[str, tuple[str, ...], str], Finding] = field(default_factory=dict)
    """Task, parts and document → what was reported."""

    def work(self) -> Working:
        """Delegate until the master has an answer; return it, without the line before it."""
        self._begin()
        nudged, was_new = False, True
        for _ in range(self.desk.request.settings.delegate.max_rounds):
            done = yield from self._turn("master")
            if done.tool_calls:
                new = yield from self._carry_out(done)
                if not (new or was_new):
                    return (yield from self._conclude("The model only repeated earlier tasks."))
                was_new = new
                if not self._room():
                    return (yield from self._conclude("The maximum number of tasks was reached."))
                continue
            answer = final_answer(done.text)
            if answer is not None or nudged:
                return replace(done, text=answer or done.text)
            nudged = True
            self.talk += [
                Message("assistant", done.text),
                Message("user", self.desk.render("go-on-user")),
            ]
        return (yield from self._conclude("The maximum number of turns was reached."))

    def revise(self, answer: str, challenges: str) -> Working:
        """Have an answer written again where challenges rejected it."""
        user = self.desk.render("revise-user", challenges=challenges)
        self.talk += [Message("assistant", answer), Message("user", user)]
        return (yield from self._last_turn("revision"))

    def _begin(self) -> None:
        desk = self.desk
        steps = [
            f"{number}. {step.title}: {step.task}\n   Parts: {'; '.join(step.parts)}"
            + (f" ({step.document})" if step.document else "")
            for number, step in enumerate(desk.plan, start=1)
        ]
        names = desk.shelf.finder.names.values()
        user = desk.render(
            "master-user",
            question=desk.question(),
            plan=desk.fence.material("plan", "\n".join(steps)),
            documents=desk.fence.material("regulations", "\n".join(names)),
        )
        self.talk = [desk.system("master"), Message("user", user)]

    def _turn(self, purpose: str, may_delegate: bool = True) -> Working:
        prompt = self.desk.prompt(self._fitted(), SENIOR)
        if may_delegate:
            prompt = replace(prompt, tools=(DELEGATE,), tools_required=not self.desk.findings)
        return (yield from self.desk.ask(Ask(purpose, prompt, False, SENIOR)))

    def _last_turn(self, purpose: str) -> Working:
        """Have the answer written, with no task to be given any more."""
        done = yield from self._turn(purpose, may_delegate=False)
        if calls_in(done.text, (DELEGATE,)):
            raise LLMError("The model gave another task instead of writing the answer.")
        return replace(done, text=final_answer(done.text) or done.text)

    def _conclude(self, reason: str) -> Working:
        self.desk.remark(f"{reason} The answer is based on the findings up to then.")
        user = self.desk.render("conclude-user", reason=reason)
        self.talk.append(Message("user", user))
        return (yield from self._last_turn("conclusion"))

    def _carry_out(self, done: Completion) -> Generator[Asked, Replied, bool]:
        """Have all calls of one turn carried out, those that can at the same time.

        Return whether any of them was not a repetition.
        """
        answered = {message.tool_call_id for message in self.talk}
        done = replace(
            done,
            tool_calls=tuple(
                # Calls that were read out of a text are counted again in each turn.
                replace(call, id=f"{call.id}-{len(self.talk)}") if call.id in answered else call
                for call in done.tool_calls
            ),
        )
        self.talk.append(Message("assistant", done.text, done.tool_calls))
        room = self._room()
        prepared = [
            self._prepared(call, place < room) for place, call in enumerate(done.tool_calls)
        ]
        asks = [
            Ask(f"junior: {one.task.title}", one.prompt, False, JUNIOR)
            for one in prepared
            if isinstance(one, Assignment)
        ]
        replies = iter((yield from self.desk.ask_all(asks)) if asks else ())
        for call, one in zip(done.tool_calls, prepared, strict=True):
            if isinstance(one, Assignment):
                text = self._reported(one, next(replies))
            else:
                text = one if isinstance(one, str) else report_text(self.desk.keep(one))
            label = self.desk.fence.inside(f"report {one_line(call.id)[:40]}")
            shown = self.desk.fence.cited(label, text)
            self.talk.append(Message("tool", shown, tool_call_id=call.id))
        return not all(isinstance(one, Repetition) for one in prepared)

    def _prepared(self, call: ToolCall, has_room: bool) -> Assignment | Finding | str:
        """Return the assignment that a call asks for, a finding that says why it cannot be carried
        out, the task that it repeats, or what else the master is told instead.
        """
        if problem := _problem_of(call):
            return problem
        if not has_room:
            return "No more tasks can be given; write the answer."
        task = _task(call)
        if earlier := self._known.get((task.task, task.parts, task.document)):
            return Repetition(
                f"This was delegated already; it is task {earlier.number}. Give a task that is "
                "new, or write the answer."
            )
        assignment = assign(self.desk, task)
        if isinstance(assignment, str):
            return Finding(0, task.title, task.task, task.parts, task.document, problem=assignment)
        return assignment

    def _reported(self, assignment: Assignment, reply: Completion | LLMError) -> str:
        finding = self.desk.keep(finding_of(self.desk, assignment, reply))
        if finding.is_done:
            self._known[finding.task, finding.parts, finding.document] = finding
        else:
            self.desk.remark(f"The task “{finding.title}” has no report: {finding.problem}")
        return report_text(finding)

    def _room(self) -> int:
        return max(0, self.desk.request.settings.delegate.max_tasks - len(self.desk.findings))

    def _fitted(self) -> Sequence[Message]:
        """Return the conversation, its oldest reports shortened where it outgrows the context."""
        talk, room = list(self.talk), self.desk.room(SENIOR)
        for place, message in enumerate(talk):
            if prompt_tokens_estimate(Prompt(tuple(talk), 0, (DELEGATE,))) <= room:
                break
            if message.role == "tool":
                self.desk.remark("Reports were shortened to fit the model's context.")
                talk[place] = replace(message, content=_short(message.content))
        return talk


def _short(report: str) -> str:
    first, *_, last = report.splitlines()
    conclusion = next((s for s in report.splitlines() if s.startswith("Conclusion:")), "")
    return f"{first}\n{_SHORTENED}{conclusion}\n{last}"


def _problem_of(call: ToolCall) -> str:
    """Return what is wrong with a call, as the master can act on it; empty: nothing."""
    if call.name != DELEGATE.name:
        return f"Unknown function {one_line(call.name)[:60]!r}; the only one is 'delegate'."
    problem = call.problem or misfit(dict(call.arguments), DELEGATE.parameters, "the call")
    if problem:
        return f"The call cannot be carried out: {problem}. Make it again."
    return "" if _task(call).task else "The task is empty; say what to find out."


def _task(call: ToolCall) -> Step:
    given = call.arguments
    parts = tuple(filter(None, (one_line(part) for part in given["parts"])))
    task = one_line(given["task"])
    title = one_line(str(given.get("title") or "")) or task[:60]
    return Step(title, task, parts, one_line(str(given.get("document") or "")))
