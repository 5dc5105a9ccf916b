"""`--help` of everything, quick because nothing heavy is imported for it."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from cli_support import Run, environment, run

COMMANDS = {
    ("ingest",): """--index --encoder --format --granularity --footnotes --titles --workers
        --vectors --json elasticsearch+http""",
    ("encode",): "--output --shard --encoder --format --titles --workers --strict --json",
    ("structure",): "--tree --jsonl --check --format --granularity --footnotes --titles",
    ("reindex",): "--index --encoder --workers --rollback --json",
    ("search",): """--index -k --profile --filter --reranker --no-rerank --encoder --explain
        --neighbours --json""",
    ("ask",): """--questions --output --mode --stream --no-stream --llm-url --llm-model
        --filter-limit --filter-drop --filter-floor --trace --index -k --profile --filter --json""",
    ("documents",): "list show delete",
    ("documents", "list"): "--index --json",
    ("documents", "show"): "--index --json",
    ("documents", "delete"): "--index --yes",
    ("evaluate",): "retrieval ablation answers",
    ("evaluate", "report"): "--output",
    ("evaluate", "judge"): """--reference --examples --planted --cache --seed --llm-url --llm-model
        --json""",
    ("evaluate", "agreement"): "--rater --column --json",
    ("study",): "make score",
    ("dataset",): "build check split export",
    (
        "dataset",
        "build",
    ): """--output --passages --topics --groups --group-size --near-misses --unanswerable --each
        --best --requests --nli --seed --against --llm-url --llm-model --index --json""",
    ("dataset", "check"): "--against --json",
    ("dataset", "split"): "--output --by --shares --json",
    ("dataset", "export"): "--form --output --index",
    ("study", "make"): "--output --questions --planted --seed --title",
    ("study", "score"): "--key --weights --json",
    ("evaluate", "answers"): """--questions --compare --nli --repass --coverage-nli
        --obligations --closed-book --cache --report --per-question --index --json""",
    ("evaluate", "ablation"): """--untrained-index --training --html --no-keywords --sample
        --profile --reranker --no-rerank --index --json""",
    ("evaluate", "retrieval"): """--measures --run --from-run --compare --per-question --index
        --profile --filter --no-rerank --json""",
    ("train",): "pairs encoder reranker profile",
    ("train", "obligations"): "--output --json",
    ("train", "profile"): """--output --name --profile --reranker --rerank-questions --learned
        --unanswerable --training --encoder
        --index --json""",
    ("train", "pairs"): """--output --index questions keywords headings parents definitions""",
    ("train", "encoder"): """--auxiliary --validation --base --output --epochs --negatives --margin
        --seed --resume --index --json""",
    ("train", "reranker"): """--auxiliary --validation --base --encoder --layers
        --output --margin --seed --resume --index --json""",
    ("doctor",): "--index --encoder --json",
}

HEAVY = {
    "numpy", "onnxruntime", "tokenizers", "openai", "tantivy", "torch", "pydantic", "Stemmer",
    "pydantic_settings", "ir_measures", "sqlite3",
}  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_every_command_describes_itself_and_its_options(
    rirag: Run, command: tuple[str, ...], flag: str
) -> None:
    shown = rirag(*command, flag)
    assert (shown.code, shown.err) == (0, "")
    assert re.match(rf"Usage: .*rirag {' '.join(command)} ", shown.out)
    for option in COMMANDS[command].split():
        assert option in shown.out


def test_the_first_help_lists_the_commands(tmp_path: Path) -> None:
    shown = run("--help", cwd=tmp_path)
    assert (shown.code, shown.err) == (0, "")
    for name in {command[0] for command in COMMANDS}:
        assert f"\n  {name} " in shown.out


def test_the_version_is_that_of_the_package(tmp_path: Path) -> None:
    shown = run("--version", cwd=tmp_path)
    assert (shown.code, shown.out) == (0, f"rirag, version {version('rirag')}\n")


def test_help_imports_nothing_heavy(tmp_path: Path) -> None:
    asked = [["--help"], ["--version"], *([*command, "--help"] for command in COMMANDS)]
    code = (
        "import sys\n"
        "from rirag.cli import main\n"
        f"for arguments in {asked}:\n"
        "    sys.argv = ['rirag', *arguments]\n"
        "    try:\n"
        "        main()\n"
        "    except SystemExit as end:\n"
        "        assert not end.code, arguments\n"
        f"    found = sorted({HEAVY} & set(sys.modules))\n"
        "    assert not found, (arguments, found)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path,
        env=environment(),
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["xyzzy"], "unknown command 'xyzzy'; choose one of ingest, encode,"),
        (["ingset"], "unknown command 'ingset'; did you mean 'ingest'?"),
        (["ask", "exit", "plan"], "argument (plan); put the question in quotation marks"),
        (["search"], "Missing argument 'QUESTION'."),
        (["search", "fees", "--nope"], "No such option"),
        (["search", "fees", "-k", "many"], "Invalid value for '-k': 'many' is not a valid integer"),
        (["search", "client", "money"], "Got unexpected extra argument (money)"),
        (["ingest"], "Missing argument 'SOURCE…'."),
        (["documents", "nope"], "No such command 'nope'."),
        (["evaluate", "retrieval"], "Missing argument 'QUESTIONS'."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_usage_is_told_with_the_way_to_help(
    rirag: Run, arguments: list[str], sentence: str
) -> None:
    shown = rirag(*arguments)
    assert (shown.code, shown.out) == (2, "")
    assert sentence in shown.err
    assert "--help' for help." in shown.err


def test_without_a_command_the_help_is_shown(tmp_path: Path) -> None:
    assert "rirag [OPTIONS] COMMAND" in run(cwd=tmp_path).err
