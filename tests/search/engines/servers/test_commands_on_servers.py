"""Every command does on a server what it does on a folder."""

from __future__ import annotations

import json
import re
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_support import Outcome, run
from sample import PASSAGES, QUESTIONS, RULEBOOK, record, write_lines
from server_processes import TestServer

import indexer
import search
from search.encoders import DEFAULT_ENCODER, MODELS_FOLDER

SCORE = re.compile(r"  \d\.\d{3}$", re.MULTILINE)
"""What stands after a hit's number; vectors are rounded otherwise in a folder."""


@pytest.fixture(scope="module")
def rulebook(server: TestServer) -> Iterator[str]:
    """An index of the sample rulebook on each server, not to be changed."""
    name = f"t-{uuid.uuid4().hex[:12]}"
    indexer.ingest([RULEBOOK], f"{server.url}/{name}")
    yield f"{server.url}/{name}"
    server.wipe(name)


@pytest.fixture
def loaded(index_url: str) -> str:
    """An index of the sample rulebook on each server, of this test's own."""
    indexer.ingest([RULEBOOK], index_url)
    return index_url


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """The encoder that ships, in a folder of its own and of another revision."""
    folder = shutil.copytree(MODELS_FOLDER / DEFAULT_ENCODER, tmp_path / "other")
    card = json.loads((folder / "encoder.json").read_text())
    (folder / "encoder.json").write_text(json.dumps({**card, "name": "other"}))
    return folder


def test_commands_give_what_they_give_on_a_folder(rulebook: str, tmp_path: Path) -> None:
    indexer.ingest([RULEBOOK], str(tmp_path / "folder"))

    def both(*arguments: object) -> list[Outcome]:
        found = [run(*arguments, "--index", url, cwd=tmp_path) for url in (rulebook, "folder")]
        assert [one.code for one in found] == [0, 0], found
        return found

    for command in (
        ("search", "complaint final response"),
        ("search", "COND 6.2.3", "--neighbours", 1),
        ("ask", "How soon must a material incident be notified?"),
        ("documents", "list"),
        ("documents", "show", "COND", "6.2.2"),
    ):
        server, folder = both(*command)
        assert SCORE.sub("", server.out) == SCORE.sub("", folder.out)
    scores = [one.json["measures"] for one in both("evaluate", "retrieval", QUESTIONS, "--json")]
    assert scores[0] == pytest.approx(scores[1], abs=0.004)


def test_a_document_is_deleted(loaded: str, tmp_path: Path) -> None:
    shown = run("documents", "delete", "GLOS", "--yes", "--index", loaded, cwd=tmp_path)
    assert shown.out.endswith(f"{loaded} now holds 182 passages of 3 documents.\n")
    again = run("ingest", RULEBOOK, "--index", loaded, cwd=tmp_path)
    assert "1 added, 0 changed, 3 unchanged." in again.out
    assert f"{loaded} now holds {PASSAGES} passages of 4 documents." in again.out


def test_doctor_says_which_server_it_is_and_how_well_it_finds(
    rulebook: str, tmp_path: Path
) -> None:
    shown = run("doctor", "--index", rulebook, cwd=tmp_path, variables={"RIRAG_SERVER_SHARDS": "2"})
    product = "Elasticsearch" if rulebook.startswith("elastic") else "OpenSearch"
    assert shown.code == 0
    assert f"ok   engine: {product} " in shown.out
    assert "ok   dense leg: finds 100.00% of the 100 nearest vectors (50 stored on" in shown.out
    assert "server_shards              2  (environment RIRAG_SERVER_SHARDS)" in shown.out


def test_an_index_gets_another_encoder_and_goes_back(
    loaded: str, other: Path, tmp_path: Path
) -> None:
    shown = run("reindex", "--index", loaded, "--encoder", other, cwd=tmp_path)
    assert f"encoder {other} instead of {DEFAULT_ENCODER}, vectors exact." in shown.out
    assert f"back to it: rirag reindex --rollback --index {loaded}.\n" in shown.out
    with search.open(loaded) as index:
        assert index.describe().encoder.name == str(other)
        back = run("reindex", "--rollback", "--index", loaded, cwd=tmp_path)
        assert back.out.endswith(
            f"{PASSAGES} passages of 4 documents, encoder {DEFAULT_ENCODER}.\n"
        )
        assert index.search("complaints", 3).plan.encoder == str(other)
        assert index.describe().encoder.name == str(other)
    again = run("ingest", RULEBOOK, "--index", loaded, cwd=tmp_path)
    assert "0 added, 0 changed, 4 unchanged." in again.out


def test_an_opened_index_sees_a_load_after_refresh(loaded: str, tmp_path: Path) -> None:
    with search.open(loaded) as index:
        assert not index.refresh()
        more = write_lines(tmp_path / "act.jsonl", record("1", "A firm must report widgets."))
        indexer.ingest([more], loaded)
        assert len(index.documents()) == 4
        assert index.refresh()
        assert len(index.documents()) == 5
        assert index.search("widgets", 1).hits[0].document_id == "ACT"


def test_without_a_load_there_is_nothing_to_join(rulebook: str, tmp_path: Path) -> None:
    refused = run("ingest", RULEBOOK, "--index", rulebook, "--join", cwd=tmp_path).refused(3)
    begin_with = f"begin one with: rirag ingest SOURCE --index {rulebook}"
    assert refused == f"no load into {rulebook} is under way; {begin_with}"
