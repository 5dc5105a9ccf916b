"""Run a job in a process of its own, so that its memory and start-up are its own too."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
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
    cpu_seconds: float
    """Time that processors spent on it, which other processes disturb less."""


def run(*arguments: str, environment: Mapping[str, str] | None = None) -> Finished:
    """Run `python ARGUMENTS` to its end; stderr goes where ours does.

    Args:
        arguments: what stands after `python`.
        environment: variables to set besides those of this process.

    Raises:
        JobError: it did not exit with 0.
    """
    before, started = os.times(), time.perf_counter()
    done = subprocess.run(
        [sys.executable, *arguments],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        env={**os.environ, **(environment or {})},
    )
    seconds, after = time.perf_counter() - started, os.times()
    if done.returncode:
        raise JobError(
            f"python {' '.join(arguments)} ended with exit code {done.returncode}; "
            "what it said stands above."
        )
    cpu = after.children_user + after.children_system
    return Finished(done.stdout, seconds, cpu - before.children_user - before.children_system)


def job(
    module: str, *arguments: object, environment: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Run a module of this folder that prints one JSON object as its last line."""
    done = run("-m", f"benchmarks.{module}", *map(str, arguments), environment=environment)
    result: dict[str, Any] = json.loads(done.output.splitlines()[-1])
    return result
