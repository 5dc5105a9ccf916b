"""Files that are whole or not there."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from rirag.files import write_text
from search.errors import StorageError


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
