"""What the baselines share: a prompt without passages, and a draft that says what that means."""

from __future__ import annotations

from generation.llm.protocol import Completion, Message, Prompt
from generation.llm.tokens import prompt_tokens_estimate
from generation.mode import Draft, Request
from generation.prompts import render
from generation.prompts.passages import reply_tokens
from generation.records import AnswerWarning
from generation.replies.drafts import cleaned
from generation.replies.question_echo import without_echo
from generation.replies.trailing_refusal import without_closing
from generation.text.citations import check_citations
from generation.text.fence import Fence
from search.errors import LLMError


def baseline_prompt(mode: str, request: Request, fence: Fence, **values: str) -> Prompt:
    """Return the prompt of a mode that gives the model no passage; `values` fill its user part."""
    limits, texts = request.limits_of(""), request.settings.prompts
    system = render(f"{mode}-system", texts, code=fence.code)
    question = fence.question(request.question)
    user = render(f"{mode}-user", texts, question=question, **values)
    reply = reply_tokens(limits)
    return Prompt((Message("system", system), Message("user", user)), reply)


def check_size(prompt: Prompt, context: int) -> None:
    """Refuse a prompt that a context does not take, as an `LLMError`."""
    needed = prompt_tokens_estimate(prompt) + prompt.max_tokens
    if needed > context:
        raise LLMError(
            f"The model's context of {context} tokens is too small for this prompt "
            f"(about {needed} tokens with instructions and reply); use a model or "
            "server with a larger context, or shorten the question."
        )


def baseline_draft(completion: Completion, mode: str, fence: Fence, question: str) -> Draft:
    """Return the draft of an answer that rests on no passage, with the warning that says so.

    A reply that begins with the question goes without it.
    """
    text, warnings = cleaned(completion, fence.code)
    text, contradicted = without_closing(without_echo(text, question))
    message = (
        f"Mode {mode} gives the model no passages: the answer cites nothing and is "
        "not based on the index."
    )
    unmapped = [one for one in check_citations(text, ()) if one.kind == "unmapped"]
    return Draft(text, (), (*warnings, *contradicted, AnswerWarning("uncited", message), *unmapped))
