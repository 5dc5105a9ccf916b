"""The plan: notes first, then self-contained steps with the parts to read, checked."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from generation.delegate.desk import SENIOR, Desk
from generation.delegate.juniors import MOST_PARTS
from generation.delegate.legal_trace import Step
from generation.delegate.outline import outline, part_names
from generation.delegate.parts import MissingPart
from generation.llm.calls import Ask, Asked, Replied
from generation.llm.protocol import Message, ReplySchema, prompt_tokens_estimate
from generation.llm.schemas import TEXT, list_of, one_of, read_json, strict_object
from generation.text.sanitize import one_line
from search.errors import LLMError


def plan_schema(
    part: Mapping[str, Any] = TEXT, document: Mapping[str, Any] = TEXT, most: int | None = None
) -> ReplySchema:
    """Return the shape of a plan; a step may leave `document` empty where its parts say it."""
    step = strict_object(title=TEXT, task=TEXT, parts=list_of(part), document=document)
    return ReplySchema("plan", strict_object(steps=list_of(step, most)))


PLAN = plan_schema()
"""What is read of a plan, whatever names it has."""

MOST_NAMES = 100
"""Parts up to which a plan is asked for in their very names: small models name parts that there are
not, and servers take some hundred names in a shape. More would also cost too much of the context
where the server knows no shapes."""

MOST_PROBLEMS = 10
"""Problems of a plan that the planner gets at once."""
OUTLINE_SHARE = 0.8
"""Part of the prompt that the outline may fill."""

Planning = Generator[Asked, Replied, None]


def make_plan(desk: Desk) -> Planning:
    """Have notes and a plan written, and put them on the desk; the plan may stay empty.

    A plan without steps, or with parts that do not exist, is asked for once more; what does not
    exist then either is remarked.
    """
    room = desk.room(SENIOR)
    shown = desk.fence.material("structure", outline(desk.shelf, int(room * OUTLINE_SHARE)))
    question = desk.question()
    first = Message("user", desk.render("notes-user", outline=shown, question=question))
    talk = [desk.system("senior"), first]
    if prompt_tokens_estimate(desk.prompt(talk, SENIOR)) > room:
        raise LLMError(
            f"The model's context of {desk.request.limits_of(SENIOR).context} tokens "
            "is too small for the outline of these documents; name fewer documents, "
            "or use a model with a larger context."
        )
    notes = yield from desk.ask(Ask("notes", desk.prompt(talk, SENIOR), False, SENIOR))
    desk.notes = notes.text.strip()
    most = str(desk.request.settings.delegate.max_steps)
    talk += [Message("assistant", desk.notes), Message("user", desk.render("plan-user", most=most))]
    yield from _plan_twice(desk, talk)


def _plan_twice(desk: Desk, talk: list[Message]) -> Planning:
    kept: list[str] = []
    shape = _shape(desk)
    for purpose in ("plan", "plan again"):
        prompt = desk.prompt(talk, SENIOR, shape)
        reply = yield from desk.ask(Ask(purpose, prompt, False, SENIOR))
        steps, problems = _read(desk, reply.text)
        if reply.finish == "length" and not steps:
            problems = [("It was cut off; raise llm_max_tokens, or ask for less.")]
        if steps:
            desk.plan, kept = steps, problems
        if not problems:
            return
        shown = desk.fence.material("problems", "\n".join(f"- {one}" for one in problems))
        again = Message("user", desk.render("plan-again-user", problems=shown))
        talk = [*talk, Message("assistant", reply.text), again]
    if desk.plan:
        desk.remark(f"The plan was used although a part of it cannot be read. {' '.join(kept)}")
    else:
        desk.remark(f"The model made no usable plan: {problems[0]}")


def _shape(desk: Desk) -> ReplySchema:
    """Return the shape of a plan over the documents on the desk: no more steps than may be taken,
    and the names of the parts that there are.
    """
    names = part_names(desk.shelf)
    part, document = TEXT, TEXT
    if len(names) <= MOST_NAMES:
        part = one_of(names)
        document = one_of([*desk.shelf.finder.names.values(), ""])
    asked = plan_schema(part, document, desk.request.settings.delegate.max_steps)
    return replace(asked, taken=PLAN.schema)


def _read(desk: Desk, text: str) -> tuple[tuple[Step, ...], list[str]]:
    try:
        plan = read_json(text, PLAN.schema)
    except LLMError as error:
        return (), [str(error)]
    steps = tuple(_steps(plan["steps"]))
    most = desk.request.settings.delegate.max_steps
    if len(steps) > most:
        desk.remark(f"The plan had {len(steps)} steps; only the first {most} were kept.")
        steps = steps[:most]
    if not steps:
        return (), ["It has no steps."]
    return steps, list(_problems(desk, steps))[:MOST_PROBLEMS]


def _steps(found: Sequence[Mapping[str, Any]]) -> Iterator[Step]:
    for one in found:
        parts = tuple(filter(None, (one_line(part) for part in one["parts"][:MOST_PARTS])))
        task = one_line(one["task"])
        if task:
            title = one_line(one["title"]) or task[:60]
            yield Step(title, task, parts, one_line(one["document"]))


def _problems(desk: Desk, steps: Sequence[Step]) -> Iterator[str]:
    for number, step in enumerate(steps, start=1):
        if not step.parts:
            yield f"Step {number} names no part to read."
        for part in step.parts:
            for found in desk.shelf.finder.find(part, step.document):
                if isinstance(found, MissingPart):
                    yield f"Step {number}: {found.problem}"
