"""Texts are read whole, and files are written whole or not at all."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from rirag.files import read_text, refuse_output, sha256_of, write_text
from search.errors import InputError, StorageError


def test_a_text_from_windows_is_read_as_any_other(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"\xef\xbb\xbfone\r\ntwo")
    assert read_text(file) == "one\ntwo"


def test_a_file_without_text_is_refused_where_one_is_needed(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text(" \n")
    assert read_text(file, may_be_empty=True) == " \n"
    with pytest.raises(InputError, match="file: the file is empty"):
        read_text(file)


def test_the_hash_is_that_of_the_bytes(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"abc")
    assert sha256_of(tmp_path / "file").startswith("ba7816bf8f01cfea")


def test_a_link_stays_and_what_it_points_to_is_replaced(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    link.symlink_to(real)
    write_text(link, "new", "the report")
    assert link.is_symlink()
    assert real.read_text() == "new"


def test_a_pipe_is_written_to_and_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_text(pipe, "new", "the report")
    reader.join(10)
    assert read == ["new"]
    assert pipe.is_fifo()


def test_a_link_to_a_pipe_is_written_to_as_the_pipe_is() -> None:
    reading, writing = os.pipe()
    link = Path(f"/dev/fd/{writing}")
    refuse_output(link, "the report")
    write_text(link, "new", "the report")
    assert os.read(reading, 10) == b"new"
    os.close(reading)
    os.close(writing)


def test_a_full_device_is_told_and_stays() -> None:
    with pytest.raises(StorageError, match="/dev/full: the report cannot be written: No space"):
        write_text(Path("/dev/full"), "new", "the report")
    assert Path("/dev/full").is_char_device()


def test_what_cannot_be_written_leaves_what_was_there(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(StorageError, match="the report cannot be written"):
        write_text(folder, "new", "the report")
    assert list(tmp_path.iterdir()) == [folder]


def test_an_output_that_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    read, link = tmp_path / "read", tmp_path / "link"
    read.write_text("read")
    link.symlink_to(read)
    for one in (read, link, tmp_path / "." / "read"):
        with pytest.raises(
            InputError, match="the report would replace this file, which is an input"
        ):
            refuse_output(one, "the report", [None, tmp_path / "other", read])
    with pytest.raises(StorageError, match="cannot be written: this is a folder; give a file"):
        refuse_output(tmp_path, "the report")
    with pytest.raises(StorageError, match="cannot be written: the folder "):
        refuse_output(tmp_path / "none" / "file", "the report")
    for one in (read, link, tmp_path / "new", Path("/dev/null")):
        refuse_output(one, "the report")
    assert read.read_text() == "read"


def test_a_folder_that_is_read_only_is_told_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write anywhere
    with pytest.raises(StorageError, match=r"cannot be written: the folder .* is read-only"):
        refuse_output(tmp_path / "new", "the report")
