"""Commands in messages are whole: pasted into a shell, they reach the index that was meant."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from search.messages.refusals import on_index


@pytest.mark.parametrize("url", ["rirag-index", "elasticsearch+https://host:9200/rules", "a/b.c"])
def test_plain_names_stay_as_they_were_written(url: str) -> None:
    assert on_index("rirag reindex", url) == f"rirag reindex --index {url}"


@pytest.mark.parametrize("url", ["my index", "it's", "$HOME/index", "a;b", "*"])
def test_a_shell_reads_the_name_that_was_meant(url: str) -> None:
    assert shlex.split(on_index("rirag reindex", Path(url)))[-2:] == ["--index", url]
