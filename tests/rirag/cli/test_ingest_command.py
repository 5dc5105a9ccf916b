"""`rirag ingest`: what it says, and that bad sources change nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from cli_support import Run, run
from sample import DOCUMENTS, PASSAGES, RULEBOOK, record, write_lines

import search
from search.engines import locate

GOOD = record("1", "A firm must report every broken widget.")


def test_the_sample_rulebook_is_loaded_and_the_second_time_nothing_is_encoded(
    tmp_path: Path,
) -> None:
    first = run("ingest", RULEBOOK, cwd=tmp_path)
    assert (first.code, first.err) == (0, "")
    assert f"Read {PASSAGES} passages of 4 documents" in first.out
    assert "4 added, 0 changed, 0 unchanged." in first.out
    assert f"rirag-index now holds {PASSAGES} passages of 4 documents." in first.out
    again = run("ingest", RULEBOOK, cwd=tmp_path)
    assert "0 added, 0 changed, 4 unchanged." in again.out
    assert "Encoded 0 texts" in again.out


def test_the_report_as_json(rirag: Run) -> None:
    report = rirag("ingest", RULEBOOK, "--index", "i", "--json").json
    assert set(report["added"]) == set(DOCUMENTS)
    assert (report["passages"], report["changed"], report["unchanged"]) == (PASSAGES, [], [])
    assert report["index"]["url"] == "i"
    assert {Path(one["path"]).name for one in report["skipped"]} == {
        "README.md", "questions.json", "unanswerable.jsonl",
    }  # fmt: skip


def test_a_changed_document_replaces_its_earlier_version(rirag: Run, tmp_path: Path) -> None:
    source = write_lines(tmp_path / "act.jsonl", GOOD, record("2", "Old rule."))
    rirag("ingest", source)
    write_lines(source, GOOD, record("3", "New rule."))
    assert "0 added, 1 changed, 0 unchanged." in rirag("ingest", source).out
    with search.open("rirag-index") as index:
        assert [one.passage_id for one in index.passages()] == ["1", "3"]


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.jsonl", '{"ID": "1",', "a.jsonl:1: not valid JSON at column 12 ("),
        ("a.jsonl", "\n[1]", "a.jsonl:2: expected a record in braces, found a list"),
        ("a.json", '[{"ID":"1"\n,,', "a.json:2: not valid JSON ("),
        ("a.json", '{"ID": "1"}', "a.json: not a JSON list of records; give a list, or --form"),
        ("a.json", '[\n{"ID":"1","DocumentID":"1","Passage":""}]',
         "a.json:2: the record has no PassageID; add the field"),
        ("a.jsonl", '{"ID":"1","DocumentID":[],"PassageID":"1","Passage":""}',
         "a.jsonl:1: DocumentID must be a text or a whole number, found a list"),
        ("a.jsonl", '{"ID":"1","DocumentID":"1","PassageID":"1","Passage":null}',
         "a.jsonl:1: Passage must be a text, found null"),
        ("a.jsonl", b'{}\n{"ID": "\xe9"}', "a.jsonl:2: byte 9 of the line is not UTF-8"),
        ("a.txt", b"1\t\x00\x01R\x02gle\n", "a.txt: not text, or in an unknown encoding"),
        ("a.txt", " \n", "a.txt: the file is empty; give a file that contains passages"),
        ("a.pages", b"PK\3\4\0\0", "a.pages: .pages files are not read; save it as PDF"),
    ],
)  # fmt: skip
def test_a_bad_file_is_refused_with_its_line_and_leaves_the_index_alone(
    rirag: Run, tmp_path: Path, name: str, content: str | bytes, sentence: str
) -> None:
    rirag("ingest", write_lines(tmp_path / "good.jsonl", GOOD))
    bad = tmp_path / name
    bad.write_bytes(content if isinstance(content, bytes) else content.encode())
    refused = rirag("ingest", bad)
    assert (refused.code, refused.out) == (2, "")
    assert sentence in refused.err
    with search.open("rirag-index") as index:
        assert [one.id for one in index.passages()] == [GOOD["ID"]]


def mixed(folder: Path) -> Path:
    folder.mkdir()
    (folder / "good.txt").write_text("Complaints\n1.1 A firm must answer.\n")
    (folder / "broken.docx").write_text("no Word file")
    return folder


def test_a_broken_document_is_left_out_and_the_others_are_loaded(
    rirag: Run, tmp_path: Path
) -> None:
    done = rirag("ingest", mixed(tmp_path / "mixed"))
    assert done.code == 2
    assert "1 problem in what was left out." in done.out
    problem, told = done.err.strip().splitlines()
    assert "broken.docx: not a Word document" in problem
    assert told == "What has a problem was left out; all else was loaded."
    with search.open("rirag-index") as index:
        assert [one.document_id for one in index.documents()] == ["good"]


@pytest.mark.parametrize("strict", [False, True])
def test_a_subfolder_that_cannot_be_read_is_left_out_as_a_broken_document_is(
    tmp_path: Path, strict: bool
) -> None:
    folder = mixed(tmp_path / "mixed")
    (folder / "broken.docx").unlink()
    (folder / "closed").mkdir(mode=0o000)
    options = ["--index", tmp_path / "index", *(["--strict"] if strict else [])]
    tmp_path.chmod(0o777)
    done = run("ingest", folder, *options, cwd=tmp_path, privileged=False)
    assert done.code == 2
    problem, told = done.err.strip().splitlines()
    assert problem.endswith("closed: cannot be read (Permission denied); check its permissions")
    assert ("all else was loaded" in told) is not strict
    assert (tmp_path / "index").exists() is not strict


def test_a_strict_load_takes_nothing_where_one_document_is_broken(
    rirag: Run, tmp_path: Path
) -> None:
    refused = rirag("ingest", mixed(tmp_path / "mixed"), "--strict")
    assert (refused.code, refused.out) == (2, "")
    assert not (tmp_path / "rirag-index").exists()


def test_the_earlier_version_of_a_document_that_broke_stays(rirag: Run, tmp_path: Path) -> None:
    folder = mixed(tmp_path / "mixed")
    broken = folder / "broken.docx"
    broken.unlink()
    (folder / "fees.txt").write_text("Fees\n1.1 A firm must pay.\n")
    assert rirag("ingest", folder).code == 0
    (folder / "fees.txt").write_bytes(b"Fees\n1.1 A firm must pay 5 \x00\x01.\n")
    (folder / "good.txt").write_text("Complaints\n1.1 A firm must answer soon.\n")
    assert "fees.txt: not text, " in rirag("ingest", folder).err
    with search.open("rirag-index") as index:
        assert {one.text for one in index.passages()} == {
            "A firm must pay.", "A firm must answer soon.",
        }  # fmt: skip


def test_of_two_files_with_one_document_none_is_loaded(rirag: Run, tmp_path: Path) -> None:
    folder = tmp_path / "twice"
    folder.mkdir()
    head = "---\ndocument_id: fees\n---\n"
    (folder / "a.txt").write_text(f"{head}1.1 A firm must pay.\n")
    (folder / "b.txt").write_text(f"{head}1.1 Nobody must pay.\n")
    (folder / "good.txt").write_text("Complaints\n1.1 A firm must answer.\n")
    told = rirag("ingest", folder).err
    assert "both contain document 'fees', so both were left" in told
    assert "a.txt" in told
    with search.open("rirag-index") as index:
        assert [one.document_id for one in index.documents()] == ["good"]


def test_one_bad_record_is_left_out_alone(rirag: Run, tmp_path: Path) -> None:
    folder = mixed(tmp_path / "mixed")
    write_lines(folder / "records.jsonl", GOOD, "nonsense")
    done = rirag("ingest", folder)
    assert (done.code, "records.jsonl:2" in done.err) == (2, True)
    with search.open("rirag-index") as index:
        assert len(index.documents()) == 2


def test_a_granularity_is_refused_for_a_format_that_knows_none(rirag: Run, tmp_path: Path) -> None:
    write_lines(tmp_path / "a.jsonl", GOOD)
    assert rirag("ingest", "a.jsonl", "--granularity", "article").refused(2) == (
        "a.jsonl: the format jsonl has no granularity (only acts in XML, HTML and "
        "lex-articles have); leave out --granularity for this file"
    )
    assert not (tmp_path / "rirag-index").exists()


def test_all_problems_are_told_together_each_with_its_place(rirag: Run, tmp_path: Path) -> None:
    write_lines(tmp_path / "a.jsonl", {"ID": "1"}, GOOD, "nonsense")
    (tmp_path / "b.jsonl").touch()
    refused = rirag("ingest", "a.jsonl", "b.jsonl")
    assert refused.code == 2
    lines = refused.err.splitlines()
    assert [line.removeprefix("rirag: ").split(": ")[0] for line in lines] == [
        "a.jsonl:1",
        "a.jsonl:3",
        "b.jsonl",
        "What has a problem was left out; all else was loaded.",
    ]


def test_an_empty_folder_is_refused(rirag: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert "empty: the folder contains no file" in rirag("ingest", "empty").refused(2)


def test_an_id_twice_with_the_same_text_is_reported_once_kept(rirag: Run, tmp_path: Path) -> None:
    report = rirag("ingest", write_lines(tmp_path / "a.jsonl", GOOD, GOOD))
    assert report.code == 0
    assert (
        "1 passage given twice with the same ID, the second left out: ACT 1 (a.jsonl:2)"
        in report.out
    )


def test_an_id_twice_with_different_text_is_refused(rirag: Run, tmp_path: Path) -> None:
    write_lines(tmp_path / "a.jsonl", GOOD, {**GOOD, "Passage": "Another text."})
    sentence = rirag("ingest", "a.jsonl").refused(2)
    assert sentence.startswith("a.jsonl:2: the ID id-1 names another text at a.jsonl:1; ")


def test_an_id_of_another_document_is_refused_and_both_are_named(
    rirag: Run, tmp_path: Path
) -> None:
    rirag("ingest", write_lines(tmp_path / "a.jsonl", GOOD))
    write_lines(tmp_path / "b.jsonl", {**GOOD, "DocumentID": "OTHER"})
    sentence = rirag("ingest", "b.jsonl").refused(2)
    assert "'id-1'" in sentence
    assert "'OTHER'" in sentence
    assert "'ACT'" in sentence


def test_empty_and_endless_passages_are_loaded_and_reported(rirag: Run, tmp_path: Path) -> None:
    endless = "A firm must report widgets. " * 4800 + "Zebras are exempt."
    source = write_lines(tmp_path / "a.jsonl", record("1", ""), record("2", endless))
    report = rirag("ingest", source)
    assert report.code == 0
    assert "1 passage without text: found by number only." in report.out
    assert (
        "longer than the encoder reads (their ends are found by words only): ACT 2 (a.jsonl:2)"
        in report.out
    )
    found = rirag("search", "zebra exemption", "--json").json["hits"]
    assert [hit["passage_id"] for hit in found] == ["2"]
    assert len(found[0]["passage"].split()) > 19_000


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("--granularity", "word",
         "unknown granularity 'word'; choose one of point, clause, paragraph, article"),
        ("--titles", "nope.json", "nope.json: "),
        ("--index", "opensearch+http://me:secret@localhost:9200/rules",
         "the index opensearch+http://***@localhost:9200/rules must not hold a user or password"),
    ],
)  # fmt: skip
def test_bad_options_are_refused(
    rirag: Run, tmp_path: Path, option: str, value: str, sentence: str
) -> None:
    source = write_lines(tmp_path / "a.jsonl", GOOD)
    assert rirag("ingest", source, option, value).refused(2).startswith(sentence)
    assert not (tmp_path / "rirag-index").exists()


def test_the_second_of_two_writers_is_told_who_is_loading(rirag: Run, tmp_path: Path) -> None:
    source = write_lines(tmp_path / "a.jsonl", GOOD)
    rirag("ingest", source)
    with search.open("rirag-index") as index:
        encoder = index.describe().encoder
    with locate("rirag-index").load("rirag-index", encoder):
        sentence = rirag("ingest", source).refused(4)
    assert sentence.startswith(f"process {os.getpid()} is loading into rirag-index; wait until")
    assert rirag("ingest", source).code == 0


def test_a_folder_that_may_not_be_written_is_told(tmp_path: Path) -> None:
    source = write_lines(tmp_path / "a.jsonl", GOOD)
    (tmp_path / "locked").mkdir(mode=0o555)
    refused = run("ingest", source, "--index", "locked/index", cwd=tmp_path, privileged=False)
    sentence = refused.refused(5)
    assert sentence.startswith("cannot write the index locked/index: the folder is not writable")
    assert "change its permissions, or choose another with --index" in sentence


def test_several_workers_load_what_one_loads(rirag: Run, tmp_path: Path) -> None:
    source = write_lines(tmp_path / "a.jsonl", GOOD, record("2", "A firm must mend widgets."))
    report = rirag("ingest", source, "--workers", 2, "--json").json
    assert (report["encoded"], report["index"]["passages"]) == (2, 2)
    assert rirag("search", "mend widgets", "--json").json["hits"][0]["passage_id"] == "2"
