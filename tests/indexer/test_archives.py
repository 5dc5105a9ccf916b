"""The files of a ZIP archive are read as those of a folder are."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

import indexer
from indexer.readers import archives
from indexer.readers.zipped import open_zip
from search.errors import InputError

RULES = "1.\tSCOPE\n1.1\tKeepers hold oil.\n1.2\tThey sleep.\n"


def archive(path: Path, **files: str | bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files.items():
            packed.writestr(name, data)
    return path


def test_each_file_of_an_archive_is_a_document_and_what_is_none_is_named(tmp_path):
    path = archive(
        tmp_path / "law.zip",
        **{"a/lamp.txt": RULES, "b/oil.csv": "Article,Text\n1,Oil burns.\n", "README.md": "Hello",
           ".hidden.txt": RULES, "__MACOSX/x.txt": RULES, "old.ppt": "x", "in.zip": "PK"},
    )  # fmt: skip
    found = indexer.structure(path)
    assert [one.document_id for one in found.documents] == ["lamp", "oil"]
    assert found.documents[0].passages[0].source == "law.zip/a/lamp.txt:1"
    assert [Path(one.path).name for one in found.skipped] == ["README.md", "old.ppt", "in.zip"]
    assert len(found.losses) == 2


def test_a_broken_file_of_an_archive_leaves_the_others_loaded(tmp_path):
    path = archive(tmp_path / "law.zip", **{"lamp.txt": RULES, "bad.docx": "PK"})
    found = indexer.structure(path)
    assert [one.document_id for one in found.documents] == ["lamp"]
    assert len(found.refused) == 1
    assert found.refused[0].startswith(f"{path}/bad.docx: ")


def test_a_broken_archive_in_a_folder_leaves_the_other_files_loaded(tmp_path):
    (tmp_path / "lamp.txt").write_text(RULES)
    (tmp_path / "bad.zip").write_bytes(b"PK\x03\x04")
    found = indexer.structure(tmp_path)
    assert [one.document_id for one in found.documents] == ["lamp"]
    assert "bad.zip" in found.losses[0]


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"README.md": "Hello"}, "contains no file that rirag reads"),
        ({"lamp.txt": RULES + " " * (8 << 20)}, "unpacks to far more"),
    ],
)
def test_an_archive_without_a_readable_file_is_refused(tmp_path, files, problem):
    with pytest.raises(InputError, match=problem):
        indexer.structure(archive(tmp_path / "law.zip", **files))


def test_names_that_lead_out_of_an_archive_write_nothing_there(tmp_path):
    inner = tmp_path / "deep" / "deeper"
    inner.mkdir(parents=True)
    path = archive(inner / "law.zip", **{"../../evil.txt": RULES, "/abs.txt": RULES})
    found = indexer.structure(path)
    assert [one.document_id for one in found.documents] == ["evil", "abs"]
    assert not list(tmp_path.glob("*.txt"))
    assert not Path("/abs.txt").exists()


def test_the_list_of_an_archive_is_read_once(tmp_path, monkeypatch):
    opened: list[Path] = []

    def counting(path: Path) -> zipfile.ZipFile:
        opened.append(path)
        return open_zip(path)

    monkeypatch.setattr(archives, "open_zip", counting)
    path = archive(tmp_path / "law.zip", **{f"{n}.txt": RULES for n in range(5)})
    assert len(indexer.structure(path).documents) == 5
    assert opened == [path]
