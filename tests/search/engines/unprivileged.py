"""Opens, searches and loads an index as another user; prints what each step said.

python unprivileged.py USER INDEX
"""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from engine_samples import ENCODER, IndexUnderTest, ids, question, texts
from processes import say

from search.engines.embedded import EmbeddedBackend, EmbeddedEngine
from search.errors import RiragError


def tell(step: str, work: Callable[[], object]) -> None:
    """Print the result of a step, or the refusal; a crash is printed as one."""
    try:
        say(f"{step}: {work()}")
    except RiragError as error:
        say(f"{step}: {type(error).__name__} {error}")
    except Exception as error:  # the test shows it
        say(f"{step}: CRASH {error!r} {traceback.format_exc().splitlines()[-3:]!r}")


def searched(root: Path) -> str:
    with closing(EmbeddedEngine(root)) as engine:
        return " ".join(ids(engine, engine.run(question("reports")).lexical))


def opened(root: Path) -> str:
    with closing(EmbeddedEngine(root)) as engine:
        return f"{engine.describe().passages} passages"


def verified(root: Path) -> str:
    with closing(EmbeddedEngine(root)) as engine:
        return str(engine.verify())


def import_everything() -> None:
    """Use an index once: the other user may not read the interpreter's files."""
    with tempfile.TemporaryDirectory() as folder:
        IndexUnderTest(EmbeddedBackend(), folder).write(texts("A", "one"))
        for step in (opened, searched, verified):
            step(Path(folder))


if __name__ == "__main__":
    import_everything()
    if os.geteuid() == 0:
        os.setgroups([])
        os.setuid(int(sys.argv[1]))
    place = Path(sys.argv[2])
    tell("open", lambda: opened(place))
    tell("search", lambda: searched(place))
    tell("verify", lambda: verified(place))
    tell("load", lambda: EmbeddedBackend().load(str(place), ENCODER))
