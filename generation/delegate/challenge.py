"""The challenge: every conclusion is held once against the definitions that it rests on."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from generation.advisor.shares import CUT_MARK, cut_to
from generation.delegate.desk import CHALLENGER, Desk
from generation.delegate.juniors import shown_passages
from generation.delegate.legal_trace import Challenge, Finding
from generation.llm.calls import Ask, Asked, Replied
from generation.llm.protocol import (
    Completion,
    Message,
    Prompt,
    ReplySchema,
    estimate_tokens,
    prompt_tokens_estimate,
)
from generation.llm.schemas import TEXT, one_of, read_json, strict_object
from generation.text.citation_styles import unified
from generation.text.sanitize import printable
from search.errors import LLMError
from search.provisions.terms.definitions import Definition

CHALLENGE = ReplySchema(
    "challenge",
    strict_object(verdict=one_of(["holds", "fails", "open"]), reason=TEXT, corrected=TEXT),
)
"""The shape of a challenge."""

DEFINITIONS_SHARE = 0.45
"""Part of the prompt that definitions may fill. The conclusion has half of what is left, and the
grounds what it leaves."""


@dataclass(frozen=True, slots=True)
class _Conclusion:
    text: str
    grounds: str
    """What it is rested on."""
    purpose: str


def challenge_all(desk: Desk, answer: str) -> Generator[Asked, Replied, list[Challenge]]:
    """Challenge the conclusion of every finding and of the answer, all at once, each once.

    Return those that did not confirm their conclusion.

    Raises:
        LLMError: a limit is reached; a challenge that fails is not a failure of the answer.
    """
    done = [finding for finding in desk.findings if finding.is_done]
    conclusions = [
        _Conclusion(one.conclusion, _grounds(one), f"challenge of task {one.number}")
        for one in done
    ]
    together = "\n\n".join(f"Task {one.number}: {one.conclusion}" for one in done)
    conclusions.append(_Conclusion(answer, together, "challenge of the answer"))
    asks, definitions = [], []
    for one in conclusions:
        used = _definitions(desk, one.text)
        definitions.append(tuple(definition.term for definition in used))
        asks.append(_ask(desk, one, used))
    replies = yield from desk.ask_all(asks)
    made = [
        _challenge(one, reply, terms)
        for one, reply, terms in zip(conclusions, replies, definitions, strict=True)
    ]
    desk.challenges += made
    failed = sum(one.verdict == "not challenged" for one in made)
    if failed:
        desk.remark(f"{failed} of {len(made)} conclusions could not be challenged.")
    return [one for one in made if one.verdict in ("fails", "open")]


def challenges_text(desk: Desk, challenges: Sequence[Challenge]) -> str:
    """Return what did not pass, as the master reads it."""
    return "\n".join(
        desk.fence.cited(
            f"challenge {number}",
            f"Conclusion: {one.conclusion[:600]}\nIt {_VERDICTS[one.verdict]}: {one.reason}\n"
            + (f"Instead: {one.corrected}" if one.corrected else ""),
        )
        for number, one in enumerate(challenges, start=1)
    )


_VERDICTS = {"fails": "does not follow", "open": "is not decided"}


def _ask(desk: Desk, one: _Conclusion, definitions: Sequence[Definition]) -> Ask:
    passages = list(
        {definition.passage.id: definition.passage for definition in definitions}.values()
    )
    shown = shown_passages(desk, passages) or "(The conclusion uses no defined term.)"
    left = desk.room(CHALLENGER) - prompt_tokens_estimate(_prompt(desk, "", "", shown))
    conclusion = _cut(one.text, left // 2)
    grounds = _cut(one.grounds, left - estimate_tokens(conclusion))
    return Ask(one.purpose, _prompt(desk, conclusion, grounds, shown), False, CHALLENGER)


def _prompt(desk: Desk, conclusion: str, grounds: str, definitions: str) -> Prompt:
    user = desk.render(
        "challenge-user",
        conclusion=desk.fence.cited("conclusion", conclusion),
        grounds=desk.fence.cited("what it is rested on", grounds),
        definitions=definitions,
    )
    messages = [desk.system("challenge"), Message("user", user)]
    return desk.prompt(messages, CHALLENGER, CHALLENGE)


def _definitions(desk: Desk, text: str) -> list[Definition]:
    left = desk.room(CHALLENGER) * DEFINITIONS_SHARE
    found = []
    for definition in desk.shelf.definitions_for(text):
        left -= estimate_tokens(definition.passage.text)
        if left < 0:
            break
        found.append(definition)
    return found


def _challenge(one: _Conclusion, reply: Completion | LLMError, terms: tuple[str, ...]) -> Challenge:
    if isinstance(reply, LLMError):
        return Challenge(one.text, "not challenged", str(reply), "", terms)
    try:
        said = read_json(reply.text, CHALLENGE.schema)
    except LLMError as error:
        return Challenge(one.text, "not challenged", str(error), "", terms)
    reason, corrected = (unified(printable(said[name])) for name in ("reason", "corrected"))
    return Challenge(one.text, said["verdict"], reason.strip(), corrected.strip(), terms)


def _grounds(finding: Finding) -> str:
    quotes = [f"[{q.number}] “{q.words}”" for q in finding.quotes if q.is_exact]
    return "\n".join([f"Task: {finding.task}", finding.text, *quotes])


def _cut(text: str, tokens: int) -> str:
    """Return as many sentences of a text as fit; where not even the first one does, its beginning.

    No character counts as more than one token.
    """
    if estimate_tokens(text) <= tokens:
        return text
    return cut_to(text, tokens) or text[: max(tokens - len(CUT_MARK), 0)] + CUT_MARK
