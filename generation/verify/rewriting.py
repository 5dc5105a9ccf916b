"""Has the language model mend an answer: one round."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from generation.llm.calls import Ask, Asked, Replied, completion_of
from generation.llm.protocol import Message, Prompt
from generation.llm.tokens import prompt_tokens_estimate
from generation.mode import Draft, Request
from generation.prompts import render
from generation.prompts.passages import passage_name, reply_tokens
from generation.replies.drafts import cleaned
from generation.replies.trailing_refusal import without_closing
from generation.text.citations import citations_in
from generation.text.fence import Fence
from generation.verification import Verification
from search.errors import LLMError

MOST_MISSING = 10
"""Missing obligations that the model gets to see."""


def rewritten(
    draft: Draft, verification: Verification, request: Request
) -> Generator[Asked, Replied, tuple[Draft | None, str]]:
    """Ask for a repaired answer.

    Returns:
        The repaired draft, None if there is none; and why, as a sentence.
    """
    fence, limits = Fence(), request.limits_of("")
    prompt = _prompt(draft, verification, request, fence)
    if prompt_tokens_estimate(prompt) + prompt.max_tokens > limits.context:
        return None, "The answer was not rewritten: it does not fit the model's context again."
    try:
        reply = completion_of((yield Ask("rewrite", prompt, final=False)))
        text, warnings = cleaned(reply, fence.code)
        text, contradicted = without_closing(text)
        warnings += contradicted
    except LLMError as error:
        return None, f"The answer was not rewritten: {error}"
    citations = citations_in(text, {one.number: one.passage for one in draft.citations})
    if not citations:
        return None, "The answer was not rewritten: the new version cites nothing."
    told = tuple(warning for warning in draft.warnings if not warning.statement)
    return replace(draft, text=text, citations=citations, warnings=(*told, *warnings)), ""


def _prompt(draft: Draft, verification: Verification, request: Request, fence: Fence) -> Prompt:
    texts = request.settings.prompts
    passages = {one.number: one.passage for one in draft.citations}
    blocks = [
        fence.passage(number, passage_name(passage), passage.text)
        for number, passage in passages.items()
    ]
    system = render("rewrite-system", texts, code=fence.code)
    user = render(
        "rewrite-user",
        texts,
        passages="\n\n".join(blocks),
        question=fence.question(request.question),
        answer=fence.cited("answer", draft.text),
        problems=fence.cited("list", _problems(verification)),
    )
    messages = (Message("system", system), Message("user", user))
    return Prompt(messages, reply_tokens(request.limits_of("")))


def _problems(verification: Verification) -> str:
    lines = []
    for one in verification.doubtful:
        reasons = " ".join(finding.message for finding in one.findings)
        lines.append(f"- Not supported: {one.text} ({reasons})")
    for missing in verification.missing[:MOST_MISSING]:
        lines.append(f"- Missing, from passage {missing.number}: {missing.text}")
    return "\n".join(lines)
