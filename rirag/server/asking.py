"""Answer a question for whoever asks: API, page, assistant. Bounded, stored and audited."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from generation.render import remarks, sources_text
from rirag.server.access.caller import Caller
from rirag.server.problems import Problem
from rirag.server.state import ServerState
from rirag.server.storage.answers import StoredAnswer
from search.json_form import PLACE, to_json

if TYPE_CHECKING:
    from generation import Answer
    from rirag.service import Query, Service
    from search import SearchResult

OnSearch = Callable[["SearchResult"], object]
OnText = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with all that decides about its answer."""

    question: str
    mode: str | None = None
    filters: Mapping[str, Sequence[str]] = field(default_factory=dict)
    profile: str | None = None
    background: str = ""
    topic: str = ""
    search_help: bool | None = None
    """Whether a language model is asked for other words; None: as the settings say."""

    def query(self, k: int | None = None) -> Query:
        """Return what the service is asked."""
        from rirag.service import Query

        return Query(
            self.question, k=k, filters=self.filters, profile=self.profile,
            search_help=self.search_help,
        )  # fmt: skip


def below(body: Mapping[str, Any]) -> str:
    """Return what follows the text of an answer where only text is shown."""
    return "".join(f"\n\n{part}" for part in (*remarks(body), sources_text(body)) if part)


def check_question(state: ServerState, question: str, profile: str | None = None) -> None:
    """Refuse a question that is too long, and a profile that is none of the known ones.

    The library takes a file of a profile as well; a client must not name files of the server.

    Raises:
        Problem: it is.
    """
    check_length(question, state.options.limits.question_words)
    if profile is not None:
        from search.ranking.profile_file import PROFILES_FILE, read_profiles

        known = tuple(read_profiles(PROFILES_FILE))
        if profile not in known:
            raise Problem(
                "profile.unknown",
                f"no profile is named {profile[:80]!r}; choose from: {', '.join(known)}.",
            )


def check_length(question: str, most: int) -> None:
    """Refuse a question of more words than the limit.

    Raises:
        Problem: it has more.
    """
    if len(question) > most and len(question.split(maxsplit=most)) > most:
        raise Problem(
            "question.too-long", f"the question has more than {most:,} words; ask in fewer."
        )


async def answer(
    state: ServerState,
    caller: Caller,
    asked: Asked,
    *,
    on_search: OnSearch | None = None,
    on_text: OnText | None = None,
    reuse: bool = False,
    request_id: str = "",
) -> StoredAnswer:
    """Answer a question and store the answer.

    Args:
        state: of the server.
        caller: who asks; sees what its key is bound to.
        asked: the question.
        on_search: gets the search before the answer is written.
        on_text: gets the text as it is written.
        reuse: whether an answer to the same question, on the same state of the index and with the
            same settings, is given again instead of a second one being stored.
        request_id: for the audit file.

    Raises:
        Problem: the caller may not ask, has too many answers running, or all places are taken.
        RiragError: the question cannot be answered.
    """
    caller.need("ask")
    check_question(state, asked.question, asked.profile)
    if state.stopping:
        raise Problem("server.stopping", "the server is shutting down; ask again soon.")
    service = await asyncio.to_thread(state.service_for, caller)
    same = _same(service, asked, caller)
    async with state.one_at_a_time(same) if reuse else nullcontext():
        known = await asyncio.to_thread(state.answers.same, same) if reuse else None
        if known is not None:
            return known
        return await _stored(state, service, caller, asked, same, on_search, on_text, request_id)


async def _stored(
    state: ServerState,
    service: Service,
    caller: Caller,
    asked: Asked,
    same: str,
    on_search: OnSearch | None,
    on_text: OnText | None,
    request_id: str,
) -> StoredAnswer:
    """Answer within the limits, and count and audit the answer."""
    places = [state.answering]
    if (asked.mode or service.settings.answer_mode) == "extractive":
        places.append(state.searching)  # it keeps a processor busy, as a search does
    with state.gate.rates.answer(caller.key):
        async with AsyncExitStack() as line:
            for one in places:
                await line.enter_async_context(one.place(caller.name))
            seconds = state.options.limits.answer_seconds
            body, cited = await _answered(service, asked, seconds, on_search, on_text)
    stored = await asyncio.to_thread(
        state.answers.add, body, cited, maker=caller.name, bound=caller.bound, same=same
    )
    outcome = str(stored.body.get("refused_by") or "answered")
    state.metrics.answer(str(stored.body["mode"]), outcome)
    await asyncio.to_thread(
        state.audit.write, caller.name, "ask", request_id=request_id, answer_id=stored.id,
        outcome=outcome, **stored.body["index"], **state.logged(asked.question),
    )  # fmt: skip
    return stored


async def _answered(
    service: Service,
    asked: Asked,
    seconds: float,
    on_search: OnSearch | None,
    on_text: OnText | None,
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return the JSON forms of an answer and of the passages that it cites."""
    from generation import AnswerContext

    try:
        async with asyncio.timeout(seconds):
            answered = await service.answer_async(
                asked.query(),
                mode=asked.mode,
                context=AnswerContext(background=asked.background, topic=asked.topic),
                on_search=on_search,
                on_text=on_text,
            )
    except TimeoutError:
        raise Problem(
            "request.timeout", f"the answer took longer than {seconds:g} s and was stopped."
        ) from None
    plan = answered.search.plan
    body = {
        **answered.to_json(),
        "index": {"url": index_name(plan.index), "generation": plan.generation},
        "filters": {name: list(values) for name, values in asked.filters.items()},
        "also_found": _also_found(answered.answer, answered.search),
    }
    return body, {one.passage.id: one.passage.to_json() for one in answered.answer.citations}


def _also_found(answer: Answer, result: SearchResult) -> list[dict[str, Any]]:
    """Return the hits that the answer does not cite, without their text and bare headings."""
    cited = {citation.passage.id for citation in answer.citations}
    hits = [hit for hit in result if hit.id not in cited and hit.passage.kind != "heading"]
    shown: list[dict[str, Any]] = to_json(hits, f"{PLACE} breadcrumb passage.kind")
    return shown


def _same(service: Service, asked: Asked, caller: Caller) -> str:
    """Return what decides about an answer, in one short text."""
    facts = [
        asked.question.split(),
        asked.mode,
        sorted((name, sorted(values)) for name, values in asked.filters.items()),
        asked.profile,
        asked.background,
        asked.topic,
        asked.search_help,
        caller.bound,
        service.index.pipeline.states(),
        service.settings.model_dump_json(),
    ]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def index_name(url: str) -> str:
    """Return the name of an index without the place where the server keeps it."""
    return url.rstrip("/").rpartition("/")[2]
