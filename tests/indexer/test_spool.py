"""The passages of a run on disk."""

from __future__ import annotations

import pytest

from indexer.load.spool import Spool
from search.errors import StorageError
from search.records import Passage


def test_a_passage_comes_back_as_it_was():
    passage = Passage(
        "a", "7", "1.(a)", "“é”\n\0", "Rules", "table", 3, 2, "b", ("1 Scope",),
        {"topic": ("x", "y"), "year": 2021, "draft": True}, "7.json:9",
    )  # fmt: skip
    with Spool.opened() as spool:
        spool.add(passage)
        assert spool.find("a") == passage
        assert spool.find("b") is None
        assert list(spool.passages("7")) == [passage]


def test_a_document_takes_the_first_title_that_is_not_empty():
    with Spool.opened() as spool:
        for number, title in enumerate(["", "One", "Two"]):
            spool.add(Passage(str(number), "7", "1", "A.", title))
        assert spool.documents() == [("7", "One")]


def test_a_full_temporary_folder_is_told_in_a_sentence():
    problem = r"temporary folder cannot be used \(.*full\); free some space, or set TMPDIR"
    with pytest.raises(StorageError, match=problem), Spool.opened() as spool:
        spool._run("PRAGMA max_page_count = 30")
        for number in range(1000):
            spool.add(Passage(str(number), "7", "1", "A." * 500))
