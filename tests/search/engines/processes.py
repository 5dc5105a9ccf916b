"""Starts the helper scripts of these tests as processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
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
