"""The sample rulebook, indexed and opened once for all tests of search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sample import ingest_rulebook, write_lines

import indexer
import search


@pytest.fixture(scope="session")
def rulebook_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the sample rulebook's index; not to be changed."""
    return ingest_rulebook(tmp_path_factory.mktemp("search") / "rulebook")


@pytest.fixture(scope="session")
def rulebook(rulebook_folder: Path) -> Iterator[search.Index]:
    """The sample rulebook, open for search."""
    with search.open(str(rulebook_folder), reranker=None) as index:
        yield index


@pytest.fixture
def index_of(tmp_path: Path) -> Iterator[Callable[..., search.Index]]:
    """A function that indexes records and opens the index."""
    opened: list[search.Index] = []

    def make(*records: dict[str, Any]) -> search.Index:
        source = write_lines(tmp_path / "source.jsonl", *records)
        indexer.ingest([source], str(tmp_path / "index"))
        opened.append(search.open(str(tmp_path / "index"), reranker=None))
        return opened[-1]

    yield make
    for index in opened:
        index.close()
