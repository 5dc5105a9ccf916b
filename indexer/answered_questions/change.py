"""Add, remove, list and re-encode the answered questions of an index.

They are the passages of an index beside it (`search.answered_questions.questions`), so that a
change is one load of that index: complete or not at all, with one process at a time, and vectors
used again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from contextlib import closing, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from indexer.answered_questions.load import (
    Known,
    QuestionsChange,
    QuestionsPlace,
    change_questions,
    described_questions,
    forget_all,
    held_questions,
)
from indexer.answered_questions.report import QuestionsReport, UnknownPassage
from indexer.load.index_encoder import loaded
from indexer.load.progress import Progress, listener, silent
from search.answered_questions.questions import AnsweredQuestion, url_beside
from search.engines import locate, url_of
from search.engines.protocol import Backend, Engine
from search.errors import IndexLostError, InputError, RiragError
from search.messages.arguments import several_ids
from search.messages.refusals import on_index
from search.models.encoders.identity import identity_of
from search.records import EncoderIdentity, Filters

if TYPE_CHECKING:
    from search.engines.servers import ServerOptions
    from search.models.encoders.protocol import Encoder

IDS_AT_ONCE = 10_000
"""Passages looked up together; the engines take several times as many values."""


def add_questions(
    questions: Iterable[AnsweredQuestion],
    index_url: str | os.PathLike[str],
    *,
    encoder: str | os.PathLike[str] | Encoder | None = None,
    progress: Progress | None = None,
    server: ServerOptions | None = None,
) -> QuestionsReport:
    """Add answered questions with the passages that answer them: all, or none.

    A question replaces the one that has its ID; others stay. Passages that the index lacks are
    kept out, and so is a question that has no other; the report names them.

    Args:
        questions: each ID once.
        index_url: of the index that holds the passages.
        encoder: name or folder of an encoder, or one that is loaded already; None for the index's
            own.
        progress: called during the run.
        server: how to reach an index on a server; None: the environment's `RIRAG_SERVER_*`.

    Raises:
        InputError: these are no `AnsweredQuestion`s, one has no ID or no text, or something else in
            their place, an ID comes twice, or the index has none of the passages.
        IndexUnavailableError: there is no such index.
        EncoderMismatchError: the encoder is not that of the index.
        IndexBusyError: another process is changing the answered questions.
    """
    started = time.perf_counter()
    given = [_passages_once(one) for one in _several(questions)]
    _refuse_odd(given)
    place = QuestionsPlace.of(url_of(index_url), server, loaded(encoder))
    with closing(place.backend.open(place.index_url)) as engine:
        there = _existing(engine, {name for one in given for name in one.passages})
    kept, unknown = _with_passages(given, there)
    if given and not kept:
        raise InputError(
            f"{place.index_url} has none of the passages that these questions name; "
            "add them to the right index, or load its rulebooks first.",
            code="answered-question.no-passage",
        )

    def change(held: Known) -> Known:
        return {**held, **{one.id: one for one in kept}}

    done = change_questions(place, change, listener(progress))
    touched = [one.id for one in kept]
    return _report(
        place,
        done,
        started,
        added=tuple(name for name in touched if name not in done.before),
        changed=tuple(
            one.id for one in kept if one.id in done.before and done.before[one.id] != one
        ),
        unchanged=tuple(one.id for one in kept if done.before.get(one.id) == one),
        unknown_passages=tuple(unknown),
        left_out=tuple(one.id for one in given if not set(one.passages) & there),
    )


def remove_questions(
    ids: str | Collection[str] | None,
    index_url: str | os.PathLike[str],
    *,
    encoder: str | os.PathLike[str] | Encoder | None = None,
    progress: Progress | None = None,
    server: ServerOptions | None = None,
) -> QuestionsReport:
    """Remove answered questions from an index; remove none if one of them is unknown.

    Args:
        ids: of the questions, or a single one; None: all.
        index_url: of the index that holds the passages.
        encoder: name or folder of an encoder, or one that is loaded already; None for the index's
            own.
        progress: called during the run.
        server: how to reach an index on a server; None: the environment's `RIRAG_SERVER_*`.

    Raises:
        InputError: there is no answered question of an ID, or none at all.
        EncoderMismatchError: the encoder is not that of the index.
    """
    started = time.perf_counter()
    given = None if ids is None else several_ids(ids)
    place = QuestionsPlace.of(url_of(index_url), server, loaded(encoder))
    url = place.index_url
    progress = listener(progress)
    _refuse_none(place, lost_is_some=given is None)
    if given is None:
        done = forget_all(place, progress)
    else:
        done = change_questions(place, _without(url, given), progress)
    gone = tuple(name for name in done.before if name not in done.after)
    return _report(place, done, started, removed=gone)


def _report(
    place: QuestionsPlace, done: QuestionsChange, started: float, **ids: Any
) -> QuestionsReport:
    return QuestionsReport(
        encoded=done.encoded,
        reused=done.reused,
        seconds=time.perf_counter() - started,
        index_url=place.index_url,
        index=done.index,
        **ids,
    )


def _refuse_none(place: QuestionsPlace, *, lost_is_some: bool = False) -> None:
    """Refuse to remove questions where none is known.

    Args:
        place: of the questions.
        lost_is_some: whether questions that cannot be read, as somebody removed a part of what
            keeps them, can be removed.
    """
    try:
        about = described_questions(place.backend, place.index_url)
    except IndexLostError:
        if lost_is_some:
            return
        raise
    if about is None or not about.passages:
        adding = on_index("rirag questions add FILE", place.index_url)
        raise InputError(
            f"{place.index_url} has no answered questions; add some with: {adding}",
            code="answered-question.none",
        )


def _without(url: str, given: Collection[str]) -> Callable[[Known], Known]:
    """Return the change that takes away the questions of these IDs, all of which must be known."""

    def change(held: Known) -> Known:
        absent = [name for name in given if name not in held]
        if absent:
            raise InputError(
                f"{url} has no answered question with the ID {absent[0]!r}; list them with: "
                + on_index("rirag questions list", url),
                code="answered-question.unknown",
            )
        return {name: one for name, one in held.items() if name not in given}

    return change


def list_questions(
    index_url: str | os.PathLike[str], *, server: ServerOptions | None = None
) -> list[AnsweredQuestion]:
    """Return the answered questions of an index by ID.

    Raises:
        IndexUnavailableError: there is no such index.
    """
    url = url_of(index_url)
    backend = locate(url, server)
    backend.open(url).close()  # refuses an index that is not there
    return sorted(held_questions(backend, url).values(), key=lambda one: one.id)


def reencode_questions(
    backend: Backend, index_url: str, encoder: Encoder, progress: Progress = silent
) -> int:
    """Rebuild the answered questions of an index with its new encoder; return their number."""
    if not backend.exists(url_beside(index_url)):
        return 0
    place = QuestionsPlace(backend, index_url, encoder)
    return len(change_questions(place, lambda held: held, progress).after)


def follow_rollback(backend: Backend, index_url: str, encoder: EncoderIdentity) -> None:
    """Encode the answered questions again if their index went back to a state with another encoder.

    Where that encoder is not to be had, or an index of its own has their place, what is there stays
    as it is, and search says that it does not count.
    """
    with suppress(RiragError):
        from search.models.encoders import load_encoder

        about = described_questions(backend, index_url)
        if about is None or about.encoder == encoder:
            return
        loaded = load_encoder(encoder.name)
        if identity_of(loaded) == encoder:
            reencode_questions(backend, index_url, loaded)


def _several(given: Iterable[AnsweredQuestion]) -> list[AnsweredQuestion]:
    questions = list(given) if isinstance(given, Iterable) else [given]
    for one in questions:
        if not isinstance(one, AnsweredQuestion):
            raise _odd(f"each answered question must be an `AnsweredQuestion`, not {one!r:.80}")
    return questions


def _passages_once(question: AnsweredQuestion) -> AnsweredQuestion:
    return replace(question, passages=tuple(dict.fromkeys(several_ids(question.passages))))


def _refuse_odd(questions: Sequence[AnsweredQuestion]) -> None:
    """Refuse what no question file could hold."""
    seen: set[str] = set()
    for one in questions:
        if not all(isinstance(text, str) for text in (one.id, one.text)):
            given = f"{one.id!r:.80} and {one.text!r:.80}"
            raise _odd(f"ID and text of an answered question must be texts, not {given}")
        if not one.id.strip():
            raise _odd(f"the question {one.text!r} has no ID")
        if len(one.id.split()) > 1 or one.id != one.id.strip():
            raise _odd(f"the ID {one.id!r} of an answered question must not contain white space")
        if any("\ud800" <= character <= "\udfff" for character in one.id + one.text):
            raise _odd(f"the question {one.id!r} contains half a character (a lone \\ud…)")
        if not one.text.strip():
            raise _odd(f"the question {one.id!r} has no text")
        if one.id in seen:
            raise _odd(f"the question {one.id!r} occurs twice")
        seen.add(one.id)


def _odd(problem: str) -> InputError:
    return InputError(problem, code="answered-question.invalid")


def _existing(engine: Engine, ids: AbstractSet[str]) -> set[str]:
    wanted = sorted(ids)
    return {
        passage.id
        for start in range(0, len(wanted), IDS_AT_ONCE)
        for _, passage in engine.find(Filters({"id": tuple(wanted[start : start + IDS_AT_ONCE])}))
    }


def _with_passages(
    given: Iterable[AnsweredQuestion], there: AbstractSet[str]
) -> tuple[list[AnsweredQuestion], list[UnknownPassage]]:
    """Return the questions with those of their passages that exist, and the other passages."""
    kept, unknown = [], []
    for one in given:
        passages = tuple(name for name in one.passages if name in there)
        unknown += [UnknownPassage(one.id, name) for name in one.passages if name not in there]
        if passages:
            kept.append(replace(one, passages=passages))
    return kept, unknown
