"""`rirag ingest --history`: what it takes and what it says."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from cli_support import Run

LAW = "---\ntitle: Lamp Act\n---\n# Lamp Act\n\n## Section 1 Lamps\n\nEvery lamp burns until {}.\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "laws"

    def git(*arguments: str) -> None:
        who = ("-c", "user.name=test", "-c", "user.email=test@localhost")
        subprocess.run(["git", "-C", str(folder), *who, *arguments], check=True)

    folder.mkdir()
    git("init", "-q")
    for end, day in (("sunrise", "2020-01-01"), ("noon", "2022-07-01")):
        (folder / "lamps.md").write_text(LAW.format(end))
        git("add", "-A")
        git("commit", "-q", "-m", f"Change\n\nSource-Date: {day}")
    return folder


def test_commits_are_loaded_as_versions(rirag: Run, repository: Path) -> None:
    shown = rirag("ingest", "--history", repository, "--path", "*.md")
    assert shown.code == 0
    assert "lamps 2022-07-01: 0 rules added, 1 changed, 0 repealed, 0 moved;" in shown.out
    again = rirag("ingest", "--history", repository, "--json").json
    assert (again["added"], again["changed"], again["passages"]) == ([], [], 0)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Missing argument 'SOURCE…'"),
        (("laws/lamps.md", "--history", "laws"), "a history is loaded alone"),
        (("--history", "laws", "--prune"), "a history is loaded alone"),
    ],
)
def test_a_repository_is_loaded_alone(
    rirag: Run, repository: Path, arguments: tuple[str, ...], said: str
) -> None:
    shown = rirag("ingest", *arguments)
    assert (shown.code, shown.out) == (2, "")
    assert said in shown.err
