"""`import rirag`: load, open, search, ask and verify, and the guard before them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import rirag
from search.errors import InputError

ROOT = Path(__file__).resolve().parents[2]
NOTICE = "1\tNOTICE\n1.1\tA firm must give notice of a new branch within ten days.\n"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("front")
    (folder / "notice.txt").write_text(NOTICE, encoding="utf-8")
    report = rirag.load(folder / "notice.txt", folder / "index", format="text", strict=True)
    assert report.added == ("notice",)
    assert str(report) == report.summary()
    return folder / "index"


def test_hits_and_answers_print_as_people_read_them(index: Path) -> None:
    with rirag.open(index) as rules:
        result = rules.search("notice of a new branch", k=1)
        answer = rules.ask("When must a firm give notice of a new branch?")
    assert [hit.passage_id for hit in result] == ["1.1"]
    assert len(result) == 1
    assert str(result) == (
        "1. notice 1.1: A firm must give notice of a new branch within ten days."
    )
    assert str(answer).endswith("Sources:\n[1] notice 1.1, NOTICE")
    checked = rirag.verify(answer)
    assert [one.verdict for one in checked] == ["supported"]
    assert str(checked) == "1 of 1 statements supported."
    assert rirag.verify(answer.to_json()) == checked


def test_one_question_needs_no_open_index(index: Path) -> None:
    found = rirag.search("branch", filters={"document": ["notice"]}, index=index)
    assert found.hits[0].passage_id == "1.1"
    assert rirag.ask("Who must give notice?", index=index, mode="extractive").mode == "extractive"


def test_a_long_passage_is_shown_by_its_first_words() -> None:
    passage = rirag.Passage("1", "FEES", "1.1", "A  firm\nmust pay " + "and pay again " * 50)
    assert str(passage).startswith("FEES 1.1: A firm must pay and pay again")
    assert str(passage).endswith("…")
    assert len(str(passage)) < 220


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (lambda: rirag.open(3), "the index must be a text or a path, not 3"),
        (lambda: rirag.load("notice.txt", encoder="none"), "unknown encoder 'none'"),
        (lambda: rirag.open(colour="red"), "unknown setting 'colour'"),
        (lambda: rirag.verify({"text": "A firm must pay."}), "this is not an answer"),
    ],
)
def test_what_cannot_be_used_is_refused(given, said: str) -> None:
    with pytest.raises(InputError, match=said):
        given()


HIDING = {"search": "search.py", "indexer": "indexer/__init__.py", "generation": "generation.py"}


@pytest.mark.parametrize(("package", "file"), HIDING.items())
def test_what_hides_a_package_is_named(package: str, file: str, tmp_path: Path) -> None:
    hiding = tmp_path / file.partition("/")[0]
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).touch()
    told = f"{hiding} hides the package '{package}' of rirag; rename it, or remove {tmp_path}"
    imported = started(tmp_path, "-c", "import rirag")
    assert imported.returncode == 1
    assert f"ImportError: {told}" in imported.stderr.splitlines()[-1]
    command = started(tmp_path, "-m", "rirag", "--help")
    assert command.returncode == 1
    assert command.stderr == f"rirag: {told} from the Python path\n"


def test_a_folder_without_code_hides_nothing(tmp_path: Path) -> None:
    (tmp_path / "search").mkdir()
    assert started(tmp_path, "-c", "import rirag; rirag.Hit").returncode == 0


def started(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder that comes first on its path."""
    path = os.pathsep.join([str(folder), str(ROOT)])
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env={**os.environ, "PYTHONPATH": path},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
