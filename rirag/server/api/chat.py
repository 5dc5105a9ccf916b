"""OpenAI's form of a chat, so that other clients can ask: `/v1/models`, `/v1/chat/completions`."""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, get_args

from fastapi import APIRouter, Body
from fastapi.responses import Response

from rirag.server.api.calls import Call, responses, scoped
from rirag.server.asking import Asked, Heard, below
from rirag.server.problems import Problem, refusal, told
from rirag.server.schemas import ChatMessage, ChatRequest, ModelResponse, ModelsResponse
from rirag.server.streaming import Emit, WorkStream, data_only, unless_left
from rirag.server.strict import JsonResponse, StrictRoute, with_urls
from rirag.settings import Mode, Settings
from search.provisions.terms.asked import asked_meaning
from search.text.analyzer import content_words, words

if TYPE_CHECKING:
    from rirag.service import Service

router = APIRouter(prefix="/v1", route_class=StrictRoute, tags=["Chat"])

MODES: tuple[Mode, ...] = get_args(Mode)
NAME = "rirag"
OURS = ("answer_id", "question", "refused_by", "verification", "warnings", "notes")
"""What a completion has of an answer beside OpenAI's fields."""


@router.get("/models", responses=responses(200, ModelsResponse, "The models."))
async def models(call: Call = scoped("ask")) -> JsonResponse:
    """List the names that a chat can be asked of: `rirag`, and `rirag:MODE` for each mode."""
    return JsonResponse(
        {"object": "list", "data": [_model(name) for name in _names(call.state.settings)]}
    )


@router.get("/models/{name}", responses=responses(200, ModelResponse, "The model."))
async def model(name: str, call: Call = scoped("ask")) -> JsonResponse:
    """Return one of the names that a chat can be asked of."""
    names = _names(call.state.settings)
    if name not in names:
        raise _no_model(name, names)
    return JsonResponse(_model(name))


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": NAME}


_CHAT = responses(200, None, "A chat completion in the format of OpenAI.", "text/event-stream")
_CHAT[200]["content"]["application/json"] = {"schema": {"type": "object"}}


@router.post("/chat/completions", responses=_CHAT)
async def chat(body: Annotated[ChatRequest, Body()], call: Call = scoped("ask")) -> Response:
    """Answer the last turn of the user; a turn that is not a whole question joins those before.

    Other roles have no effect.
    """
    mode = _mode(body.model, call.state.settings)
    turns = _turns(body.messages)
    whole = await _last_whole(call, turns)
    asked = Asked(
        " ".join(turns[whole:]), mode, body.filters or {}, profile=body.profile,
        as_of=body.as_of, version=body.version,
    )  # fmt: skip
    call.take(asked.question, asked.profile)  # before a stream has begun
    opening = f"Understood as: “{asked.question}”\n\n" if turns[whole + 1 :] else ""
    if body.stream:
        return WorkStream(lambda emit: _streamed(call, asked, body, opening, emit))
    stored = await unless_left(call.request, call.answer(asked))
    return JsonResponse(_completion(with_urls(stored.body), body.model, opening))


def _names(settings: Settings) -> list[str]:
    """Return the names of models that this server can answer with."""
    has_llm = bool(settings.llm_url and settings.llm_model)
    return [NAME, *(f"{NAME}:{mode}" for mode in MODES if has_llm or mode == "extractive")]


def _mode(model: str, settings: Settings) -> Mode | None:
    name, _, mode = model.partition(":")
    if name != NAME or (mode and mode not in MODES):
        raise _no_model(model, _names(settings))
    return next((one for one in MODES if one == mode), None)


def _no_model(name: str, names: Sequence[str]) -> Problem:
    return refusal("chat.unknown-model", name=name, names=", ".join(names), field="model")


def _turns(messages: list[ChatMessage]) -> list[str]:
    """Return the texts of the user, the last of which is the question."""
    turns = [_text(one.content) for one in messages if one.role == "user"]
    if not turns or not turns[-1]:
        raise refusal("request.invalid/no-question", field="messages")
    return turns


