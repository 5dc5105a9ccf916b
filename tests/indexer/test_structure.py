"""What is read of sources before anything is loaded, and what `ingest` tells of it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import indexer
from indexer.review.structure import structure
from search.errors import InputError

# The made-up documents are shared with the tests of the readers.
sys.path.append(str(Path(__file__).resolve().parent / "readers"))

from act_samples import FORMEX
from docx_samples import W, paragraph, run, write_docx


def numbers(found: indexer.Structure) -> list[str]:
    return [passage.passage_id for passage in found.passages()]


@pytest.fixture
def act(tmp_path: Path) -> Path:
    path = tmp_path / "lighthouse.xml"
    path.write_text(FORMEX, encoding="utf-8")
    return path


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """A Word document that skips a number and has hidden words."""
    hidden = run(" Never to be seen.", properties="<w:vanish/>")
    first = paragraph("1.1\tA rule.", runs=hidden)
    body = paragraph("1.\tSCOPE") + first + paragraph("1.3\tAnother rule.", runs=hidden)
    return write_docx(tmp_path / "rules.docx", body)


def test_a_document_has_its_passages_in_their_hierarchy(rules: Path) -> None:
    (document,) = structure(rules).documents
    assert document.document_id == "rules"
    assert [one.passage_id.rstrip(".") for one in document.passages] == ["1", "1.1", "1.3"]
    assert [one.kind for one in document.passages] == ["heading", "rule", "rule"]
    assert document.passages[1].breadcrumb == ("1. SCOPE",)


def test_it_is_what_ingest_reads(act: Path, rules: Path) -> None:
    assert structure([act]).passages() == list(indexer.read(act))
    assert structure([rules]).passages() == list(indexer.read(rules))


def test_what_is_in_no_passage_is_counted_by_reason(rules: Path) -> None:
    found = structure(rules)
    assert [(one.source, one.reason, one.pieces, one.words) for one in found.left_out] == [
        ("rules.docx", "hidden text", 2, 8)
    ]


def test_granularity_reaches_the_readers_that_know_it(act: Path) -> None:
    sizes = [len(structure(act, granularity=name).passages())
             for name in ("article", "paragraph", "clause", "point")]  # fmt: skip
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[1] < sizes[3]
    assert structure(act).passages() == structure(act, granularity="clause").passages()
    articles = list(indexer.read(act, granularity="article"))
    assert [one.passage_id for one in articles] == numbers(structure(act, granularity="article"))


def test_footnotes_are_passages_where_they_are_wanted(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("1.1\tA rule.\n")
    reference = '<w:r><w:footnoteReference w:id="1"/></w:r>'
    body = paragraph("1.1\tA Firm pays.") + paragraph("1.2\tIt reports.", runs=reference)
    note = f'<w:footnote w:id="1">{paragraph("Each year.")}</w:footnote>'
    notes = f'<w:footnotes xmlns:w="{W}">{note}</w:footnotes>'
    write_docx(tmp_path / "a.docx", body, footnotes=notes)
    found = structure(tmp_path, footnotes=True)
    footnote = found.documents[0].passages[2]
    assert (footnote.passage_id, footnote.kind, footnote.text) == (
        "1.2.Footnote.1", "footnote", "Each year."
    )  # fmt: skip
    assert footnote.parent == found.documents[0].passages[1].id
    assert not found.documents[0].warnings
    assert not found.left_out
    assert [one.passage_id for one in indexer.read(tmp_path, footnotes=True)] == numbers(found)
    (left,) = structure(tmp_path).left_out
    assert (left.reason, left.words) == ("footnote", 2)


def test_every_file_that_knows_no_granularity_is_named(tmp_path: Path, act: Path) -> None:
    (tmp_path / "a.txt").write_text("1.1\tA rule.\n")
    with pytest.raises(InputError) as refused:
        structure(tmp_path, granularity="article")
    assert str(refused.value).startswith(f"{tmp_path}/a.txt: the format text has no granularity")


def test_ingest_tells_what_was_left_out_and_what_looks_wrong(rules: Path, ingest) -> None:
    report = ingest(rules)
    lines = report.summary().split("\n")
    assert "Left out of rules.docx: hidden text (8 words)." in lines
    assert "Check with rirag structure: 1 gap in the numbers (rules)." in lines
    told = json.loads(json.dumps(report.to_json()))
    assert told["left_out"] == [
        {"source": "rules.docx", "reason": "hidden text", "pieces": 2, "words": 8, "lost": 0}
    ]
    assert [(one["kind"], one["passage_id"].rstrip(".")) for one in told["warnings"]] == [
        ("gap", "1.3")
    ]


def test_many_reasons_and_files_are_one_line() -> None:
    from indexer.load.report import left_out_lines
    from indexer.problems import Note

    notes = [Note(f"{place % 2}.docx", f"reason {place}", 1, 10 - place) for place in range(8)]
    (line,) = left_out_lines(notes)
    assert line.startswith("Left out of 2 files: reason 0 (10 words); reason 1 (9 words); ")
    assert line.endswith("reason 4 (6 words); 3 other reasons (12 words).")
    assert left_out_lines([]) == []
