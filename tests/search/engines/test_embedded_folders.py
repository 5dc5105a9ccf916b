"""Folders that are no index, belong to someone else, or may only be read."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from coded import coded
from engine_samples import ENCODER, IndexUnderTest, put, question, texts, vector
from processes import finish, start

from search.engines.embedded import EmbeddedBackend, layout
from search.errors import IndexUnavailableError, RiragError, StorageError

SOMEBODY = 65534
"""The user `nobody`."""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that every user may enter, unlike pytest's own."""
    path = Path(tempfile.mkdtemp())
    path.chmod(0o755)
    yield path
    for below in (path, *path.rglob("*")):
        if below.is_dir():
            below.chmod(0o755)
    shutil.rmtree(path)


@pytest.fixture
def index(folder: Path) -> IndexUnderTest:
    made = IndexUnderTest(EmbeddedBackend(), str(folder / "index"))
    made.write(texts("A", "a fund reports", "a broker reports"))
    return made


def forbid_writing(root: Path) -> None:
    for path in (root, *root.rglob("*")):
        path.chmod(stat.S_IMODE(path.stat().st_mode) & ~0o222)


def as_somebody(*arguments: object) -> dict[str, str]:
    """Open, search and load in a process that has no right to write; return what each said."""
    process = start("unprivileged.py", SOMEBODY, *arguments)
    code, output, errors = finish(process)
    assert (code, errors) == (0, "")
    return dict(line.split(": ", 1) for line in output.splitlines())


def test_a_read_only_folder_can_be_searched(index: IndexUnderTest) -> None:
    root = Path(index.url)
    before = sorted(path.relative_to(root) for path in root.rglob("*"))
    forbid_writing(root)
    said = as_somebody(root)
    assert said["open"] == "2 passages"
    assert said["search"] == "A/1 A/2"
    assert said["verify"] == "[]"
    assert sorted(path.relative_to(root) for path in root.rglob("*")) == before


def test_an_index_of_another_user_can_be_searched(index: IndexUnderTest) -> None:
    assert as_somebody(index.url)["search"] == "A/1 A/2"


def test_loading_into_a_read_only_folder_is_refused_in_a_sentence(index: IndexUnderTest) -> None:
    forbid_writing(Path(index.url))
    said = as_somebody(index.url)
    assert said["load"].startswith(f"StorageError cannot write the index {index.url}: ")
    assert "--index" in said["load"]
    with index.opened() as engine:
        assert engine.verify() == []


def test_a_new_index_in_a_read_only_folder_is_refused_in_a_sentence(folder: Path) -> None:
    said = as_somebody(folder / "deep" / "index")
    assert said["load"].startswith("StorageError cannot write the index")
    assert said["open"].startswith("IndexUnavailableError")
    assert not (folder / "deep").exists()


@pytest.fixture
def read_only_mount(folder: Path) -> Iterator[Path]:
    """A disk that is mounted read-only, with an index on it."""
    mount = folder / "disk"
    mount.mkdir()
    if (
        os.geteuid() != 0
        or subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", mount],
            capture_output=True,
            check=False,
        ).returncode
    ):
        pytest.skip("needs the right to mount a file system")
    try:
        IndexUnderTest(EmbeddedBackend(), str(mount / "index")).write(texts("A", "a fund reports"))
        subprocess.run(["mount", "-o", "remount,ro", mount], check=True)
        yield mount
    finally:
        subprocess.run(["umount", "--lazy", mount], check=True)


def test_a_read_only_disk_can_be_searched_but_not_loaded(read_only_mount: Path) -> None:
    index = IndexUnderTest(EmbeddedBackend(), str(read_only_mount / "index"))
    with pytest.raises(StorageError, match=r"read-only.*--index"):
        index.begin()
    with index.opened() as engine:
        assert engine.describe().passages == 1
        assert engine.verify() == []


@pytest.mark.parametrize("kind", ["nothing", "file", "empty folder", "other files"])
def test_opening_what_is_no_index_says_so(folder: Path, kind: str) -> None:
    path = folder / "place"
    if kind == "file":
        path.write_text("not a folder")
    elif kind != "nothing":
        path.mkdir()
    if kind == "other files":
        (path / "notes.txt").write_text("mine")
    with pytest.raises(IndexUnavailableError, match=r"place.*rirag ingest") as error:
        EmbeddedBackend().open(str(path))
    assert "\n" not in str(error.value)
    if kind != "file":
        assert not EmbeddedBackend().exists(str(path))


def test_loading_into_a_file_is_refused(folder: Path) -> None:
    path = folder / "file"
    path.write_text("mine")
    for url in (path, path / "below"):
        with pytest.raises(StorageError, match="--index"):
            EmbeddedBackend().load(str(url), ENCODER)
    assert path.read_text() == "mine"


