"""Opens and searches an index again and again in a process of its own, until told to stop.

    python reading_loop.py INDEX STOP

Prints each generation it saw, once, and what went wrong, if anything did.
"""

from __future__ import annotations

import sys
import traceback
from pathlib import Path

from engine_samples import ids, question
from processes import say

from search.engines.embedded import EmbeddedBackend
from search.records import Filters


def read_once(url: str) -> str:
    """Open, search, and check that everything seen is of one version."""
    engine = EmbeddedBackend().open(url)
    try:
        results = engine.run(question("version", depth=1000, document_id="A"))
        versions = {passage.text for _, passage in engine.find(Filters())}
        found = {len(ids(engine, retriever)) for retriever in (results.lexical, results.dense)}
        if len(versions) != 1 or found != {engine.describe().passages}:
            return f"MIXED {versions} {found}"
        return f"{engine.describe().generation} {versions.pop()}"
    finally:
        engine.close()


if __name__ == "__main__":
    seen: set[str] = set()
    while not Path(sys.argv[2]).exists():
        try:
            line = read_once(sys.argv[1])
        except Exception:  # the test shows it
            line = "ERROR " + " | ".join(traceback.format_exc().splitlines()[-3:])
        if line not in seen:
            seen.add(line)
            say(line)
