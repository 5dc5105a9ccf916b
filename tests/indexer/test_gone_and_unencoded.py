"""What a load says of documents that its sources lack, and of texts that it cannot encode."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import indexer
import search
from search.models.encoders.protocol import EncodedPassages, Vectors

ZEPPELIN, SUBMARINE = "A zeppelin must fly high.", "A submarine must dive deep."


class Fussy:
    """An encoder that fails on texts with a word."""

    name, dimension, revision = "fussy", 2, "1"

    def __init__(self, word: str) -> None:
        self.word = word
        self.asked: list[str] = []

    def encode_questions(self, texts: list[str]) -> Vectors:
        return self.encode_passages(texts).vectors

    def encode_passages(self, texts: list[str]) -> EncodedPassages:
        vectors = np.array([(3, 4)] * len(texts), dtype=np.float32) / 5
        return EncodedPassages(vectors, (False,) * len(texts))

    def encode_what_it_takes(self, texts: list[str]) -> EncodedPassages:
        self.asked += texts
        made = self.encode_passages(texts)
        failed = tuple("it is NaN" if self.word in text else "" for text in texts)
        made.vectors[[bool(why) for why in failed]] = 0
        return EncodedPassages(made.vectors, made.truncated, failed)


def write(path: Path, document: str, text: str) -> None:
    row = {"ID": f"{document}-1", "DocumentID": document, "PassageID": "1", "Passage": text}
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    write(tmp_path / "src" / "a.jsonl", "AAA", ZEPPELIN)
    write(tmp_path / "src" / "b.jsonl", "BBB", SUBMARINE)
    return tmp_path / "src"


def load(source: object, index: Path, word: str = "nothing", **more: bool) -> indexer.IngestReport:
    return indexer.ingest(source, index, encoder=Fussy(word), **more)  # type: ignore[arg-type]


def change(source: Path) -> None:
    write(source / "a.jsonl", "AAX", ZEPPELIN)
    (source / "b.jsonl").unlink()


def documents(index: Path) -> list[str]:
    with search.open(index, encoder=Fussy("")) as opened:  # type: ignore[arg-type]
        return [one.document_id for one in opened.documents()]


def test_documents_of_one_title_are_told_when_one_of_them_is_new(tmp_path: Path) -> None:
    for number, title in ("2", "Gifts"), ("3", "GIFTS"), ("4", "Leave"):
        text = f"# {title}\n\n1.1 A zeppelin, version {number}.\n"
        (tmp_path / f"v{number}.md").write_text(text, encoding="utf-8")
    index = tmp_path / "index"
    assert load(tmp_path / "v2.md", index).namesakes == ()
    report = load(tmp_path / "v3.md", index)
    assert [(one.title, one.document_ids) for one in report.namesakes] == [
        ("Gifts", ("v2", "v3")),
    ]  # fmt: skip
    assert "Several documents have one title: Gifts (v2, v3). Where one replaces" in (
        report.summary()
    )
    assert load(tmp_path / "v4.md", index).namesakes == ()


def test_what_a_folder_no_longer_holds_is_told_and_stays(source: Path, tmp_path: Path) -> None:
    assert load(source, tmp_path / "index").gone == ()
    change(source)
    report = load(source, tmp_path / "index")
    assert [(one.document_id, one.source) for one in report.gone] == [
        ("AAA", "a.jsonl"), ("BBB", "b.jsonl"),
    ]  # fmt: skip
    assert not report.pruned
    assert "2 documents that are in none of these sources: AAA (a.jsonl); BBB" in report.summary()
    assert documents(tmp_path / "index") == ["AAA", "BBB", "AAX"]


def test_what_a_folder_no_longer_holds_is_deleted_where_that_is_asked_for(
    source: Path, tmp_path: Path
) -> None:
    load(source, tmp_path / "index")
    change(source)
    report = load(source, tmp_path / "index", prune=True)
    assert report.pruned
    assert "Deleted 2 documents that the sources do not contain: AAA (a.jsonl)" in report.summary()
    assert documents(tmp_path / "index") == ["AAX"]
    assert report.index.documents == 1


def test_deleting_needs_no_document_to_be_new(source: Path, tmp_path: Path) -> None:
    load(source, tmp_path / "index")
    (source / "b.jsonl").unlink()
    assert load(source, tmp_path / "index", prune=True).unchanged == ("AAA",)
    assert documents(tmp_path / "index") == ["AAA"]


def test_nothing_counts_as_gone_where_a_file_is_refused(source: Path, tmp_path: Path) -> None:
    load(source, tmp_path / "index")
    (source / "b.jsonl").unlink()
    (source / "c.txt").write_bytes(b"\x00\xff\x00\xff")
    report = load(source, tmp_path / "index", prune=True)
    assert report.refused
    assert (report.gone, report.pruned) == ((), False)


def test_a_single_file_says_nothing_of_the_rest_of_an_index(source: Path, tmp_path: Path) -> None:
    load(source, tmp_path / "index")
    assert load(source / "a.jsonl", tmp_path / "index", prune=True).gone == ()
    assert documents(tmp_path / "index") == ["AAA", "BBB"]


def test_a_text_that_cannot_be_encoded_is_named_kept_and_tried_again(
    source: Path, tmp_path: Path
) -> None:
    index = tmp_path / "index"
    report = load(source, index, "zeppelin")
    (failed,) = report.unencoded
    assert (failed.place.document_id, failed.reason) == ("AAA", "it is NaN")
    assert (
        "1 passage that the encoder failed on, found by words only: AAA 1 (a.jsonl:1): it is NaN"
        in (report.summary())
    )
    assert (report.encoded, report.index.passages, report.index.empty_passages) == (1, 2, 1)
    with search.open(index, encoder=Fussy("")) as opened:  # type: ignore[arg-type]
        hits = opened.search("zeppelin", rerank=False).hits
    assert hits[0].passage.document_id == "AAA"
    again = load(source, index)
    assert (again.changed, again.encoded, again.unencoded) == (("AAA",), 1, ())
    assert load(source, index).unchanged == ("AAA", "BBB")


def test_a_script_without_a_main_guard_is_told_so(source: Path, tmp_path: Path) -> None:
    script = tmp_path / "load.py"
    script.write_text(f"import indexer\nindexer.ingest({str(source)!r}, 'index', workers=2)\n")
    ours = {**os.environ, "PYTHONPATH": str(Path(indexer.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, check=False,
        timeout=120, env=ours,
    )  # fmt: skip
    assert done.returncode == 1
    assert 'below `if __name__ == "__main__":`' in done.stderr.splitlines()[-1]
    assert "IndexBusyError" not in done.stderr
