"""The sample rulebook as an index, and questions about it whose answers are known."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sample import ingest_rulebook

import search

ROOT = Path(__file__).resolve().parent.parent.parent

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def rulebook_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rulebook") / "index"
    return ingest_rulebook(folder)


@pytest.fixture(scope="session")
def judged_questions(rulebook_index: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Questions that consist of a passage's own words, and a rule number that is right."""
    with search.open(str(rulebook_index)) as index:
        passages = [one for one in index.passages() if len(one.text.split()) > 25][::8]
    path = tmp_path_factory.mktemp("questions") / "judged.jsonl"
    lines = [
        {"question_id": f"q{i}", "question": passage.text, "relevant": [passage.id]}
        for i, passage in enumerate(passages)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture
def benchmark() -> Command:
    """Run a benchmark as a user does; whatever it warns about is an error."""

    def run(name: str, *arguments: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-W", "error", "-m", f"benchmarks.{name}", *map(str, arguments)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    return run


@pytest.fixture
def figures_of(benchmark: Command, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Run a benchmark; return its JSON, with `value`: name of a figure → value."""

    def run(name: str, *arguments: object) -> dict[str, Any]:
        path = tmp_path / "figures.json"
        done = benchmark(name, *arguments, "--json", path)
        assert done.returncode == 0, done.stderr
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        content["value"] = {one["name"].strip(): one["value"] for one in content["figures"]}
        content["printed"] = done.stdout
        return content

    return run
