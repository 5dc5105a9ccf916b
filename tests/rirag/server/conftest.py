"""Servers over the sample rulebook, and over an index of two clients."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.extras import require
from tests.lamp_act import FIRST, ingest_lamp_act
from tests.sample import ingest_rulebook, record, write_lines

for name in ("fastapi", "uvicorn", "jinja2", "mcp", "docx"):
    require(name)

from tests.rirag.server.running import Running, running  # noqa: E402

SECRET = "zebrafish"
"""A word that only passages of client b have."""


@pytest.fixture(scope="session")
def rulebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of the sample rulebook, which no test changes."""
    return ingest_rulebook(tmp_path_factory.mktemp("rulebook") / "index")


@pytest.fixture(scope="session")
def server(rulebook: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server without keys over the sample rulebook, which only reads."""
    with running(rulebook, tmp_path_factory.mktemp("server"), read_only=True) as found:
        yield found


@pytest.fixture(scope="session")
def two_clients(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index whose passages belong to client a or b."""
    import indexer

    folder = tmp_path_factory.mktemp("clients")
    common = {"DocumentTitle": "Ledger Rules (LEDG)", "DocumentID": "LEDG", "client": "a"}
    ours = [
        record("1", "Ledgers", id="a-1", kind="heading", **common),
        record("1.1", "A firm must keep a ledger of every payment.", id="a-2", **common),
        record("1.2", "A ledger must be kept for six years; see Rule 1.1.", id="a-3", **common),
    ]
    theirs = {"DocumentTitle": f"{SECRET.title()} Rules (ZEBR)", "DocumentID": "ZEBR",
              "client": "b", SECRET: SECRET}  # fmt: skip
    other = [
        record("1", SECRET.upper(), id=f"{SECRET}-1", kind="heading", **theirs),
        record("1.1", f"A {SECRET} must keep a ledger; see Rule 1.2 of LEDG.", id=f"{SECRET}-2",
               **theirs),
        record("7.7", f"“Ledger” means the book of a {SECRET}.", id=f"{SECRET}-3",
               kind="definition", **theirs),
    ]  # fmt: skip
    write_lines(folder / "a.jsonl", *ours)
    write_lines(folder / "b.jsonl", *other)
    indexer.ingest([folder / "a.jsonl", folder / "b.jsonl"], folder / "index")
    return folder / "index"


@pytest.fixture(scope="session")
def lamps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of an act in three versions, one of the future, one in drafts, one without days."""
    import indexer

    folder = tmp_path_factory.mktemp("lamps")
    index = ingest_lamp_act(folder)

    def load(name: str, **version: Any) -> None:
        path = folder / f"{name}.md"
        text = FIRST.replace("lamp", name).replace("Lamp", name.title()).replace("crowns", "francs")
        path.write_text(text.replace("50", version.get("version", "50")))
        indexer.ingest(path, index, **version)

    load("oil", valid_from="2999-01-01")
    load("tar", version="draft")
    load("tar", version="final")
    load("wax")
    return index


@pytest.fixture(scope="session")
def act(lamps: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server over these acts, which only reads."""
    with running(lamps, tmp_path_factory.mktemp("server"), read_only=True) as found:
        yield found
