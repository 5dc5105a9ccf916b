"""The built wheel, installed into an empty environment and used there."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from search.models.encoders import encoder_names
from search.models.rerankers import reranker_names

ROOT = Path(__file__).resolve().parents[2]
MOST_MEBIBYTES = 358
"""Of all files, compiled modules among them, without pip; `du` counts whole blocks, 28 more."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(ROOT, tmp_path_factory.mktemp("wheel"))


def built(source: Path, folder: Path) -> Path:
    """Build the wheel of a folder."""
    run(sys.executable, "-m", "build", "--wheel", "--outdir", folder, source)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("environment") / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    python = folder / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "-q", wheel)
    return folder


def run(*command: object, cwd: Path | None = None) -> str:
    result = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_the_wheel_takes_four_names_only(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        top = {name.partition("/")[0] for name in archive.namelist()}
    packages = {name for name in top if not name.endswith(".dist-info")}
    assert packages == {"indexer", "search", "generation", "rirag"}


def test_the_wheel_holds_what_is_no_code(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    for model in (*encoder_names(), *reranker_names()):
        files = ("model.onnx", "tokenizer.json", "LICENSE", "MODEL_CARD.md")
        assert {f"search/models/{model}/{name}" for name in files} <= names
    tables = (
        "search/ranking/profiles.toml", "rirag/messages.toml", "rirag/cli/options.toml",
        "search/engines/servers/connection/faults.toml", "search/models/faults.toml",
        "generation/llm/servers.toml", "generation/llm/models.toml",
    )  # fmt: skip
    assert set(tables) <= names
    assert {f"{name}/py.typed" for name in ("indexer", "search", "generation", "rirag")} <= names
    assert any(name.startswith("generation/prompts/") for name in names)


def test_a_fresh_environment_is_light_and_has_no_torch(environment: Path) -> None:
    size = sum(file.lstat().st_size for file in environment.rglob("*") if file.is_file())
    assert size < MOST_MEBIBYTES * 2**20
    assert not list(environment.glob("lib/python*/site-packages/torch"))


def test_the_installed_command_ingests_searches_and_answers(
    environment: Path, tmp_path: Path
) -> None:
    rirag = environment / "bin" / "rirag"
    assert "228 passages" in run(rirag, "ingest", ROOT / "examples" / "rulebook", cwd=tmp_path)
    assert "AMLR" in run(rirag, "search", "suspicious activity report", cwd=tmp_path)
    assert "[1]" in run(rirag, "ask", "What must a complaint handler do?", cwd=tmp_path)


def test_the_workbench_is_a_package_of_its_own(environment: Path, tmp_path: Path) -> None:
    rirag = environment / "bin" / "rirag"
    alone = subprocess.run(
        [rirag, "evaluate", "--help"], capture_output=True, text=True, check=False
    )
    assert (alone.returncode, alone.stdout) == (7, "")
    assert (
        alone.stderr == "rirag: `rirag evaluate` needs the workbench: pip install rirag-workbench\n"
    )

    wheel = built(ROOT / "workbench", tmp_path)
    python = environment / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", wheel)
    for command in ("evaluate", "study", "dataset", "train"):
        assert "Commands:" in run(rirag, command, "--help", cwd=tmp_path)