def test_files_of_others_in_the_folder_are_left_alone(folder: Path) -> None:
    mine = [folder / "notes.txt", folder / "generations" / "of cars" / "list.txt"]
    for path in mine:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("mine")
    index = IndexUnderTest(EmbeddedBackend(), str(folder))
    try:
        index.write(texts("A", "one"))
        index.write(texts("A", "two"))
    except RiragError:
        pass  # refusing a folder that holds other things is as good
    assert [path.read_text() for path in mine] == ["mine", "mine"]


def test_a_folder_of_other_files_is_no_place_for_an_index(folder: Path) -> None:
    (folder / ".hidden").write_text("mine")
    disk = folder / "disk"
    (disk / "lost+found").mkdir(parents=True)
    for place in (folder / "index", disk):
        EmbeddedBackend().load(str(place), ENCODER).__exit__(None)
    (folder / "policy.docx").write_text("mine")
    with pytest.raises(IndexUnavailableError) as refused:
        EmbeddedBackend().load(str(folder), ENCODER)
    assert refused.value.code == "index.foreign"
    names = {one.name for one in folder.iterdir()}
    assert names == {".hidden", "disk", "index", "policy.docx"}


@pytest.mark.parametrize("name", ["lock", "pending.sqlite", "generations/000001/x"])
def test_files_of_others_under_our_names_are_refused_and_stay(folder: Path, name: str) -> None:
    theirs = folder / name
    theirs.parent.mkdir(parents=True, exist_ok=True)
    theirs.write_text("precious")
    with pytest.raises(IndexUnavailableError, match=r"was not written by rirag.*--index"):
        EmbeddedBackend().load(str(folder), ENCODER)
    assert theirs.read_text() == "precious"


def test_what_may_not_be_read_is_no_damage(index: IndexUnderTest) -> None:
    for name in ("CURRENT", "generations/000001/passages.sqlite"):
        path = Path(index.url, name)
        mode = path.stat().st_mode
        path.chmod(0)
        assert "check its permissions" in as_somebody(index.url)["open"]
        path.chmod(mode)


def test_verifying_a_replaced_state_tells_to_open_the_index_again(index: IndexUnderTest) -> None:
    with index.opened() as engine:
        for words in ("one", "two", "three"):
            index.write(texts("A", words))
        with pytest.raises(IndexUnavailableError, check=coded("index.replaced")):
            engine.verify()


def test_only_the_current_and_the_previous_state_take_room(index: IndexUnderTest) -> None:
    for i in range(4):
        index.write(texts("A", f"version {i}"))
    names = sorted(path.name for path in (Path(index.url) / layout.GENERATIONS).iterdir())
    assert names == ["000004", "000005"]


def test_a_folder_can_be_moved_and_copied(index: IndexUnderTest, folder: Path) -> None:
    before = index.content()
    shutil.copytree(index.url, folder / "copy")
    moved = shutil.move(index.url, folder / "moved")
    for place in (folder / "copy", moved):
        assert IndexUnderTest(EmbeddedBackend(), str(place)).content() == before


def test_a_damaged_store_of_unfinished_vectors_is_only_lost_time(index: IndexUnderTest) -> None:
    (Path(index.url) / layout.PENDING).write_bytes(b"not a database" * 500)
    with index.begin() as load:
        put(load, texts("B", "two"))
        assert load.commit().documents == 2


def test_closing_frees_the_files_though_the_engine_is_still_there(index: IndexUnderTest) -> None:
    with index.opened() as engine:
        engine.run(question("one"))
        assert _maps_of(index.url) > 0
        engine.close()
        assert _maps_of(index.url) == 0
        engine.close()
        with pytest.raises(IndexUnavailableError, check=coded("index.closed")):
            engine.run(question("one"))


def _maps_of(folder: str) -> int:
    """How many files of a folder this process has mapped or opened."""
    maps = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    opened = [str(path.resolve()) for path in Path("/proc/self/fd").iterdir()]
    return sum(str(Path(folder).resolve()) in one for one in [*maps, *opened])


def test_what_is_closed_while_it_is_read_is_not_called_damaged(index: IndexUnderTest) -> None:
    with index.opened() as engine:
        engine.close()
        with pytest.raises(IndexUnavailableError, check=coded("index.closed")):
            engine.passages([0])


def test_a_locked_file_does_not_cost_the_vectors_of_an_unfinished_load(
    index: IndexUnderTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = Path(index.url)
    with index.begin() as load:
        load.add_vectors(["new"], vector("broker")[None])
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, timeout=0))
    with closing(sqlite3.connect(root / layout.PENDING)) as somebody:
        somebody.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StorageError, match="locked"):
            index.begin()
    assert [one.name for one in (root / layout.GENERATIONS).iterdir()] == ["000001"]
    with index.begin() as load:
        assert load.known_vectors(["new"]) == {"new"}
