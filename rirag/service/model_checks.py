"""Whether the language models of the settings answer, and what their servers turn out to want."""

from __future__ import annotations

import time
from collections.abc import Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from rirag.findings import Finding
from search.errors import InputError, LLMError
from search.messages.refusals import LEAST_ALIKE

if TYPE_CHECKING:
    from generation import OpenAILLM
    from generation.llm.protocol import Completion
    from rirag.settings import Settings

LONGEST_WAIT_S = 60.0
"""For one reply."""
LIST_WAIT_S = 10.0
"""For the list of models."""
MOST_NAMES = 8
"""Models of a server's list that are named."""

_PASSAGE = "A firm must keep its records for six years."
_SYSTEM = "Answer from the passage in one sentence. Cite it as [1] at the end of the sentence."
_QUESTION = f"Passage [1]: {_PASSAGE}\n\nQuestion: For how long must a firm keep its records?"
_SHAPED = "Does this sentence contain a duty? “{}” Reply in JSON."


def check_models(settings: Settings) -> list[Finding]:
    """Ask each language model of the settings one real question, and one in a JSON shape."""
    from rirag.service.language_models import language_models

    if not (settings.llm_url or settings.llm_model):
        return [Finding("language model", True, "none")]
    waits = min(settings.llm_timeout_s, LONGEST_WAIT_S)
    hurried = {"llm_timeout_s": waits, "llm_reply_timeout_s": waits}
    try:
        models = language_models(settings.model_copy(update=hurried))
    except InputError as error:
        return [Finding("language model", False, str(error))]
    seen: set[tuple[str, str]] = set()
    found: list[Finding] = []
    for role, model in models.items():
        at = model.settings.url, model.settings.model  # type: ignore[attr-defined]
        if at not in seen:
            seen.add(at)
            found += _check(f"language model {role}".strip(), model)  # type: ignore[arg-type]
    return found


def _check(what: str, model: OpenAILLM) -> Iterator[Finding]:
    settings = model.settings
    at = f"{settings.model} at {settings.public_url()}"
    try:
        listed = _in(LIST_WAIT_S, model).listed()
    except LLMError as error:
        yield Finding(what, False, str(error))
        return
    if listed.lacks(settings.model):
        named = ", ".join(listed.names[:MOST_NAMES])
        more = ", …" if len(listed.names) > MOST_NAMES else ""
        near = get_close_matches(settings.model, listed.names, n=1, cutoff=LEAST_ALIKE)
        meant = f"did you mean {near[0]}? " if near else ""
        detail = f"{at}: the server lists no model of this name, but {named}{more}"
        yield Finding(what, False, detail, f"{meant}set RIRAG_LLM_MODEL to one that it lists")
        return
    started = time.perf_counter()
    try:
        reply = _ask(model)
    except LLMError as error:
        yield Finding(what, False, str(error), _instead(model, error))
        return
    seconds = time.perf_counter() - started
    yield Finding(what, reply.finish == "stop", f"{at} answers in {seconds:.1f} s{_ending(reply)}")
    yield _context(what, model, listed.context)
    if reply.reasoning:
        count = len(reply.reasoning.split())
        yield Finding(
            what,
            True,
            (
                f"reasons before it answers ({count:,} words here); rirag removes the "
                f"reasoning, which counts towards the {settings.max_tokens:,} reply tokens"
            ),
        )
    yield Finding(what, True, _cites(reply))
    yield _shape(what, model)
    if findings := model.findings():
        yield Finding(what, True, f"adapted to this server: {'; '.join(findings)}")


def _ask(model: OpenAILLM) -> Completion:
    """Ask one question as answers are asked: streamed, with a system text."""
    from generation.llm.protocol import Message, Prompt

    messages = Message("system", _SYSTEM), Message("user", _QUESTION)
    return model.complete(Prompt(messages, model.settings.max_tokens), lambda _: None)


def _ending(reply: Completion) -> str:
    if reply.finish == "stop":
        return ""
    return f", but the reply was cut off ({reply.ended or reply.finish}): raise llm_max_tokens"


def _context(what: str, model: OpenAILLM, told: int | None) -> Finding:
    settings = model.settings
    if settings.context_tokens:
        return Finding(what, True, f"context {settings.context_tokens:,} tokens, from the settings")
    if told:
        return Finding(what, True, f"context {told:,} tokens, from the server")
    return Finding(
        what,
        True,
        (f"context {model.limits().context:,} tokens is assumed: the server does not report it"),
        "set RIRAG_LLM_CONTEXT_TOKENS to the actual size",
    )


def _cites(reply: Completion) -> str:
    from generation.text.citation_styles import cited_numbers, unified

    usage = "counts tokens" if reply.completion_tokens is not None else "does not count tokens"
    cites = (
        "cites as requested" if cited_numbers(unified(reply.text)) == [1] else "cites nothing here"
    )
    return f"{cites}; {usage}"


def _shape(what: str, model: OpenAILLM) -> Finding:
    """Ask for JSON, as judges and plans do."""
    from generation.llm.protocol import Message, Prompt, ReplySchema
    from generation.llm.schemas import read_json, strict_object

    schema = ReplySchema("duty", strict_object(duty={"type": "boolean"}))
    messages = (Message("user", _SHAPED.format(_PASSAGE)),)
    try:
        reply = model.complete(Prompt(messages, model.settings.max_tokens, schema=schema))
        read_json(reply.text, schema.schema)
    except LLMError as error:
        return Finding(
            what,
            True,
            f"gives no JSON when asked for it ({error})",
            "the modes multi-step and delegate, and --judge llm, need another model",
        )
    return Finding(what, True, "gives JSON in the requested format")


def _instead(model: OpenAILLM, error: LLMError) -> str:
    """Return what to do about a model that does not answer: another URL that does, if there is."""
    from generation import OpenAILLM

    url = model.settings.url
    if error.code not in ("llm.wrong-url", "llm.no-api") or url.endswith("/v1"):
        return ""
    there: dict[str, Any] = {"url": f"{url.rstrip('/')}/v1", "timeout_s": LIST_WAIT_S, "retries": 0}
    try:
        found = OpenAILLM(model.settings.model_copy(update=there)).listed()
    except LLMError:
        return ""
    shown = model.settings.public_url()
    return f"a server answers at {shown}/v1: set RIRAG_LLM_URL to that" if found.names else ""


def _in(seconds: float, model: OpenAILLM) -> OpenAILLM:
    from generation import OpenAILLM

    waits = min(seconds, model.settings.timeout_s)
    changed = {"timeout_s": waits, "reply_timeout_s": waits}
    return OpenAILLM(model.settings.model_copy(update=changed))
