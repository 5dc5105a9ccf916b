"""Open an index as the settings say, and keep what is open up to date."""

from __future__ import annotations

import threading
from collections.abc import Collection
from contextlib import AbstractContextManager, closing
from typing import TYPE_CHECKING

import search
from rirag.service.server_settings import server_options
from search.errors import RiragError
from search.records import Filters, Passage

if TYPE_CHECKING:
    from rirag.settings import Settings
    from search.engines.protocol import Engine


def open_index(settings: Settings, *, reranking: bool = True) -> search.Index:
    """Open the index with its encoder and, if wanted, its reranker."""
    return search.open(
        settings.index,
        encoder=settings.encoder,
        reranker=settings.reranker if reranking and settings.rerank else None,
        server=server_options(settings),
        tuning=settings.tuning,
    )


def why_closed(settings: Settings) -> str:
    """Return why the index cannot be opened, without loading its models; empty: it can."""
    try:
        with _engine(settings):
            return ""
    except RiragError as error:
        return str(error)


def passages_by_id(settings: Settings, ids: Collection[str]) -> dict[str, Passage]:
    """Return those of the passages that the index holds, without loading its models."""
    if not ids:
        return {}
    with _engine(settings) as engine:
        found = engine.find(Filters({"id": tuple(dict.fromkeys(ids))}))
        return {passage.id: passage for _, passage in found}


def all_passages(settings: Settings) -> tuple[Passage, ...]:
    """Return all passages of the index in its order, without loading its models."""
    with _engine(settings) as engine:
        return tuple(passage for _, passage in engine.find(Filters()))


def _engine(settings: Settings) -> AbstractContextManager[Engine]:
    """Open the engine that holds the index."""
    from search.engines import locate

    backend = locate(settings.index, server_options(settings))
    return closing(backend.open(settings.index))


class Refresher:
    """Refreshes an index at regular intervals, in a thread of its own.

    When a refresh fails, the state that is open stays open, and `problem` says why.
    """

    def __init__(self, index: search.Index, every_s: float) -> None:
        self.problem: RiragError | None = None
        self._index = index
        self._every_s = every_s
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="rirag-refresh", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread; a refresh that is running is waited for."""
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(self._every_s):
            try:
                self._index.refresh()
            except RiragError as error:
                self.problem = error
            else:
                self.problem = None
