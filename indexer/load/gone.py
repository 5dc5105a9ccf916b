"""Documents of an index that the sources of a load do not hold: repealed, renamed, or of others."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing

from indexer.load.report import Gone
from search.engines.protocol import Backend, Engine
from search.records import Filters

MOST_LOOKED_UP = 100
"""Documents of which the file is looked up: on a server each takes a request."""


def gone_from(backend: Backend, index_url: str, document_ids: Iterable[str]) -> tuple[Gone, ...]:
    """Return documents of an index with the files that they came from."""
    wanted = sorted(document_ids)
    if not wanted:
        return ()
    with closing(backend.open(index_url)) as engine:
        return tuple(
            Gone(one, _source(engine, one) if place < MOST_LOOKED_UP else "")
            for place, one in enumerate(wanted)
        )


def _source(engine: Engine, document_id: str) -> str:
    found = engine.find(Filters({"document_id": (document_id,)}), 1)
    return found[0][1].source.rpartition(":")[0] if found else ""
