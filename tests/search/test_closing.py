"""An index that is closed or refreshed while other threads still use it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import pytest
from coded import coded
from own_encoder import OwnEncoder, unit_vectors
from sample import record, write_lines

import indexer
import search
from search.engines.embedded import EmbeddedEngine
from search.errors import IndexUnavailableError

SECONDS = 20.0


@pytest.fixture
def closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[EmbeddedEngine]:
    """The engines of this test's index that were closed."""
    engines: list[EmbeddedEngine] = []
    close = EmbeddedEngine.close

    def noted(engine: EmbeddedEngine) -> None:
        if engine._place.is_relative_to(tmp_path):
            engines.append(engine)
        close(engine)

    monkeypatch.setattr(EmbeddedEngine, "close", noted)
    return engines


@pytest.fixture
def index(tmp_path: Path) -> Iterator[search.Index]:
    source = write_lines(tmp_path / "source.jsonl", record("1", "Report broken widgets."))
    indexer.ingest(source, tmp_path / "index", encoder=OwnEncoder())
    with search.open(tmp_path / "index", encoder=OwnEncoder(), reranker=None) as opened:
        yield opened


def load_more(folder: Path) -> None:
    """Give the index a newer state."""
    other = record("2", "Mend widgets.", DocumentID="B", DocumentTitle="B Act")
    source = write_lines(folder / "more.jsonl", other)
    indexer.ingest(source, folder / "index", encoder=OwnEncoder())


def held_while(
    index: search.Index, monkeypatch: pytest.MonkeyPatch, work: Callable[[], object]
) -> search.SearchResult:
    """Do something while another thread is in the middle of a search; return what that finds."""
    begun, go_on = threading.Event(), threading.Event()

    def hold(texts: list[str]) -> object:
        begun.set()
        assert go_on.wait(SECONDS)
        return unit_vectors(texts)

    monkeypatch.setattr(index.pipeline.encoder, "questions", hold)
    with ThreadPoolExecutor(1) as threads:
        searching = threads.submit(index.search, "who reports widgets?")
        assert begun.wait(SECONDS)
        try:
            work()
        finally:
            go_on.set()
        return searching.result(SECONDS)


def test_a_search_under_way_is_finished_and_then_the_files_are_freed(
    index: search.Index, closed: list[EmbeddedEngine], monkeypatch: pytest.MonkeyPatch
) -> None:
    def close() -> None:
        index.close()
        assert closed == []
        with pytest.raises(IndexUnavailableError, check=coded("index.closed")):
            index.search("widgets")

    assert held_while(index, monkeypatch, close).hits
    assert closed == [index.pipeline.engine]


def test_closing_an_index_that_nobody_searches_frees_it_at_once(
    index: search.Index, closed: list[EmbeddedEngine]
) -> None:
    index.close()
    assert closed == [index.pipeline.engine]


def test_a_refresh_that_is_overtaken_by_closing_leaves_nothing_open(
    index: search.Index,
    closed: list[EmbeddedEngine],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    load_more(tmp_path)
    closed.clear()
    before, opened = index.pipeline, index._open

    def closed_meanwhile(*models: Any) -> object:
        newest = opened(*models)
        index.close()
        return newest

    monkeypatch.setattr(index, "_open", closed_meanwhile)
    with pytest.raises(IndexUnavailableError, check=coded("index.closed")):
        index.refresh()
    assert index.pipeline is before
    assert len(closed) == 2
    assert before.engine in closed


def test_the_slower_of_two_refreshes_does_not_bring_the_older_state_back(
    index: search.Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, go_on, is_open = index._open, threading.Event(), threading.Event()

    def slowly(*models: Any) -> object:
        state = opened(*models)
        is_open.set()
        assert go_on.wait(SECONDS)
        return state

    load_more(tmp_path)
    monkeypatch.setattr(index, "_open", slowly)
    with ThreadPoolExecutor(2) as threads:
        slower = threads.submit(index.refresh)
        assert is_open.wait(SECONDS)
        other = record("3", "Sell widgets.", DocumentID="C", DocumentTitle="C Act")
        source = write_lines(tmp_path / "others.jsonl", other)
        indexer.ingest(source, tmp_path / "index", encoder=OwnEncoder())
        monkeypatch.setattr(index, "_open", opened)
        faster = threads.submit(index.refresh)
        wait([faster], timeout=1)  # where it need not wait for the other, it is done by now
        go_on.set()
        assert (slower.result(SECONDS), faster.result(SECONDS)) == (True, True)
    assert index.describe().documents == 3
