"""The language model as judge: it reads the statements whose words leave them in doubt."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from generation.context import reply_tokens
from generation.fence import Fence
from generation.llm import Message, Prompt, ReplySchema
from generation.mode import Ask, Replied, Request, completion_of
from generation.prompts import render
from generation.structured import read_json, strict_object
from generation.tokens import prompt_tokens_estimate
from generation.verify.judging import is_open, pair_of, settle
from generation.verify.shortening import shortened
from generation.verify.support import Checked
from search.errors import LLMError

NAME = "the language model"

MOST_AT_ONCE = 12
"""Statements in one call; the first of a longer list are judged, as many as fit the context."""

LONGEST_SOURCE = 2000
"""Characters of a passage's nearest words that are shown with a statement."""

LONGEST_REASON = 200
"""Characters of the model's reason that are kept."""

VERDICTS = ReplySchema(
    "verdicts",
    strict_object(
        verdicts={
            "type": "array",
            "items": strict_object(
                statement={"type": "integer"},
                supported={"type": "boolean"},
                reason={"type": "string"},
            ),
        }
    ),
)
"""The shape of what the judge says."""


def judge_by_llm(
    checked: Sequence[Checked], request: Request
) -> Generator[Ask, Replied, tuple[str, str]]:
    """Let the model decide on what is in doubt.

    Returns:
        What judged, empty if nothing did; and what went wrong, as a sentence, or nothing.
    """
    open_ = [one for one in checked if is_open(one, reads_meaning=True)]
    if not open_:
        return NAME, ""
    waiting = _fitting(open_[:MOST_AT_ONCE], request)
    if not waiting:
        return "", "The language model was to judge, and did not: no statement fits its context."
    try:
        reply = completion_of((yield Ask("verify", _prompt(waiting, request), final=False)))
        verdicts = read_json(reply.text, VERDICTS.schema)["verdicts"]
    except LLMError as error:
        return "", f"The language model was to judge, and did not: {error}"
    _take_in(waiting, verdicts)
    return NAME, ""


def _take_in(waiting: Sequence[Checked], verdicts: Sequence[Mapping[str, Any]]) -> None:
    """Take the first verdict on each statement; one without a verdict stays in doubt."""
    settled = set()
    for verdict in verdicts:
        number = verdict["statement"]
        if 1 <= number <= len(waiting) and number not in settled:
            settled.add(number)
            reason = shortened(" ".join(verdict["reason"].split()), LONGEST_REASON).rstrip(".")
            settle(waiting[number - 1], verdict["supported"], f"{NAME} says “{reason}”")


def _fitting(open_: Sequence[Checked], request: Request) -> list[Checked]:
    """Return the statements that one prompt takes, in their order."""
    kept: list[Checked] = []
    for one in open_:
        prompt = _prompt([*kept, one], request)
        if prompt_tokens_estimate(prompt) + prompt.max_tokens <= request.limits_of("").context:
            kept.append(one)
    return kept


def _prompt(waiting: Sequence[Checked], request: Request) -> Prompt:
    fence, texts = Fence(), request.settings.prompts
    pairs = []
    for number, one in enumerate(waiting, start=1):
        source, statement = pair_of(one)
        pairs.append(fence.cited(f"words for statement {number}", source[:LONGEST_SOURCE]))
        pairs.append(fence.cited(f"statement {number}", statement))
    system = render("verify-system", texts, code=fence.code)
    user = render("verify-user", texts, pairs="\n".join(pairs), count=str(len(waiting)))
    messages = (Message("system", system), Message("user", user))
    return Prompt(messages, reply_tokens(request.limits_of("")), schema=VERDICTS)
