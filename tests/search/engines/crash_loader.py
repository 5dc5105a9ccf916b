"""A real load in a process of its own that can be killed, or kills itself, at a chosen step.

    python crash_loader.py INDEX SOURCE

Prints a line when it begins to load and when it begins to commit. `load` with a step dies by
SIGKILL just before that change to a name in the index folder.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from engine_samples import HashedWords
from processes import say

import search.engines.embedded  # noqa: F401 - imported before the clock runs
from indexer import ingest

CHANGES = ("os.rename", "os.mkdir", "os.remove", "shutil.rmtree", "sqlite3.connect")


def announce(stage: str, done: int, total: int) -> None:
    """Tell when the last document has been given: the commit is next."""
    if stage == "load" and done == total:
        say("commit")


def die_at(step: int, index: str) -> None:
    """Kill this process before one of its changes to the index folder."""
    seen = 0

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal seen
        if event in CHANGES and index in os.fsdecode(str(arguments[0])):
            seen += 1
            if seen == step:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)


def load(index: str, source: str, step: int = 0) -> None:
    """Load a source into an index."""
    if step:
        die_at(step, index)
    ingest([Path(source)], index, encoder=HashedWords(), progress=announce)


if __name__ == "__main__":
    say("load")
    load(*sys.argv[1:3])
    say("done")
