"""The command line over the sample rulebook."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from cli_support import Outcome, Run, is_setting
from sample import RULEBOOK, ingest_rulebook, write_lines

import search


@pytest.fixture(scope="session")
def rulebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the sample rulebook's index; not to be changed."""
    return ingest_rulebook(tmp_path_factory.mktemp("cli") / "rulebook")


@pytest.fixture(autouse=True)
def clean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory, and an environment without settings."""
    for name in filter(is_setting, list(os.environ)):
        monkeypatch.delenv(name)
    monkeypatch.setenv("RIRAG_SEARCH_HELP", "false")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def rirag(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command in this process, from its entry point: exit code, output and errors."""

    def run(*arguments: object) -> Outcome:
        from rirag.cli import main

        monkeypatch.setattr(sys, "argv", ["rirag", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as exit_:
            main()
        out, err = capsys.readouterr()
        return Outcome(exit_.value.code or 0, out, err)

    return run


@pytest.fixture(scope="session")
def judged(rulebook: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The questions of the sample rulebook that have answers: as ObliQA's JSON, and as JSONL."""
    obliqa = RULEBOOK / "questions.json"
    with search.open(str(rulebook)) as index:
        ids = {(one.document_id, one.passage_id): one.id for one in index.passages()}
    records = [
        {
            "question_id": one["QuestionID"],
            "question": one["Question"],
            "relevant": [ids[gold["DocumentID"], gold["PassageID"]] for gold in one["Passages"]],
        }
        for one in json.loads(obliqa.read_text(encoding="utf-8"))
    ]
    return obliqa, write_lines(tmp_path_factory.mktemp("judged") / "lines.jsonl", *records)
