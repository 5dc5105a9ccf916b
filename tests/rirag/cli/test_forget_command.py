"""`rirag forget`: what a server stored of questions and answers is deleted."""

from __future__ import annotations

from pathlib import Path

import pytest

from rirag.server.storage.answers import Answers, Feedback
from rirag.server.storage.database import Database
from tests.cli_support import Run


@pytest.fixture
def stored(tmp_path: Path) -> tuple[Path, list[str]]:
    """The folder of a server with three answers, the first of 2020, each with feedback."""
    database = Database(tmp_path)
    answers, feedback = Answers(database), Feedback(database)
    ids = [
        answers.add({"Question": f"Which rule {n}?"}, {}, maker="", bound="").id for n in range(3)
    ]
    for one in ids:
        feedback.add(one, "right", "", "", "")
    database.write("UPDATE answers SET created = '2020-01-01T00:00:00+00:00' WHERE id = ?", ids[0])
    database.close()
    return tmp_path, ids


def left(folder: Path) -> tuple[list[str], int]:
    database = Database(folder)
    answers = [row["id"] for row in database.all("SELECT id FROM answers ORDER BY rowid")]
    feedback = len(database.all("SELECT id FROM feedback"))
    database.close()
    return answers, feedback


def test_answers_are_deleted_by_age_and_by_id(rirag: Run, stored: tuple[Path, list[str]]) -> None:
    folder, ids = stored
    assert rirag("forget", "--older-than", 30, "--data", folder).out == "Answers deleted: 1.\n"
    assert left(folder) == (ids[1:], 2)
    assert rirag("forget", ids[1], "unknown", "--data", folder).out == "Answers deleted: 1.\n"
    assert left(folder) == (ids[2:], 1)
    rirag("forget", "--older-than", 0, "--data", folder)
    assert left(folder) == ([], 0)


def test_nothing_is_deleted_that_nobody_named(rirag: Run, stored: tuple[Path, list[str]]) -> None:
    folder, ids = stored
    assert "give their IDs, or --older-than" in rirag("forget", "--data", folder).refused(2)
    assert left(folder)[0] == ids
    other = folder / "no-server"
    other.mkdir()
    assert "not the folder of a server" in rirag("forget", "x", "--data", other).refused(2)
    assert not any(other.iterdir())
