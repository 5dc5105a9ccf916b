"""Read uploaded files in a process that can be ended, within a budget of time and memory each.

A file that exceeds its budget is refused before it reaches the process of the server.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, cast

from search.errors import CancelledError, InputError, RiragError

SECONDS, SECONDS_PER_MB = 20, 8
"""Processor time that a file may take, and more of it for each megabyte that was sent."""
MEMORY_MB, MEMORY_PER_MB = 256, 24
"""Memory in megabytes that reading a file may take, and more for each megabyte that was sent."""
IDLE_S = 300.0
"""Time without an end of a file after which the process is ended, whatever it waits for."""
POLL_S = 0.05

_COMMAND = (sys.executable, "-m", "rirag.server.jobs.trial")
_PAGE_MB = os.sysconf("SC_PAGE_SIZE") / 2**20


def sift(
    paths: Sequence[Path], cancelled: Callable[[], bool]
) -> tuple[list[Path], tuple[str, ...]]:
    """Return the files that can be read within their budget, and why each of the others cannot.

    Raises:
        CancelledError: the work was cancelled; the process has ended.
        InputError: no file can be read.
    """
    refused: dict[Path, str] = {}
    left = list(paths)
    while left:
        done, why = _read(left, cancelled)
        if why:
            refused[left[done]] = f"{left[done]}: {why}; split it, or check what made it"
            done += 1
        left = left[done:]
    if refused and len(refused) == len(paths):
        raise InputError("\n".join(refused.values()), code="source.too-large")
    return [path for path in paths if path not in refused], tuple(refused.values())


def _read(paths: Sequence[Path], cancelled: Callable[[], bool]) -> tuple[int, str]:
    """Read files in one process; return how many were read, and what ended it before the last."""
    with subprocess.Popen(  # noqa: S603 - a module of ours, no shell
        _COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:  # fmt: skip
        try:
            with suppress(BrokenPipeError), cast("IO[bytes]", process.stdin) as given:
                given.write(json.dumps(list(map(str, paths))).encode())
            return _watch(process, cast("IO[bytes]", process.stdout), paths, cancelled)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def _watch(
    process: subprocess.Popen[bytes], output: IO[bytes], paths: Sequence[Path],
    cancelled: Callable[[], bool],
) -> tuple[int, str]:  # fmt: skip
    os.set_blocking(output.fileno(), False)
    done, base, since = -1, 0.0, time.monotonic()  # the first line says that it is ready
    while True:
        if cancelled():
            raise CancelledError("the work was cancelled; nothing of it was loaded")
        ended = process.poll() is not None
        if lines := (output.read() or b"").count(b"\n"):
            done, since = done + lines, time.monotonic()
            base = base or _resident_mb(process.pid)
        if done >= len(paths):
            return done, ""
        if done >= 0 and _resident_mb(process.pid) - base > _budget(
            paths[done], MEMORY_MB, MEMORY_PER_MB
        ):
            return done, "it takes too much memory to read"
        if ended or time.monotonic() - since > IDLE_S:
            return max(done, 0), "it takes too long to read"
        time.sleep(POLL_S)


def _budget(path: Path, whatever: int, per_mb: int) -> int:
    return whatever + per_mb * path.stat().st_size // 2**20


def _resident_mb(pid: int) -> float:
    """Return the memory of a process; 0 where the system does not say."""
    with suppress(OSError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE_MB
    return 0.0


def _ends(paths: Sequence[Path]) -> Iterator[None]:
    """Read file after file, each within its processor time; yield when ready, and after each."""
    from rirag.service import loading

    yield
    for path in paths:
        used = resource.getrusage(resource.RUSAGE_SELF)
        most = int(used.ru_utime + used.ru_stime) + 1 + _budget(path, SECONDS, SECONDS_PER_MB)
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))
        with suppress(RiragError):  # the load says what is wrong
            loading.structure([path])
        yield


if __name__ == "__main__":
    for _ in _ends(list(map(Path, json.load(sys.stdin)))):
        print(flush=True)  # noqa: T201 - what the server counts
