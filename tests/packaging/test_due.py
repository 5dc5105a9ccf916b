"""Long checks run when their files have changed, or when they last passed long ago."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "scripts").mkdir()
    for name in ("due", "environment"):
        shutil.copy(SCRIPTS / name, tmp_path / "scripts")
    (tmp_path / ".ci").mkdir()
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "a.txt").write_text("one", encoding="utf-8")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", "models")
    git(tmp_path, "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "first")
    return tmp_path


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(folder), *arguments], check=True)


def due(repository: Path, *arguments: str) -> bool:
    done = subprocess.run(
        [str(repository / "scripts" / "due"), *arguments], cwd=repository, check=False
    )
    return done.returncode == 0


def test_a_check_is_due_until_it_has_passed_with_the_files_as_they_are(repository: Path) -> None:
    assert due(repository, "long", "models")
    due(repository, "--passed", "long", "models")
    due(repository, "--passed", "other", "models")
    assert not due(repository, "long", "models")
    (repository / "models" / "a.txt").write_text("two", encoding="utf-8")
    assert due(repository, "long", "models")


def test_a_check_that_passed_long_ago_is_due(repository: Path) -> None:
    due(repository, "--passed", "long", "models")
    record = repository / ".ci" / "passed"
    name, files, day = record.read_text(encoding="utf-8").split()
    record.write_text(f"{name} {files} {int(day) - 15}\n", encoding="utf-8")
    assert due(repository, "long", "models")
    record.write_text(f"{name} {files} {int(day) - 13}\n", encoding="utf-8")
    assert not due(repository, "long", "models")
