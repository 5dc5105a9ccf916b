"""From what a user names to the files that are read."""

from __future__ import annotations

import errno
import json
import os
import re
import socket
from pathlib import Path

import pytest
from coded import coded

import indexer
from indexer.load.sources import find_sources
from indexer.problems import NOTHING_LOADED
from search.errors import InputError

RECORD = {"ID": "a", "DocumentID": 1, "PassageID": "1", "Passage": "A."}


def write(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def refusal(source: Path) -> str:
    with pytest.raises(InputError) as refused:
        find_sources([source])
    return str(refused.value)


def close(monkeypatch: pytest.MonkeyPatch, call: str, *paths: Path) -> None:
    """Let a call of the system refuse paths, as it does for a user who is not root."""
    allowed = getattr(os, call)

    def refuse(path: Path, *args: object, **kwargs: object) -> object:
        if Path(path) in paths:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return allowed(path, *args, **kwargs)

    monkeypatch.setattr(os, call, refuse)


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
        "logo.png": "not a format that rirag reads",
        "README.md": "a project file (README, licence, …), not a regulation",
        "notes.txt": "no line begins with a number",
        "questions.jsonl": "its records have neither PassageID nor Passage",
        "unseen.json": "its records have neither PassageID nor Passage",
    }


def test_a_text_whose_numbers_begin_far_down_is_read(tmp_path):
    recitals = "Whereas the protection of natural persons is a right.\n\n" * 2000
    write(tmp_path / "act.md", f"{recitals}Article 1\n\nThis Regulation protects.\n")
    write(tmp_path / "1.json", [RECORD])
    assert names(tmp_path) == ["1.json", "act.md"]


def test_a_policy_of_headings_without_numbers_is_read(tmp_path):
    write(tmp_path / "policy.md", "# Oil Policy\n\n## Purpose\n\nIt covers oil.\n")
    write(tmp_path / "note.md", "# Note\n\nBuy oil.\n")
    assert names(tmp_path) == ["policy.md"]


def test_a_document_of_one_sentence_is_read(tmp_path):
    write(tmp_path / "gifts.txt", "Gifts above 50 euro need approval by the compliance team.")
    write(tmp_path / "note.txt", "Ask the compliance team.")
    assert names(tmp_path) == ["gifts.txt"]


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
        f"{empty}: the folder contains no file that rirag reads",
    ]


def test_a_folder_without_sources_tells_why_its_files_were_skipped(tmp_path):
    for number in range(6):
        write(tmp_path / "sub" / f"{number}.png", "x")
    write(tmp_path / "notes.txt", "Nothing is numbered here.")
    reasons = [f"sub/{number}.png: not a format that rirag reads" for number in range(4)]
    listed = "; ".join(["notes.txt: no line begins with a number", *reasons, "and 2 more"])
    assert refusal(tmp_path) == (
        f"{tmp_path}: the folder contains no file that rirag reads ({listed})"
    )


@pytest.mark.parametrize("place", ["rirag-index", "sub/laws"])
def test_an_index_inside_the_sources_is_skipped_wherever_it_lies(tmp_path, place):
    write(tmp_path / "rules.txt", "1.1\tA.\n")
    index = tmp_path / place
    indexer.ingest(tmp_path, str(index))
    assert indexer.ingest(tmp_path, str(index)).unchanged == ("rules",)
    (index / "CURRENT").unlink()  # as while the first load goes on
    found = find_sources(tmp_path)
    assert [file.name for file in found.files] == ["rules.txt"]
    assert [(file.path, file.reason) for file in found.skipped] == [
        (str(index), "an index of rirag, not its sources")
    ]
    assert refusal(index) == f"{index}: is an index of rirag; give the folder of its sources"


@pytest.mark.parametrize(
    "content", ['{"note": "x"}', '{"note": ' + "[1, " * 50_000, '["a", "b"]', '"note"', "3"]
)
def test_json_that_is_no_list_of_records_is_skipped_in_a_folder_alone(tmp_path, content):
    write(tmp_path / "1.json", [RECORD])
    path = write(tmp_path / "settings.json", content)
    (skipped,) = find_sources(tmp_path).skipped
    assert (skipped.path, skipped.reason) == (str(path), "JSON, but not a list of records")
    with pytest.raises(InputError):
        list(indexer.read(path))


@pytest.mark.parametrize(
    "content", ["", "[]", "broken", "[3, {}]", json.dumps(RECORD), json.dumps({"rules": RECORD})]
)
def test_json_that_may_hold_records_is_never_skipped(tmp_path, content):
    write(tmp_path / "1.json", [RECORD])
    path = write(tmp_path / "2.json", content)
    with pytest.raises(InputError, match=re.escape(str(path))):
        list(indexer.read(tmp_path))


