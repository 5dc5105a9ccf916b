"""A file on which a reader fails is refused; the others are loaded."""

from __future__ import annotations

import errno
import logging
import re
from pathlib import Path
from zipfile import BadZipFile, ZipFile

import pytest
from cli_support import run_here
from lxml.etree import LxmlError

from indexer.readers.text.reader import TextReader
from indexer.review.structure import structure
from search.errors import CancelledError, StorageError

ERRORS = (
    ValueError("no such\nrule"),
    KeyError("rule"),
    IndexError("list index out of range"),
    AttributeError("no attribute"),
    AssertionError(),
    RecursionError("maximum recursion depth exceeded"),
    UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"),
    BadZipFile("no zip"),
    LxmlError("no element"),
    OSError("telling no number"),
)
REFUSED = "cannot be read because of an error in rirag ({}); save the file in another format"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "rules"
    folder.mkdir()
    for name in ("a", "broken", "z"):
        (folder / f"{name}.txt").write_text(f"1.1\tRule of {name}.\n1.2\tAnother of {name}.\n")
    return folder


@pytest.fixture
def fail(monkeypatch: pytest.MonkeyPatch):
    """Let a method of the reader of texts fail on the file `broken.txt`."""

    def fail(error: BaseException, method: str = "read") -> None:
        working = getattr(TextReader, method)

        def read(self, path, *more):
            for passage in working(self, path, *more):
                yield passage
                if path.name == "broken.txt":
                    raise error

        def foreign(self, beginning):
            if "broken" in beginning:
                raise error
            return working(self, beginning)

        monkeypatch.setattr(TextReader, method, read if method == "read" else foreign)

    return fail


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("method", ["read", "foreign"])
def test_whatever_a_reader_raises_refuses_its_file_alone(folder, fail, caplog, error, method):
    fail(error, method)
    with caplog.at_level(logging.INFO):
        found = structure(folder)
    assert [one.document_id for one in found.documents] == ["a", "z"]
    [refusal] = found.refused
    assert refusal.startswith(f"{folder}/broken.txt: {REFUSED.format(type(error).__name__)}")
    [report] = [one.message for one in caplog.records if one.name == "indexer.readers.files"]
    assert "\n" not in report
    assert re.search(
        rf"broken\.txt: {type(error).__name__}: .*\(indexer/load/\w+\.py:\d+\)$", report
    )


def test_a_file_of_an_archive_is_refused_alone_too(folder, fail):
    with ZipFile(folder / "more.zip", "w") as archive:
        archive.writestr("broken.txt", "5.1\tBroken.\n")
        archive.writestr("sound.txt", "5.1\tSound.\n")
    (folder / "broken.txt").unlink()
    fail(ValueError("no"))
    found = structure(folder)
    assert [one.document_id for one in found.documents] == ["a", "sound", "z"]
    assert found.refused[0].startswith(f"{folder}/more.zip/broken.txt: cannot be read because")


def test_what_the_system_says_of_a_file_is_its_refusal(folder, fail):
    fail(OSError(errno.EIO, "Input/output error"))
    assert structure(folder).refused == (
        f"{folder}/broken.txt: cannot be read (Input/output error); check its permissions",
    )


@pytest.mark.parametrize(
    "error",
    [
        KeyboardInterrupt(), MemoryError(), CancelledError("ended"), StorageError("full"),
        OSError(errno.ENOSPC, "No space left on device"), OSError(errno.EMFILE, "Too many files"),
    ],
    ids=repr,
)  # fmt: skip
def test_what_no_other_file_escapes_ends_the_run(folder, fail, error):
    fail(error)
    with pytest.raises(type(error)):
        structure(folder)


def test_the_command_names_the_file_and_on_request_what_a_report_needs(
    folder, fail, tmp_path, monkeypatch
):
    monkeypatch.setattr(logging.root, "handlers", [])
    monkeypatch.setattr(logging.getLogger("indexer"), "level", logging.NOTSET)
    fail(ValueError("no rule"))
    quiet = run_here("structure", folder, cwd=tmp_path)
    assert quiet.code == 2
    assert quiet.err.startswith(f"rirag: {folder}/broken.txt: {REFUSED.format('ValueError')}")
    told = run_here("structure", folder, "--verbose", cwd=tmp_path)
    assert (told.code, told.out) == (2, quiet.out)
    report, refusal = told.err.split("\n", 1)
    assert report.startswith(
        f"rirag: a reader failed on {folder}/broken.txt: ValueError: no rule ("
    )
    assert refusal == quiet.err