def _text(content: str | list[dict[str, Any]] | None) -> str:
    if isinstance(content, list):
        texts = [one.get("text") for one in content if one.get("type") == "text"]
        return "\n".join(text for text in texts if isinstance(text, str))
    return content or ""


async def _last_whole(call: Call, turns: Sequence[str]) -> int:
    """Return the place of the last turn that can be understood without those before it."""
    place = len(turns) - 1
    while place and await call.read(partial(_leans, turns[place])):
        place -= 1
    return place


def _leans(turn: str, service: Service) -> bool:
    """Return whether a turn is not a whole question: “And to whom?”, “And if it cannot?”.

    One content word is one if it comes first, or if its meaning is asked for.
    """
    content = content_words(turn)
    if len(content) != 1 or words(turn)[0].startswith(content[0]):
        return not content
    return not asked_meaning(turn, service.index.pipeline.names).terms


def _completion(body: Mapping[str, Any], model: str, opening: str) -> dict[str, Any]:
    text = opening + body["Answer"] + below(body)
    message = {"role": "assistant", "content": text, "refusal": None}
    choice = {"index": 0, "message": message, "finish_reason": _finish(body), "logprobs": None}
    return {
        **_head(model, "chat.completion"),
        "choices": [choice],
        "usage": _usage(body),
        **_ours(body),
    }


def _head(model: str, kind: str) -> dict[str, Any]:
    made = f"chatcmpl-{uuid.uuid4().hex}"
    return {"id": made, "object": kind, "created": int(time.time()), "model": model}


def _finish(body: Mapping[str, Any]) -> str:
    """Return why the answer ended, as OpenAI calls it."""
    if not any(one["kind"] == "cut" for one in body["warnings"]):
        return "stop"
    ends = [(one["completion"] or {}).get("finish") for one in body["trace"]["calls"]]
    return "content_filter" if "filtered" in ends else "length"


def _ours(body: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "citations": body["citations"],
        "rirag": {name: body["Question" if name == "question" else name] for name in OURS},
    }


def _usage(body: Mapping[str, Any]) -> dict[str, int] | None:
    """Return the tokens of all calls; None if the model server did not report them."""
    trace = body.get("trace") or {}
    prompt, reply = trace.get("prompt_tokens") or 0, trace.get("completion_tokens") or 0
    if trace.get("calls") and not prompt:
        return None
    return {"prompt_tokens": prompt, "completion_tokens": reply, "total_tokens": prompt + reply}


async def _streamed(
    call: Call, asked: Asked, request: ChatRequest, opening: str, emit: Emit
) -> None:
    head = _head(request.model, "chat.completion.chunk")
    counted = request.stream_options is not None and bool(request.stream_options.include_usage)

    def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        emit(data_only({**head, "choices": [choice], **more}))

    chunk({"role": "assistant", "content": opening})
    try:
        stored = await call.answer(asked, Heard(on_text=lambda text: chunk({"content": text})))
    except Exception as error:
        problem = told(error, "stream failed", request_id=call.request_id)
        emit(data_only({"error": openai_error(problem)}))
        return
    answered = with_urls(stored.body)
    if remaining := below(answered):
        chunk({"content": remaining})
    chunk({}, _finish(answered), **_ours(answered))
    if counted:
        emit(data_only({**head, "choices": [], "usage": _usage(answered)}))
    emit(b"data: [DONE]\n\n")


def openai_error(problem: Problem) -> dict[str, str | None]:
    """Return a refusal as OpenAI's clients read it."""
    return {
        "message": problem.detail,
        "type": "invalid_request_error" if problem.status_code < 500 else "server_error",
        "param": problem.fields.get("field", problem.fields.get("errors", [{}])[0].get("field")),
        "code": "model_not_found" if problem.code == "chat.unknown-model" else problem.code,
    }