def test_a_single_source_needs_no_list(tmp_path):
    path = write(tmp_path / "1.json", [RECORD])
    for source in (path, str(path)):
        assert [file.name for file in find_sources(source).files] == ["1.json"]
        report = indexer.ingest(source, str(tmp_path / "index"))
        assert report.passages == 1


def test_a_folder_that_cannot_be_listed_is_refused(tmp_path, monkeypatch):
    write(tmp_path / "1.json", [RECORD])
    write(tmp_path / "closed" / "2.json", [RECORD])
    write(tmp_path / ".hidden" / "3.json", [RECORD])
    close(monkeypatch, "scandir", tmp_path / "closed", tmp_path / ".hidden")
    problem = "cannot be read (Permission denied); check its permissions"
    assert refusal(tmp_path) == f"{tmp_path}/closed: {problem}\n{NOTHING_LOADED}"
    assert refusal(tmp_path / "closed") == f"{tmp_path}/closed: {problem}"


@pytest.mark.parametrize("call", ["scandir", "stat"])
def test_what_of_a_folder_cannot_be_read_is_left_out_where_no_document_goes_on_in_it(
    tmp_path, monkeypatch, call
):
    good = write(tmp_path / "good.txt", "1.1\tA firm must pay.\n")
    other = write(tmp_path / "closed" / "other.txt", "1.1\tA firm must report.\n")
    closed = other.parent if call == "scandir" else other
    close(monkeypatch, call, closed)
    problem = f"{closed}: cannot be read (Permission denied); check its permissions"
    found = find_sources(tmp_path)
    assert [file.path for file in found.files] == [good]
    assert [str(one) for one in found.refused] == [problem]
    report = indexer.ingest(tmp_path, str(tmp_path / "index"))
    assert (report.added, report.refused) == (("good",), (problem,))
    assert indexer.structure(tmp_path).refused == (problem,)
    for strict in (lambda: indexer.ingest(tmp_path, str(tmp_path / "x"), strict=True),
                   lambda: list(indexer.read(tmp_path))):  # fmt: skip
        with pytest.raises(InputError) as refused:
            strict()
        assert str(refused.value) == f"{problem}\n{NOTHING_LOADED}"


def test_a_missing_source_is_told_with_what_cannot_be_read(tmp_path, monkeypatch):
    write(tmp_path / "good.txt", "1.1\tA firm must pay.\n")
    (tmp_path / "closed").mkdir()
    close(monkeypatch, "scandir", tmp_path / "closed")
    with pytest.raises(InputError) as refused:
        find_sources([tmp_path, tmp_path / "nowhere"])
    told = str(refused.value).split("\n")
    assert [line.split(": ")[0] for line in told[:2]] == [f"{tmp_path}/nowhere",
                                                         f"{tmp_path}/closed"]  # fmt: skip


def test_what_cannot_be_looked_at_is_refused(tmp_path, monkeypatch):
    write(tmp_path / "1.json", [RECORD])
    path = write(tmp_path / "2.json", [RECORD])
    close(monkeypatch, "stat", path)
    problem = f"{path}: cannot be read (Permission denied); check its permissions"
    assert refusal(tmp_path) == f"{problem}\n{NOTHING_LOADED}"
    assert refusal(path) == problem


def test_links_that_lead_nowhere_or_to_folders_are_skipped_and_named(tmp_path):
    path = write(tmp_path / "rules" / "1.json", [RECORD])
    write(tmp_path / "more" / "2.json", [RECORD])
    (path.parent / "gone.json").symlink_to("nowhere.json")
    (path.parent / "round.json").symlink_to("round.json")
    (path.parent / "more").symlink_to(tmp_path / "more")
    found = find_sources(path.parent)
    assert [file.path for file in found.files] == [path]
    assert {Path(file.path).name: file.reason for file in found.skipped} == {
        "gone.json": "a broken link",
        "round.json": "a broken link",
        "more": "a link to a folder; give that folder to load it",
    }


def test_a_pipe_is_refused_and_skipped_in_a_folder(tmp_path):
    write(tmp_path / "1.json", [RECORD])
    pipe = tmp_path / "2.json"
    os.mkfifo(pipe)
    assert refusal(pipe) == f"{pipe}: is a pipe, not a file; save it first"
    (skipped,) = find_sources(tmp_path).skipped
    assert (skipped.path, skipped.reason) == (str(pipe), "a pipe, not a file")


def test_devices_and_sockets_are_refused(tmp_path, monkeypatch):
    assert refusal(Path("/dev/null")) == "/dev/null: is a device, not a file; save it first"
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s.json")
        assert refusal(Path("s.json")) == "s.json: is a socket, not a file; save it first"


