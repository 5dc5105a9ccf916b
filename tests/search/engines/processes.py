"""Starts the helper scripts of these tests as processes of their own."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import search

HERE = Path(__file__).parent


def say(line: object) -> None:
    """Tell the test a line, at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def start(script: str, *arguments: object) -> subprocess.Popen[str]:
    """Start a script of this folder on the `rirag` under test."""
    return subprocess.Popen(
        [sys.executable, str(HERE / script), *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(search.__file__).parent.parent)},
    )


def finish(process: subprocess.Popen[str], timeout: float = 60) -> tuple[int, str, str]:
    """Wait for a process; return its exit code and what it printed."""
    try:
        output, errors = process.communicate(timeout=timeout)
    finally:
        process.kill()
    return process.returncode, output, errors


_prepared = multiprocessing.get_context("forkserver")
_prepared.set_forkserver_preload(["crash_loader"])


def run(folder: Path, call: Callable[..., None], *arguments: object) -> tuple[int, str, str]:
    """Run a function in a process of its own; return its exit code and what it printed.

    Unlike a script it starts at once: its process is forked from one that has imported the indexer.
    """
    printed = (folder / "output.txt", folder / "errors.txt")
    process = _prepared.Process(target=_call, args=(*printed, call, *arguments))
    process.start()
    process.join(60)
    code = process.exitcode
    process.kill()
    output, errors = (path.read_text(encoding="utf-8") for path in printed)
    return -1 if code is None else code, output, errors


def _call(output: Path, errors: Path, call: Callable[..., None], *arguments: object) -> None:
    for path, descriptor in ((output, 1), (errors, 2)):
        with path.open("wb") as file:
            os.dup2(file.fileno(), descriptor)
    call(*arguments)
