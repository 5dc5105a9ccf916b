"""Every field that `--json` prints is explained in docs/json.md or docs/json-evaluation.md."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from pages import ROOT

import indexer
from generation import Call, Completion, Message, Prompt, Trace
from generation.delegate.legal_trace import Challenge, Finding, LegalTrace, Quote, Step
from rirag.cli import rirag

ANY_KEY = {
    "metadata",
    "filters",
    "milliseconds",
    "measures",
    "per_question",
    "candidates",
    "because",
    "facts",
    "groups",
}
"""Fields whose keys are names: from the index, from the question file, or of what was measured."""

GOLD = [
    {
        "QuestionID": "q",
        "Question": "annual fee",
        "Passages": [{"DocumentID": "GOVN", "PassageID": "APP1.A1.2"}],
    }
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an index of the sample rulebook, and a question file."""
    folder = tmp_path_factory.mktemp("json")
    indexer.ingest([ROOT / "examples" / "rulebook"], str(folder / "index"))
    (folder / "gold.json").write_text(json.dumps(GOLD), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "command",
    [
        "search annual --neighbours 1 --explain",
        "ask COND:6.2.2",
        "documents list",
        "documents show COND 6.2.2",
        "doctor",
        "evaluate retrieval gold.json --per-question --compare gold.run",
        "evaluate ablation gold.json --no-keywords --no-rerank",
        "questions add gold.json",
        "questions list",
        "ingest RULEBOOK",
        "reindex",
    ],
)
def test_each_field_is_explained(command: str, folder: Path, monkeypatch) -> None:
    monkeypatch.chdir(folder)
    if "gold.run" in command:
        run("evaluate retrieval gold.json --run gold.run")

    assert sorted(set(fields(json.loads(run(f"{command} --json")))) - explained()) == []


@pytest.mark.parametrize(
    "record",
    [
        *(Call, Completion, Message, Prompt, Trace),
        *(Challenge, Finding, LegalTrace, Quote, Step),
    ],
)
def test_each_field_of_what_no_quick_command_prints_is_explained(record: type) -> None:
    assert [one.name for one in dataclasses.fields(record) if one.name not in explained()] == []


def explained() -> set[str]:
    """Return the names that the page of JSON forms explains."""
    pages = [ROOT / "docs" / name for name in ("json.md", "json-evaluation.md")]
    return {name for page in pages for name in re.findall(r"`(\w+)`", page.read_text("utf-8"))}


def run(command: str) -> str:
    """Run a command on the index and return what it prints."""
    words = [word.replace(":", " ") for word in command.split()]
    words = [str(ROOT / "examples" / "rulebook") if w == "RULEBOOK" else w for w in words]
    result = CliRunner().invoke(rirag, [*words, "--index", "index"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def fields(value: Any) -> Iterator[str]:
    """Yield the names of all fields of a JSON value."""
    if isinstance(value, list):
        for one in value:
            yield from fields(one)
    elif isinstance(value, dict):
        for name, one in value.items():
            yield name
            if name not in ANY_KEY:
                yield from fields(one)
