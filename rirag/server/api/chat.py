"""OpenAI's form of a chat, so that other clients can ask: `/v1/models`, `/v1/chat/completions`."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, get_args

from fastapi import APIRouter, Body
from fastapi.responses import Response

from rirag.server.api.calls import Call, responses, scoped
from rirag.server.asking import Asked, answer
from rirag.server.problems import Problem, told
from rirag.server.schemas import ChatMessage, ChatRequest, ModelResponse, ModelsResponse
from rirag.server.streaming import Emit, WorkStream, data_only, unless_left
from rirag.server.strict import JsonResponse, StrictRoute
from rirag.settings import Mode, Settings
from search.records import cited_as

router = APIRouter(prefix="/v1", route_class=StrictRoute, tags=["OpenAI's form"])

MODES: tuple[Mode, ...] = get_args(Mode)
NAME = "rirag"


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
        raise Problem("request.not-found", _no_model(name, names))
    return JsonResponse(_model(name))


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": NAME}


_CHAT = responses(200, None, "A chat completion in the format of OpenAI.", "application/json")
_CHAT[200]["content"] = {
    "application/json": {"schema": {"type": "object"}},
    "text/event-stream": {},
}


@router.post("/chat/completions", responses=_CHAT)
async def chat(body: Annotated[ChatRequest, Body()], call: Call = scoped("ask")) -> Response:
    """Answer the last turn of the user; earlier turns and other roles are left aside."""
    asked = Asked(_question(body.messages), _mode(body.model, call.state.settings))
    call.take(asked.question)  # before a stream has begun
    if body.stream:
        return WorkStream(lambda emit: _streamed(call, asked, body, emit))
    stored = await unless_left(
        call.request, answer(call.state, call.caller, asked, request_id=call.request_id)
    )
    return JsonResponse(_completion(stored.body, body.model))


def _names(settings: Settings) -> list[str]:
    """Return the names of models that this server can answer with."""
    has_llm = bool(settings.llm_url and settings.llm_model)
    return [NAME, *(f"{NAME}:{mode}" for mode in MODES if has_llm or mode == "extractive")]


def _mode(model: str, settings: Settings) -> Mode | None:
    name, _, mode = model.partition(":")
    if name != NAME or (mode and mode not in MODES):
        raise Problem("request.invalid", _no_model(model, _names(settings)), field="model")
    return next((one for one in MODES if one == mode), None)


def _no_model(name: str, names: Sequence[str]) -> str:
    return f"no model is named {name!r}; choose from: {', '.join(names)}."


def _question(messages: list[ChatMessage]) -> str:
    last = next((one for one in reversed(messages) if one.role == "user"), None)
    content = "" if last is None else last.content
    if isinstance(content, list):
        texts = [one.get("text") for one in content if one.get("type") == "text"]
        content = "\n".join(text for text in texts if isinstance(text, str))
    if not content:
        raise Problem(
            "request.invalid", "no message with the role 'user' has text.", field="messages"
        )
    return content


def _completion(body: Mapping[str, Any], model: str) -> dict[str, Any]:
    usage = _usage(body)
    message = {"role": "assistant", "content": body["Answer"] + _sources(body), "refusal": None}
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    return {
        **_head(body, model, "chat.completion"),
        "choices": [choice],
        "usage": usage,
        **_ours(body),
    }


def _head(body: Mapping[str, Any] | None, model: str, kind: str) -> dict[str, Any]:
    created = datetime.fromisoformat(body["created"]).timestamp() if body else time.time()
    made = f"chatcmpl-{body['answer_id']}" if body else "chatcmpl-rirag"
    return {"id": made, "object": kind, "created": int(created), "model": model}


def _ours(body: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "citations": body["citations"],
        "rirag": {
            "answer_id": body["answer_id"],
            "refused_by": body["refused_by"],
            "verification": body["verification"],
            "warnings": body["warnings"],
            "notes": body["notes"],
        },
    }


def _sources(body: Mapping[str, Any]) -> str:
    """Return the numbered list of what the answer cites; empty for one that cites nothing."""
    named = {
        one["marker"]: ", ".join(
            [cited_as(one["document_title"], one["passage_id"]), *one["breadcrumb"]]
        )
        for one in body["citations"]
    }
    lines = [f"{marker} {source}" for marker, source in named.items()]
    return "\n\nSources:\n" + "\n".join(lines) if lines else ""


def _usage(body: Mapping[str, Any]) -> dict[str, int]:
    trace = body.get("trace") or {}
    prompt, reply = trace.get("prompt_tokens") or 0, trace.get("completion_tokens") or 0
    return {"prompt_tokens": prompt, "completion_tokens": reply, "total_tokens": prompt + reply}


async def _streamed(call: Call, asked: Asked, request: ChatRequest, emit: Emit) -> None:
    head = _head(None, request.model, "chat.completion.chunk")
    counted = request.stream_options is not None and bool(request.stream_options.include_usage)

    def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        emit(data_only({**head, "choices": [choice], **more}))

    chunk({"role": "assistant", "content": ""})
    try:
        stored = await answer(
            call.state, call.caller, asked,
            on_text=lambda text: chunk({"content": text}), request_id=call.request_id,
        )  # fmt: skip
    except Exception as error:
        problem = told(error, "stream failed", request_id=call.request_id)
        emit(data_only({"error": openai_error(problem)}))
        return
    sources = _sources(stored.body)
    if sources:
        chunk({"content": sources})
    chunk({}, "stop", **_ours(stored.body))
    if counted:
        emit(data_only({**head, "choices": [], "usage": _usage(stored.body)}))
    emit(b"data: [DONE]\n\n")


def openai_error(problem: Problem) -> dict[str, str]:
    """Return a refusal as OpenAI's clients read it."""
    return {"message": problem.detail, "type": "rirag", "code": problem.code}
