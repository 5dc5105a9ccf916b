"""A service over the sample rulebook."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_support import is_setting
from sample import ingest_rulebook

from rirag.service import Service
from rirag.settings import Settings


@pytest.fixture(autouse=True)
def clean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty working directory, and an environment without settings."""
    for name in filter(is_setting, list(os.environ)):
        monkeypatch.delenv(name)
    monkeypatch.setenv("RIRAG_SEARCH_HELP", "false")
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="session")
def rulebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the sample rulebook's index; not to be changed."""
    return ingest_rulebook(tmp_path_factory.mktemp("service") / "rulebook")


@pytest.fixture
def service(rulebook: Path) -> Iterator[Service]:
    """The rulebook, without a reranker and without a language model."""
    with Service.open(Settings(index=str(rulebook), rerank=False)) as opened:
        yield opened
