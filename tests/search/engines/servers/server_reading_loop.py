"""Opens and searches an index on a server again and again, until told to stop.

    python server_reading_loop.py URL STOP

Prints each state it saw, once, and what went wrong, if anything did.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engine_samples import HashedWords, question
from processes import say

import search
from search.engines.protocol import Engine
from search.engines.servers import ServerBackend, ServerOptions
from search.records import Filters

PAUSE_S = 0.02
"""Between readings, so that the loads of the test get some of the processors too."""


def opened_anew(url: str) -> Callable[[], str]:
    """Open the index for each reading, as every command does."""
    backend = ServerBackend(ServerOptions())

    def read() -> str:
        engine = backend.open(url)
        try:
            return seen_by(engine)
        finally:
            engine.close()

    return read


def kept_open(url: str) -> Callable[[], str]:
    """Keep one index open and refresh it, as a web server does."""
    index = search.open(url, encoder=HashedWords())

    def read() -> str:
        first = {hit.text.split()[1] for hit in index.search("rule version").hits}
        second = {hit.text.split()[1] for hit in index.search("version rule").hits}
        index.refresh()
        return "MIXED" if len(first | second) != 1 else f"- {first.pop()}"

    return read


def seen_by(engine: Engine) -> str:
    """Check that everything seen is of one version."""
    results = engine.run(question("rule version", depth=1000, document_id="A"))
    found = engine.find(Filters())
    versions = {passage.text.split()[1] for _, passage in found}
    whole = {len(retriever) for retriever in (results.lexical, results.dense)} | {len(found)}
    told = engine.describe()
    if len(versions) != 1 or whole != {told.passages} or len(results.documents) != 1:
        return f"MIXED {versions} {whole} {told.passages} {results.documents}"
    return f"{told.generation} {versions.pop()}"


if __name__ == "__main__":
    reader = (kept_open if sys.argv[3:] == ["--keep"] else opened_anew)(sys.argv[1])
    seen: set[str] = set()
    while not Path(sys.argv[2]).exists():
        try:
            line = reader()
        except Exception:  # the test shows it
            line = "ERROR " + " | ".join(traceback.format_exc().splitlines()[-3:])
        if line not in seen:
            seen.add(line)
            say(line)
        time.sleep(PAUSE_S)
