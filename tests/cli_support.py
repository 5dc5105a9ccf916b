"""The command line as users run it, or in this process, which is quicker."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

ROOT = Path(__file__).resolve().parent.parent
COMMAND = (sys.executable, "-m", "rirag")
UNPRIVILEGED = """
import ctypes, os, sys
if os.getuid() == 0:  # root may write into any folder; this run of it must not
    for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP
os.execv(sys.executable, [sys.executable, "-m", "rirag", *sys.argv[1:]])
"""


@dataclass(frozen=True)
class Outcome:
    """What a run of the command left."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.out)

    def refused(self, code: int) -> str:
        """Check that this is a refusal as the project promises it; return its sentence.

        Nothing on standard output, no traceback, one sentence on standard error.
        """
        assert (self.code, self.out) == (code, ""), self
        assert "Traceback" not in self.err
        assert self.err.startswith("rirag: "), self.err
        assert self.err.count("\n") == 1, self.err
        return self.err.removeprefix("rirag: ").rstrip("\n")


Run = Callable[..., Outcome]
"""Takes the arguments of `rirag`; the fixture `rirag` is one."""


def environment(**more: str) -> dict[str, str]:
    """The environment without settings, and with the tree under test first on the path."""
    kept = {name: value for name, value in os.environ.items() if not is_setting(name)}
    path = os.pathsep.join([str(ROOT), str(ROOT / "workbench")])
    return {**kept, "PYTHONPATH": path, "RIRAG_SEARCH_HELP": "false", **more}


def is_setting(name: str) -> bool:
    """Return whether rirag reads an environment variable."""
    return name.upper().startswith("RIRAG_") or name == "OPENAI_API_KEY"


def run(
    *arguments: object,
    cwd: Path,
    variables: Mapping[str, str] | None = None,
    privileged: bool = True,
) -> Outcome:
    """Run `rirag` with pipes for its output; on request without the rights that root has."""
    command = COMMAND if privileged else (sys.executable, "-c", UNPRIVILEGED)
    done = subprocess.run(
        [*command, *map(str, arguments)], capture_output=True, cwd=cwd, check=False, timeout=120,
        env=environment(**(variables or {})),
    )  # fmt: skip
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


def run_here(*arguments: object, cwd: Path, variables: Mapping[str, str] | None = None) -> Outcome:
    """Run `rirag` in this process, from its entry point."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = _call(arguments, cwd, environment(**(variables or {})))
    said, errors = (_written(stream) for stream in (out, err))
    return Outcome(code, said, errors)


def _call(arguments: tuple[object, ...], cwd: Path, variables: Mapping[str, str]) -> int:
    from rirag.cli import main

    with (
        mock.patch.object(sys, "argv", ["rirag", *map(str, arguments)]),
        mock.patch.dict(os.environ, variables, clear=True),
        contextlib.chdir(cwd),
        pytest.raises(SystemExit) as exit_,
    ):
        main()
    return exit_.value.code or 0


def _written(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


def run_in_terminal(*arguments: object, cwd: Path, typed: str = "") -> Outcome:
    """Run `rirag` in this process, at a terminal of its own.

    `out` is all that the terminal received, colours removed.
    """
    master, slave = pty.openpty()
    os.write(master, typed.encode())
    with ThreadPoolExecutor(1) as pool:
        received = pool.submit(lambda: b"".join(iter(lambda: _read(master), b"")))
        with (
            os.fdopen(os.dup(slave), encoding="utf-8") as stdin,
            os.fdopen(slave, "w", buffering=1, encoding="utf-8") as out,
            mock.patch.object(sys, "stdin", stdin),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(out),
        ):
            code = _call(arguments, cwd, environment(TERM="xterm"))
        shown = received.result(60).decode()
    os.close(master)
    return Outcome(code, re.sub(r"\x1b\[\d*m", "", shown), "")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # Linux says so when the other side is closed
        return b""
