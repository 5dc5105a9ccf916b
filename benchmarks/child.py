"""Run a job in a process of its own, so that its memory and start-up are its own too."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Any

from search.errors import RiragError


class JobError(RiragError):
    """A measured process failed; its own message stands on stderr."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A process that ended well."""

    output: str
    seconds: float
    """Wall-clock time from the start of the process to its end."""


def run(*arguments: str) -> Finished:
    """Run `python ARGUMENTS` to its end; stderr goes where ours does.

    Raises:
        JobError: it did not exit with 0.
    """
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, *arguments], stdout=subprocess.PIPE, text=True, check=False
    )
    seconds = time.perf_counter() - started
    if done.returncode:
        raise JobError(
            f"python {' '.join(arguments)} ended with exit code {done.returncode}; "
            "what it said stands above."
        )
    return Finished(done.stdout, seconds)


def job(module: str, *arguments: object) -> dict[str, Any]:
    """Run a module of this folder that prints one JSON object as its last line."""
    done = run("-m", f"benchmarks.{module}", *map(str, arguments))
    result: dict[str, Any] = json.loads(done.output.splitlines()[-1])
    return result
