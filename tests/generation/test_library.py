"""What a library keeps of the documents of an index."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import indexer
import search
from generation import IndexLibrary
from search.records import Passage


def test_a_document_is_read_and_worked_out_once_in_its_own_order(tmp_path: Path) -> None:
    (tmp_path / "fees.txt").write_text("1\tFEES\n1.1\tPay.\n1.2\tOn time.\n", encoding="utf-8")
    indexer.ingest(tmp_path / "fees.txt", str(tmp_path / "index"))
    worked: list[list[str]] = []

    def numbers(passages: Sequence[Passage]) -> list[str]:
        worked.append([one.passage_id.rstrip(".") for one in passages])
        return worked[-1]

    with search.open(str(tmp_path / "index")) as index:
        library = IndexLibrary(index)
        assert [one.document_id for one in library.documents()] == ["fees"]
        assert library.worked_out("fees", numbers) == ["1", "1.1", "1.2"]
        assert library.worked_out("fees", numbers) is worked[0]
        assert library.worked_out("none", numbers) == []
        assert library.worked_out("fees", len) == 3
    assert len(worked) == 2


def test_a_library_reads_anew_after_the_index_was_refreshed(tmp_path: Path) -> None:
    source, folder = tmp_path / "fees.txt", tmp_path / "index"
    source.write_text("1\tFEES\n1.1\tPay.\n", encoding="utf-8")
    indexer.ingest(source, folder)
    with search.open(folder, reranker=None) as index:
        library = IndexLibrary(index)
        assert library.worked_out("fees", len) == 2
        source.write_text("1\tFEES\n1.1\tPay.\n1.2\tNow.\n", encoding="utf-8")
        indexer.ingest(source, folder)
        assert len(library.passages("fees")) == 2
        index.refresh()
        assert len(library.passages("fees")) == 3
        assert library.worked_out("fees", len) == 3
