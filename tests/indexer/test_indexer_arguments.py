"""What callers of the indexer mistake is an `InputError` that says what would do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import indexer
import search
from search.answered_questions.questions import AnsweredQuestion
from search.errors import InputError

ON_A_SERVER = "elasticsearch+http://127.0.0.1:9/rules"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "rules.txt"
    path.write_text("1.1\tA firm must pay.\n", encoding="utf-8")
    return path


def refused(told: str, work: Callable[[], object]) -> None:
    with pytest.raises(InputError) as error:
        work()
    assert str(error.value) == told


@pytest.mark.parametrize("progress", [True, 5, "tqdm"])
def test_a_progress_is_something_to_be_called(source: Path, tmp_path: Path, progress: Any) -> None:
    told = f"progress must be a function of stage, done and total, or None, not {progress!r}"
    index = tmp_path / "index"
    refused(told, lambda: indexer.ingest(source, index, progress=progress))
    assert not index.exists()
    refused(told, lambda: indexer.structure(source, progress=progress))
    indexer.ingest(source, index)
    refused(told, lambda: indexer.reindex(index, progress=progress))
    with search.open(index, reranker=None) as opened:
        known = [AnsweredQuestion("a", "Who pays?", (opened.passages()[0].id,))]
    refused(told, lambda: indexer.add_questions(known, index, progress=progress))
    indexer.add_questions(known, index)
    refused(told, lambda: indexer.remove_questions(["a"], index, progress=progress))


def test_without_a_progress_nothing_is_told(source: Path, tmp_path: Path) -> None:
    nothing: Any = False
    for progress in (None, nothing):
        assert indexer.ingest(source, tmp_path / "index", progress=progress).passages == 1


@pytest.mark.parametrize("index", [ON_A_SERVER, "index"])
def test_the_options_of_a_server_are_options_and_no_secret_is_repeated(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, index: str
) -> None:
    monkeypatch.chdir(tmp_path)
    server: Any = {"user": "me", "password": "secret"}
    told = (
        "server must be a search.ServerOptions, such as ServerOptions(user=…, password=…), or "
        "None, not dict"
    )
    refused(told, lambda: indexer.ingest(source, index, server=server))
    refused(told, lambda: indexer.reindex(index, server=server))
    refused(told, lambda: search.open(index, server=server))
    assert not Path("index").exists()
