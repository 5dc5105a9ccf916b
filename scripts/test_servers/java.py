"""Finds a Java development kit that is new enough."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from test_servers.account import Account
from test_servers.refusal import MissingError

OLDEST = 21
"""What both servers ask for."""
PLACES = ("/usr/lib/jvm", "/Library/Java/JavaVirtualMachines", "/opt")


def find_jdk(account: Account) -> Path:
    """Return the home of the newest JDK that the account can run.

    Raises:
        MissingError: there is none of version 21 or newer.
    """
    found = {home: _version(home, account) for home in dict.fromkeys(_homes())}
    best = max(found, key=lambda home: found[home], default=None)
    if best is None or found[best] < OLDEST:
        raise MissingError(
            f"no Java development kit {OLDEST} or newer was found; install one, or set JAVA_HOME "
            "to where it is"
        )
    return best


def _homes() -> Iterator[Path]:
    if named := os.environ.get("JAVA_HOME"):
        yield Path(named)
    if compiler := shutil.which("javac"):
        yield Path(compiler).resolve().parent.parent
    for place in map(Path, PLACES):
        for home in sorted(place.glob("*")):
            yield from (home, home / "Contents" / "Home")


def _version(home: Path, account: Account) -> int:
    """Return the major version; 0 where there is no compiler or it cannot be run."""
    try:
        done = subprocess.run(
            [home / "bin" / "javac", "-version"],
            capture_output=True, text=True, check=True, cwd="/", **account.process(),
        )  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        return 0
    number = re.search(r"javac (\d+)", done.stdout + done.stderr)
    return int(number[1]) if number else 0
