"""The page of an answer, sent as it is written, and the pages of stored answers."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response
from markupsafe import Markup, escape

from rirag.server.api.ask import changed_sources, exported, unknown_answer
from rirag.server.api.calls import Call
from rirag.server.api.documents import reading
from rirag.server.api.feedback import kept
from rirag.server.asking import Asked, answer
from rirag.server.pages import forms
from rirag.server.pages.answer_view import view_of
from rirag.server.pages.render import html, page, query_address
from rirag.server.pages.visiting import visiting
from rirag.server.problems import Problem, told
from rirag.server.schemas import FeedbackRequest
from rirag.server.storage.answers import StoredAnswer
from rirag.server.storage.feedback import VERDICTS, Verdict
from rirag.server.streaming import Emit, WorkStream
from rirag.server.strict import JsonResponse
from search.errors import RiragError

router = APIRouter(include_in_schema=False)

AT_ONCE_S = 0.4
"""An answer that is there so soon is sent as a whole; else the page begins before it ends."""

SPLIT = Markup("<!--the answer-->")
KEEP_ALIVE = b"<!-- -->\n"


@router.get("/ask")
async def ask(request: Request, call: Call = visiting("ask")) -> Response:
    """Show the answer to a question; the same question again shows the same stored answer."""
    form = forms.asked(request)
    if not form.question.strip():
        return RedirectResponse("/", 303)
    if address := forms.tidied(request):
        return RedirectResponse(address, 303)
    if request.headers.get("sec-fetch-site") == "cross-site":
        # An answer is stored in the name of the reader, who must want it: the question waits.
        return RedirectResponse(f"/?{request.url.query}", 303)
    call.take(form.question)
    form = await reading(call, lambda service: forms.with_choices(form, service, call.state))
    helped = False if form.own_words else None
    asked = Asked(form.question, form.mode or None, form.filters, search_help=helped)
    written = _Written()
    work = asyncio.ensure_future(
        answer(
            call.state,
            call.caller,
            asked,
            reuse=True,
            on_text=written.take,
            request_id=call.request_id,
        )
    )
    try:
        await asyncio.wait([work], timeout=AT_ONCE_S)
        if work.done():
            return _whole(request, form, work.result())
    except BaseException:
        work.cancel()
        raise
    return WorkStream(
        lambda emit: _streamed(request, form, work, written, emit),
        "text/html; charset=utf-8",
        {"Content-Encoding": "identity"},  # a compressed page would not arrive piece by piece
        heartbeat=KEEP_ALIVE,
        on_close=work.cancel,
    )


class _Written:
    """The text of an answer as it comes, kept until somebody listens."""

    def __init__(self) -> None:
        self._held: list[str] = []
        self._emit: Emit | None = None

    def take(self, text: str) -> None:
        """Pass a piece on, or keep it."""
        if self._emit is None:
            self._held.append(text)
        else:
            self._emit(str(escape(text)).encode())

    def listen(self, emit: Emit) -> None:
        """Pass on what was kept, and from now on every piece."""
        self._emit = emit
        for text in self._held:
            self.take(text)


def _whole(request: Request, form: forms.Form, stored: StoredAnswer) -> Response:
    return page(request, "ask.html", form=form, view=view_of(stored), split="", failed="")


async def _streamed(
    request: Request,
    form: forms.Form,
    work: asyncio.Future[StoredAnswer],
    written: _Written,
    emit: Emit,
) -> None:
    """Send the page up to the answer, the text as it is written, and then the checked answer."""
    begun = html(request, "ask.html", form=form, view=None, split=SPLIT, failed="")
    head, _, _ = begun.partition(str(SPLIT))
    emit(head.encode() + b'<div class="draft" dir="auto" aria-hidden="true">')
    written.listen(emit)
    values: dict[str, Any] = {"view": None, "failed": ""}
    try:
        values["view"] = view_of(await work)
    except Exception as error:
        values["failed"] = told(error, "answer failed").detail
    whole = html(request, "ask.html", form=form, split=SPLIT, **values)
    _, _, tail = whole.partition(str(SPLIT))
    emit(b"</div>" + tail.encode())


@router.get("/a/{answer_id}")
async def stored_answer(
    request: Request,
    answer_id: str,
    format: str = "",  # noqa: A002 - the parameter
    call: Call = visiting("ask"),
) -> Response:
    """Show a stored answer, or give it as a file."""
    found = await asyncio.to_thread(call.state.answers.get, answer_id, call.caller.bound)
    if found is None:
        raise unknown_answer()
    try:
        changed = await asyncio.to_thread(changed_sources, call, found)
    except RiragError:
        changed = []  # the index is gone for now; the answer is still there to read
    if format:
        return await _file(found, format, changed)
    return page(
        request, "answer.html", view=view_of(found), verdicts=VERDICTS,
        changed={one["id"]: one for one in changed},
        again=query_address("/ask", found.question, found.body["filters"]),
        thanks="thanks" in request.query_params,
    )  # fmt: skip


async def _file(found: StoredAnswer, form: str, changed: list[dict[str, Any]]) -> Response:
    name = f"answer-{found.created[:10]}"
    if form == "json":
        headers = {"Content-Disposition": f'attachment; filename="{name}.json"'}
        return JsonResponse({**found.body, "changed": changed}, headers=headers)
    if form not in ("md", "docx"):
        raise Problem("request.invalid", "an answer can be exported as docx, md or json.")
    content, media_type = await asyncio.to_thread(exported, found, form, changed)
    headers = {"Content-Disposition": f'attachment; filename="{name}.{form}"'}
    return Response(content, 200, headers, media_type)


@router.post("/a/{answer_id}/feedback")
async def feedback(
    answer_id: str,
    verdict: Annotated[str, Form()],
    citation: Annotated[str, Form(max_length=20)] = "",
    comment: Annotated[str, Form(max_length=10_000)] = "",
    call: Call = visiting("ask"),
) -> Response:
    """Keep what a reader says of an answer."""
    known: Verdict | None = next((one for one in VERDICTS if one == verdict), None)
    if known is None:
        raise Problem("request.invalid", f"the verdict must be one of: {', '.join(VERDICTS)}.")
    body = FeedbackRequest(answer_id=answer_id, verdict=known, citation=citation, comment=comment)
    await kept(call, body)
    return RedirectResponse(f"/a/{answer_id}?thanks", 303)