@pytest.fixture
def misnamed(tmp_path):
    """A numbered text whose name is not UTF-8."""
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt"))
    try:
        path.write_text("1.1\tA.\n")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    return path


@pytest.mark.parametrize("by_name", [False, True])
def test_a_file_whose_name_is_not_utf8_is_left_out_and_named(
    tmp_path, tmp_path_factory, misnamed, by_name
):
    good = write(tmp_path / "good.txt", "1.1\tB.\n")
    sources = [misnamed, good] if by_name else [tmp_path]
    url = str(tmp_path_factory.mktemp("index") / "index")
    report = indexer.ingest(sources, url)
    problem = f"{tmp_path}/caf\\udce9.txt: the name of the file is not UTF-8; rename it"
    assert (report.added, report.refused) == (("good",), (problem,))
    whole = f"{problem}\n{NOTHING_LOADED}"
    for given, strict, message in ((sources, True, whole), ([misnamed], False, problem)):
        with pytest.raises(InputError) as refused:
            indexer.ingest(given, url, strict=strict)
        assert str(refused.value) == message


def test_a_file_whose_name_is_not_utf8_is_named_wherever_it_is_skipped_or_refused(
    tmp_path, misnamed
):
    write(tmp_path / "1.json", [RECORD])
    scan = misnamed.with_suffix(".png")
    scan.write_bytes(b"II*\0\0")
    (skipped,) = find_sources(tmp_path).skipped
    assert skipped.path == f"{tmp_path}/caf\\udce9.png"
    assert refusal(scan).startswith(f"{tmp_path}/caf\\udce9.png: ")
    with pytest.raises(InputError, match=r"caf\\udce9\.txt: the format text has no granularity"):
        find_sources(misnamed, granularity="point")


def test_records_in_a_file_whose_name_is_not_utf8_are_refused(tmp_path, misnamed):
    misnamed.rename(misnamed.with_suffix(".png"))
    write(tmp_path / "good.txt", "1.1\tB.\n")
    write(misnamed.with_suffix(".jsonl"), RECORD)
    report = indexer.ingest(tmp_path, str(tmp_path / "index"))
    assert "the name of the file is not UTF-8" in report.refused[0]
    assert report.added == ("good",)


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_a_name_that_no_file_can_have_is_refused(name):
    assert refusal(Path(name)).endswith(": no such file or folder; check the path")


def test_no_source_at_all_is_refused():
    with pytest.raises(InputError, check=coded("source.missing")):
        find_sources([])


def test_an_unknown_format_is_refused(tmp_path):
    with pytest.raises(InputError, match="unknown format 'tiff'; choose one of auto, "):
        find_sources([tmp_path], "tiff")


def test_a_file_without_any_known_format_is_refused(tmp_path):
    path = tmp_path / "scan.bin"
    path.write_bytes(b"II*\0\0")
    with pytest.raises(InputError, match=r"scan\.bin: not in a format that rirag reads"):
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
    [
        ('{"1": ', r"titles\.json:1: not valid JSON"),
        ("[1]", r'expected an object such as {"1": "Conduct Rules"}, found a list'),
        ('{"1": "A", "2": 5}', r"found a number as the title of '2'"),
        ('{"1": "A", "1": "B"}', r"titles\.json: '1' has two titles; keep one"),
        ("[" * 100_000, r"titles\.json: JSON that cannot be used \(lists or records are nested"),
    ],
)
def test_wrong_titles_are_refused(tmp_path, content, problem):
    titles = write(tmp_path / "titles.json", content)
    path = write(tmp_path / "1.json", [RECORD, RECORD | {"ID": "b"}])
    for options in ({}, {"titles": titles}):
        with pytest.raises(InputError, match=problem) as refused:
            list(indexer.read(path, **options))
        assert "\n" not in str(refused.value)


def test_titles_that_are_not_utf8_are_refused_with_the_line(tmp_path):
    (tmp_path / "titles.json").write_bytes(b'{"1":\n "R\xe8gles"}')
    path = write(tmp_path / "1.json", [RECORD])
    with pytest.raises(InputError, match=r"titles\.json:2: byte 4 of the line is not UTF-8"):
        list(indexer.read(path))


def test_the_lock_that_word_keeps_beside_an_open_document_is_skipped_and_named(tmp_path):
    write(tmp_path / "1.json", [RECORD])
    write(tmp_path / "~$rules.docx", "\x05Author")
    (skipped,) = find_sources(tmp_path).skipped
    assert Path(skipped.path).name == "~$rules.docx"
    assert skipped.reason == "the lock of a file that is open in Word, not a document"
