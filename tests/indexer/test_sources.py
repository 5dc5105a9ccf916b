"""From what a user names to the files that are read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import indexer
from indexer.sources import find_sources
from search.errors import InputError

RECORD = {"ID": "a", "DocumentID": 1, "PassageID": "1", "Passage": "A."}


def write(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def names(*sources: Path) -> list[str]:
    return [file.name for file in find_sources(sources).files]


def test_a_folder_is_walked_in_natural_order(tmp_path):
    for name in ("10.json", "2.json", "1.json", "sub/3.json"):
        write(tmp_path / name, [RECORD])
    assert names(tmp_path) == ["1.json", "2.json", "10.json", "sub/3.json"]


def test_foreign_files_are_skipped_and_named(tmp_path):
    write(tmp_path / "1.json", [RECORD])
    write(tmp_path / "logo.png", "x")
    write(tmp_path / "README.md", "1.1 Install")
    write(tmp_path / "notes.txt", "Nothing is numbered here.")
    write(tmp_path / "questions.jsonl", {"question": "Who must report?"})
    write(tmp_path / "unseen.json", [{"Question": "Who must report?"}])
    write(tmp_path / ".git" / "x.json", [RECORD])
    write(tmp_path / "titles.json", {"1": "Rules"})
    found = find_sources([tmp_path])
    assert [file.name for file in found.files] == ["1.json"]
    assert {Path(file.path).name: file.reason for file in found.skipped} == {
        "logo.png": "no format that rirag reads",
        "README.md": "tells about the folder, is no regulation",
        "notes.txt": "no line begins with a number",
        "questions.jsonl": "its records have neither PassageID nor Passage",
        "unseen.json": "its records have neither PassageID nor Passage",
    }


def test_a_file_named_twice_is_read_once(tmp_path):
    path = write(tmp_path / "1.json", [RECORD])
    assert names(path, tmp_path, path) == ["1.json"]


def test_a_file_of_unknown_suffix_is_told_by_its_beginning(tmp_path):
    for name, content, reader in (
        ("a.data", json.dumps([RECORD]), "obliqa"),
        ("b.data", json.dumps(RECORD), "jsonl"),
        ("c.data", "1.1\tA.\n", "text"),
    ):
        (file,) = find_sources([write(tmp_path / name, content)]).files
        assert file.reader.name == reader


def test_a_given_format_wins_over_the_suffix(tmp_path):
    path = write(tmp_path / "1.json", json.dumps(RECORD))
    assert [p.id for p in indexer.read(path, format="jsonl")] == ["a"]


def test_missing_sources_and_empty_folders_are_told_together(tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(InputError) as refused:
        find_sources([tmp_path / "nothing.json", empty])
    assert str(refused.value).split("\n") == [
        f"{tmp_path}/nothing.json: no such file or folder; check the path",
        f"{empty}: the folder holds no file that rirag reads",
    ]


def test_no_source_at_all_is_refused():
    with pytest.raises(InputError, match="no source was given"):
        find_sources([])


def test_an_unknown_format_is_refused(tmp_path):
    with pytest.raises(InputError, match="unknown format 'docx'; choose one of auto, obliqa"):
        find_sources([tmp_path], "docx")


def test_a_file_without_any_known_format_is_refused(tmp_path):
    path = tmp_path / "scan.pdf"
    path.write_bytes(b"%PDF-1.7\0\0")
    with pytest.raises(InputError, match=r"scan\.pdf: none of the formats that rirag reads"):
        find_sources([path])


def test_titles_come_from_the_folder_or_the_one_above(tmp_path):
    write(tmp_path / "titles.json", {"1": "Above"})
    path = write(tmp_path / "documents" / "1.json", [RECORD | {"DocumentTitle": "Own"}])
    assert [p.document_title for p in indexer.read(path)] == ["Above"]
    write(path.parent / "titles.json", {"1": "Beside"})
    assert [p.document_title for p in indexer.read(path)] == ["Beside"]
    given = write(tmp_path / "given.json", {"2": "Other"})
    assert [p.document_title for p in indexer.read(path, titles=given)] == ["Own"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [('{"1": ', r"titles\.json:1: not JSON"), ("[1]", "expected an object such as")],
)
def test_wrong_titles_are_refused(tmp_path, content, problem):
    titles = write(tmp_path / "titles.json", content)
    path = write(tmp_path / "1.json", [RECORD])
    for options in ({}, {"titles": titles}):
        with pytest.raises(InputError, match=problem):
            list(indexer.read(path, **options))
