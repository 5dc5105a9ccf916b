"""The page of an answer, sent as it is written, and the pages of stored answers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response
from markupsafe import Markup, escape

from generation.render import law_day
from rirag.reports.sheets.sources import Source, sources_of
from rirag.server.addresses import DAY
from rirag.server.api.ask import Format, answer_of, changed_sources, in_format
from rirag.server.api.calls import Call, keep_day, visiting
from rirag.server.api.feedback import kept
from rirag.server.asking import Asked, Heard
from rirag.server.pages import forms
from rirag.server.pages.render import html, page, query_address
from rirag.server.pages.text import Block, ShownVerdict, answer_blocks
from rirag.server.problems import told
from rirag.server.schemas import FeedbackRequest
from rirag.server.storage.answers import VERDICTS, StoredAnswer, Verdict
from rirag.server.streaming import Emit, WorkStream
from rirag.server.strings import WORDS
from search.errors import RiragError
from search.law_in_time import NAMED, today

router = APIRouter(include_in_schema=False)

AT_ONCE_S = 0.4
"""An answer that is there so soon is sent as a whole; else the page begins before it ends."""

SPLIT = Markup("<!--the answer-->")
KEEP_ALIVE = b"<!-- -->\n"

BY_MODEL = ("model", "verifier", "failure")
"""What refuses in words of its own; other refusals say why in their first paragraph, and the rest
of their text names the nearest passages."""


@router.get("/ask")
async def ask(request: Request, call: Call = visiting("ask")) -> Response:
    """Show the answer to a question; the same question again shows the same stored answer."""
    form = forms.to_search(request)
    if request.headers.get("sec-fetch-site") == "cross-site":
        # An answer is stored in the name of the reader, who must want it: the question waits.
        return RedirectResponse(f"/?{request.url.query}", 303)
    call.take(form.question)
    form = await call.read(lambda service: forms.with_choices(form, service, call.state))
    helped = False if form.own_words else None
    day = DAY.get()
    asked = Asked(
        form.question,
        form.mode or None,
        form.filters,
        search_help=helped,
        as_of=day.get("as_of", ""),
        version=day.get("version", ""),
    )
    begun = html(request, "ask.html", form=form, view=None, split=SPLIT, failed="")
    heard = Heard(on_text=lambda text: stream.emit(str(escape(text)).encode()))
    work = asyncio.ensure_future(call.answer(asked, heard, reuse=True))
    stream = WorkStream(
        lambda emit: _finished(request, form, work, emit),
        "text/html; charset=utf-8",
        {"Content-Encoding": "identity"},  # a compressed page would not arrive piece by piece
        heartbeat=KEEP_ALIVE,
        on_close=work.cancel,
    )
    stream.emit(begun.partition(SPLIT)[0].encode())
    stream.emit(b'<div class="draft" dir="auto" aria-hidden="true">')
    try:
        await asyncio.wait([work], timeout=AT_ONCE_S)
        if work.done():
            view = view_of(work.result())
            return page(request, "ask.html", form=form, view=view, split="", failed="")
    except BaseException:
        work.cancel()
        raise
    return stream


async def _finished(
    request: Request, form: forms.Form, work: asyncio.Future[StoredAnswer], emit: Emit
) -> None:
    """Send the checked answer after the text as it was written, and the rest of the page."""
    values: dict[str, Any] = {"view": None, "failed": ""}
    try:
        values["view"] = view_of(await work)
    except Exception as error:
        values["failed"] = told(error, "answer failed").detail
    whole = html(request, "ask.html", form=form, split=SPLIT, **values)
    emit(b"</div>" + whole.partition(SPLIT)[2].encode())


@router.get("/a/{answer_id}")
async def stored_answer(
    request: Request,
    answer_id: str,
    format: Annotated[Format | Literal[""], Query()] = "",  # noqa: A002 - the parameter
    call: Call = visiting("ask"),
) -> Response:
    """Show a stored answer, or give it as a file."""
    found = await answer_of(call, answer_id)
    again = query_address("/ask", found.question, found.body["filters"])
    day = found.body.get("as_of", "")
    if day != today() and any(one.get("version_id") for one in found.body["citations"]):
        keep_day(**{"version" if day.startswith(NAMED) else "as_of": day.removeprefix(NAMED)})
        if not found.created.startswith(day):  # it was asked for a day, and not for today
            again = query_address("/ask", found.question, found.body["filters"])
    try:
        changed = await asyncio.to_thread(changed_sources, call, found)
    except RiragError:
        changed = []  # the index is gone for now; the answer is still there to read
    if format:
        return await in_format(found, format, changed, saved=True)
    return page(
        request, "answer.html", view=view_of(found), verdicts=VERDICTS,
        changed={one["id"]: one for one in changed},
        again=again,
        thanks="thanks" in request.query_params,
    )  # fmt: skip


@router.post("/a/{answer_id}/feedback")
async def feedback(
    answer_id: str,
    verdict: Annotated[Verdict, Form()],
    citation: Annotated[str, Form(max_length=20)] = "",
    comment: Annotated[str, Form(max_length=10_000)] = "",
    call: Call = visiting("ask"),
) -> Response:
    """Keep what a reader says of an answer."""
    body = FeedbackRequest(answer_id=answer_id, verdict=verdict, citation=citation, comment=comment)
    await kept(call, body)
    return RedirectResponse(f"/a/{answer_id}?thanks", 303)


@dataclass(frozen=True, slots=True)
class AnswerView:
    """What is shown of an answer besides its JSON form."""

    answer: StoredAnswer
    blocks: list[Block]
    """Of its text."""
    sources: tuple[Source, ...]
    is_unsure: bool
    is_careful: bool
    """Whether provisions differ, or one is not in force."""
    checked: str

    @property
    def body(self) -> Mapping[str, Any]:
        """The JSON form of the answer."""
        return self.answer.body

    @property
    def law_day(self) -> str:
        """The day of an answer that cites documents with versions."""
        return law_day(self.body)


def view_of(answer: StoredAnswer) -> AnswerView:
    """Return an answer as the page shows it."""
    body = answer.body
    sources = sources_of(body, answer.passages)
    text, verification = str(body["Answer"]), body.get("verification") or {}
    says_why_first = body["insufficient_evidence"] and body["refused_by"] not in BY_MODEL
    kinds = {one["kind"] for one in body["warnings"]}
    is_careful = not kinds.isdisjoint(("differing", "not-in-force"))
    is_unsure, is_quoted = body.get("state") == "unsure", body["mode"] == "extractive"
    has_signs = not (is_unsure or "not-in-force" in kinds)
    verdicts = _verdicts(text, verification, "quoted" if is_quoted else "supported")
    return AnswerView(
        answer,
        blocks=answer_blocks(
            text.partition("\n\n")[0] if says_why_first else text,
            frozenset(source.number for source in sources),
            [one for one in verdicts if one.verdict != "supported" or has_signs],
        ),
        sources=tuple(sources),
        is_unsure=is_unsure,
        is_careful=is_careful,
        checked=_checked(verification, is_unsure, "quoted" if is_quoted else "checked"),
    )


def _verdicts(text: str, verification: Mapping[str, Any], supported: str) -> Iterator[ShownVerdict]:
    """Yield where the statements of an answer end, and the verdict on each."""
    at = 0
    for one in verification.get("statements", ()):
        words = map(re.escape, str(one["text"]).split())
        if match := re.search(r"\s+".join(words), text[at:]):
            at += match.end()
            verdict = str(one["verdict"])
            name = WORDS(f"verdict.{supported if verdict == 'supported' else verdict}")
            yield ShownVerdict(at, verdict, name, tuple(map(str, one["reasons"])))


def _checked(verification: Mapping[str, Any], is_unsure: bool, how: str) -> str:
    statements = verification.get("statements", ())
    if is_unsure or not statements:
        return WORDS("ask.unsure" if is_unsure else "ask.unchecked")
    supported = sum(one["verdict"] == "supported" for one in statements)
    return WORDS(f"ask.{how}", supported=supported, total=len(statements))
