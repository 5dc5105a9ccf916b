"""The language model as judge: it reads the statements whose words leave them in doubt."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace

from generation.llm.calls import Ask, Replied, completions_of
from generation.llm.protocol import Completion, Prompt, ReplySchema, prompt_tokens_estimate
from generation.llm.schemas import INTEGER, TEXT, list_of, read_json, strict_object
from generation.mode import Request
from generation.prompts.passages import prompt_of
from generation.text.fence import Fence
from generation.verify.checks.support import Checked
from generation.verify.judges.judging import is_open, pair_of, settle
from generation.verify.margins import JUDGES
from search.errors import LLMError
from search.text.shortening import shortened

NAME = "the language model"

_VERDICT = strict_object(statement=INTEGER, supported={"type": "boolean"}, reason=TEXT)
VERDICTS = ReplySchema("verdicts", strict_object(verdicts=list_of(_VERDICT)))
"""The shape of what the judge says."""


def judge_by_llm(
    checked: Sequence[Checked], request: Request
) -> Generator[tuple[Ask, ...], Replied, tuple[str, str]]:
    """Let the model decide on what is in doubt, each statement in a call of its own.

    Small models that are given several at a time find supported what they would not alone. Return
    what judged, empty if nothing did; and what went wrong, as a sentence.
    """
    open_ = [one for one in checked if is_open(one, reads_meaning=True)]
    if not open_:
        return NAME, ""
    waiting = [one for one in open_[: JUDGES.judged] if _fits(one, request)]
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
    verdict = next((verdict for verdict in verdicts if verdict["statement"] == 1), None)
    if verdict is not None:
        reason = shortened(" ".join(verdict["reason"].split()), JUDGES.reason).rstrip(".")
        settle(one, verdict["supported"], f"{NAME} says “{reason}”")
    return ""


def _fits(one: Checked, request: Request) -> bool:
    prompt = _prompt(one, request)
    return prompt_tokens_estimate(prompt) + prompt.max_tokens <= request.limits_of("").context


def _prompt(one: Checked, request: Request) -> Prompt:
    fence, texts = Fence(), request.settings.prompts
    source, statement = pair_of(one)
    pairs = [
        fence.cited("words for statement 1", source[: JUDGES.source]),
        fence.cited("statement 1", statement),
    ]
    limits = request.limits_of("")
    prompt = prompt_of("verify", fence, texts, limits, pairs="\n".join(pairs), count="1")
    return replace(prompt, schema=VERDICTS)
