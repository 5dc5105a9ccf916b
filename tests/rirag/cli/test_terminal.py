"""What reaches a terminal, a pipe that closes early, and a disk that is full."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from cli_support import COMMAND, Run, environment, run_in_terminal
from sample import record, write_lines
from scripted_llm import serve, streams

ESCAPE = "\x1b]0;owned\x07\x1b[2J\x1b[31m\x9b31m\u202e\r"
"""Sets the window's title, clears the screen, colours, and turns lines around."""


@pytest.fixture
def hostile(tmp_path: Path, rirag: Run) -> Path:
    """An index whose every field steers a terminal."""
    common = {"DocumentID": "ACT\u202e", "DocumentTitle": f"Widget Act{ESCAPE}"}
    source = write_lines(
        tmp_path / f"a{ESCAPE}.jsonl".replace("/", ""),
        record("1", f"Widgets{ESCAPE}", **common),
        record("1.1\u202e", f"A firm must report {ESCAPE} every broken widget.", **common),
        record("1.1\u202e", "A firm must mend every widget.", id="again", **common),
        record("1.2", "A firm must keep widgets.", **common, **{f"col{ESCAPE}our": f"r{ESCAPE}"}),
    )
    assert rirag("ingest", source, "--index", "hostile").code == 0
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        ["search", "broken widget"],
        ["search", "broken widget", "--explain", "--neighbours", "1"],
        ["search", f"broken {ESCAPE} widget", "--explain"],
        ["search", "broken widget", "--json"],
        ["ask", "who must report a broken widget?", "--json"],
        ["documents", "list", "--json"],
        ["search", f"Rule 1.1 of the Nowhere{ESCAPE} Act"],
        ["search", "widget", "--filter", f"kind={ESCAPE}"],
        ["search", "widget", "--filter", f"nope{ESCAPE}=1"],
        ["search", "widget", "--profile", f"nope{ESCAPE}"],
        ["search", "widget", "--index", f"nope{ESCAPE}"],
        ["ask", "who must report a broken widget?", "--trace"],
        ["ask", "who must report a broken widget?", "--no-stream"],
        ["documents", "list"],
        ["documents", "show", "Widget Act"],
        ["documents", "show", "Widget Act", f"9{ESCAPE}"],
        ["documents", "show", f"nope{ESCAPE}"],
        ["documents", "delete", "Widget Act"],
        ["doctor"],
    ],
    ids=lambda command: " ".join(command).encode("ascii", "ignore").decode().split("\x1b")[0],
)
def test_escapes_in_passages_and_options_never_reach_the_terminal(
    hostile: Path, command: list[str]
) -> None:
    named = ["--index", "hostile"] if "--index" not in command else []
    shown = run_in_terminal(*command, *named, cwd=hostile, typed="n\n")
    assert_harmless(shown.out)


@pytest.mark.parametrize("name", ["a", "b"])
def test_escapes_in_sources_never_reach_the_terminal(hostile: Path, name: str) -> None:
    (source,) = hostile.glob("a*.jsonl")
    if name == "b":
        source.write_text("nonsense", encoding="utf-8")
    assert_harmless(run_in_terminal("ingest", source, "--index", "second", cwd=hostile).out)


def test_escapes_of_a_language_model_never_reach_the_terminal(hostile: Path) -> None:
    with serve(streams("A firm must ", f"report it{ESCAPE} [1].")) as script:
        shown = run_in_terminal(
            "ask", "who must report a broken widget?", "--trace", "--llm-url", script.url,
            "--llm-model", f"m{ESCAPE}", "--index", "hostile", cwd=hostile,
        )  # fmt: skip
    assert "report it" in shown.out
    assert_harmless(shown.out)


def assert_harmless(text: str) -> None:
    assert text.strip(), "something was shown"
    for character in ("\x1b", "\x07", "\x9b", "\u202e"):
        assert character not in text, f"{character!r} in {text!r}"
    assert "\r" not in text.replace("\r\n", ""), text
    assert "Traceback" not in text


@pytest.mark.parametrize(
    "command",
    [
        ["search", "client", "-k", "200", "--json"],
        ["search", "client", "-k", "200"],
        ["documents", "show", "COND"],
        ["ask", "--questions", "q.jsonl"],
    ],
    ids=" ".join,
)
def test_a_pipe_closed_early_is_no_traceback(
    rulebook: Path, tmp_path: Path, command: list[str]
) -> None:
    questions = [{"question_id": str(i), "question": "complaint"} for i in range(60)]
    write_lines(tmp_path / "q.jsonl", *questions)
    with subprocess.Popen(
        [*COMMAND, *command, "--index", str(rulebook)], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, cwd=tmp_path, env=environment(),
    ) as process:  # fmt: skip
        assert process.stdout
        assert process.stderr
        process.stdout.close()  # before the first byte, as `| true` does
        err = process.stderr.read().decode()
        code = process.wait(timeout=60)
    assert err == ""
    assert code != 0


def test_a_closed_standard_output_is_told(rulebook: Path, tmp_path: Path) -> None:
    line = f"{shlex.join(COMMAND)} documents list --index {shlex.quote(str(rulebook))} >&-"
    done = subprocess.run(
        ["sh", "-c", line], stderr=subprocess.PIPE, cwd=tmp_path, env=environment(), check=False,
        text=True,
    )  # fmt: skip
    assert done.returncode == 5
    assert done.stderr == "rirag: standard output is closed; nothing was printed\n"


def test_an_error_that_is_not_of_the_system_is_told_in_its_own_words(tmp_path: Path) -> None:
    code = (
        "import sys, unittest.mock\n"
        "sys.argv = ['rirag', 'search', 'fees']\n"
        "from rirag.cli import main\n"
        "with unittest.mock.patch('search.open', side_effect=OSError('a model is missing')):\n"
        "    main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path,
        env=environment(),
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (5, "", "rirag: a model is missing\n")


def test_a_full_disk_below_standard_output_is_told(rulebook: Path, tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("there is no /dev/full here")
    command = [*COMMAND, "search", "client", "-k", "200", "--json", "--index", str(rulebook)]
    with full.open("w") as out:
        done = subprocess.run(
            command, stdout=out, stderr=subprocess.PIPE, cwd=tmp_path, env=environment(),
            check=False, text=True,
        )  # fmt: skip
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert "No space left" in done.stderr
