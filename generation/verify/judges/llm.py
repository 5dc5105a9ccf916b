"""The language model as judge: it reads the statements whose words leave them in doubt."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from generation.llm.calls import Ask, Replied, completions_of
from generation.llm.protocol import Completion, Message, Prompt, ReplySchema
from generation.llm.schemas import read_json, strict_object
from generation.llm.tokens import prompt_tokens_estimate
from generation.mode import Request
from generation.prompts import render
from generation.prompts.passages import reply_tokens
from generation.text.fence import Fence
from generation.verify.checks.support import Checked
from generation.verify.judges.judging import is_open, pair_of, settle
from search.errors import LLMError
from search.text.shortening import shortened

NAME = "the language model"

MOST_JUDGED = 12
"""Statements of an answer that are judged, one call each; of a longer list, the first."""

NUMBER = 1
"""What the statement of a call is called in its prompt and in the verdict."""

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
) -> Generator[tuple[Ask, ...], Replied, tuple[str, str]]:
    """Let the model decide on what is in doubt, each statement in a call of its own.

    Small models that are given several at a time find supported what they would not alone.

    Returns:
        What judged, empty if nothing did; and what went wrong, as a sentence, or nothing.
    """
    open_ = [one for one in checked if is_open(one, reads_meaning=True)]
    if not open_:
        return NAME, ""
    waiting = [one for one in open_[:MOST_JUDGED] if _fits(one, request)]
    if not waiting:
        return "", "The language model did not judge: no statement fits its context."
    asks = tuple(Ask("verify", _prompt(one, request), final=False) for one in waiting)
    replies = completions_of((yield asks))
    problems = [_taken_in(one, reply) for one, reply in zip(waiting, replies, strict=True)]
    failed = [problem for problem in problems if problem]
    if len(failed) == len(waiting):
        return "", f"The language model did not judge: {failed[0]}"
    if failed:
        count = "1 statement" if len(failed) == 1 else f"{len(failed)} statements"
        return NAME, f"The language model did not judge {count}: {failed[0]}"
    return NAME, ""


def _taken_in(one: Checked, reply: Completion | LLMError) -> str:
    """Take in the verdict on a statement; return why it stays in doubt, as a sentence, or nothing.

    A reply of the right shape that says nothing of the statement leaves it in doubt without a word.
    """
    if isinstance(reply, LLMError):
        return str(reply)
    try:
        verdicts = read_json(reply.text, VERDICTS.schema)["verdicts"]
    except LLMError as error:
        return str(error)
    verdict = next((verdict for verdict in verdicts if verdict["statement"] == NUMBER), None)
    if verdict is not None:
        reason = shortened(" ".join(verdict["reason"].split()), LONGEST_REASON).rstrip(".")
        settle(one, verdict["supported"], f"{NAME} says “{reason}”")
    return ""


def _fits(one: Checked, request: Request) -> bool:
    prompt = _prompt(one, request)
    return prompt_tokens_estimate(prompt) + prompt.max_tokens <= request.limits_of("").context


def _prompt(one: Checked, request: Request) -> Prompt:
    fence, texts = Fence(), request.settings.prompts
    source, statement = pair_of(one)
    pairs = [
        fence.cited(f"words for statement {NUMBER}", source[:LONGEST_SOURCE]),
        fence.cited(f"statement {NUMBER}", statement),
    ]
    system = render("verify-system", texts, code=fence.code)
    user = render("verify-user", texts, pairs="\n".join(pairs), count="1")
    messages = (Message("system", system), Message("user", user))
    return Prompt(messages, reply_tokens(request.limits_of("")), schema=VERDICTS)
