"""Every command does on a server what it does on a folder."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from cli_support import Outcome, run_here
from sample import PASSAGES, QUESTIONS, RULEBOOK, ingest_rulebook, record, write_lines
from server_processes import on

import indexer
import search
from search.models.encoders import DEFAULT_ENCODER, MODELS_FOLDER
from search.models.encoders.protocol import Encoder
from tests.lamp_act import FIRST, VERSIONS

SCORE = re.compile(r"  \d\.\d{3}$", re.MULTILINE)
"""What stands after a hit's number; vectors are rounded otherwise in a folder."""


COMMANDS = (
    ("search", "complaint final response"),
    ("search", "COND 6.2.3", "--neighbours", 1),
    ("ask", "How soon must a material incident be notified?"),
    ("documents", "list"),
    ("documents", "show", "COND", "6.2.2"),
    ("evaluate", "retrieval", QUESTIONS, "--json"),
)


@pytest.fixture(scope="module")
def on_a_folder(tmp_path_factory: pytest.TempPathFactory) -> list[Outcome]:
    """What the commands give on a folder."""
    folder = tmp_path_factory.mktemp("folder")
    ingest_rulebook(folder / "index")
    return outcomes("index", folder)


@pytest.fixture
def loaded(index_url: str, encoder: Encoder) -> str:
    """An index of the sample rulebook on each server, of this test's own."""
    indexer.ingest([RULEBOOK], index_url, encoder=encoder)
    return index_url


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """The encoder that ships, in a folder of its own and of another revision."""
    folder = shutil.copytree(MODELS_FOLDER / DEFAULT_ENCODER, tmp_path / "other")
    card = json.loads((folder / "encoder.json").read_text())
    (folder / "encoder.json").write_text(json.dumps({**card, "name": "other"}))
    return folder


def outcomes(index: str, folder: Path) -> list[Outcome]:
    found = [run_here(*command, "--index", index, cwd=folder) for command in COMMANDS]
    assert {one.code for one in found} == {0}, found
    return found


def test_commands_give_what_they_give_on_a_folder(
    server_rulebook: str, on_a_folder: list[Outcome], tmp_path: Path
) -> None:
    *server, measured = outcomes(server_rulebook, tmp_path)
    *folder, measured_there = on_a_folder
    for ours, theirs in zip(server, folder, strict=True):
        assert SCORE.sub("", ours.out) == SCORE.sub("", theirs.out)
    scores, expected = measured.json["measures"], measured_there.json["measures"]
    assert scores == pytest.approx(expected, abs=0.004)


def law_in_time(url: str, folder: Path) -> list[object]:
    """Load an act in versions, join another document to them, and tell all that days decide."""
    path = folder / "act.md"
    lamps = FIRST.replace("lamp-act", "lamps").replace("50 crowns", "40 crowns")
    for day, text in {**VERSIONS, "2018-01-01": lamps}.items():
        path.write_text(text)
        indexer.ingest(path, url, valid_from=day)
    indexer.merge(["lamps"], "lamp-act", url)
    with search.open(url) as index:
        hits = [
            [(hit.id, round(hit.score, 3)) for hit in index.search("fee for a lamp", as_of=day)]
            for day in ("2017-01-01", "2018-01-01", "2021-01-01", "2023-01-01")
        ]
        states = [one.to_json() for one in index.rule_history("lamp-act", "Section 2")]
        changes = [one.to_json() for one in index.changes("2018-01-01")]
        return [hits, states, changes, index.compare("lamp-act").to_json()]


def test_the_law_of_a_day_is_what_it_is_in_a_folder(index_url: str, tmp_path: Path) -> None:
    assert law_in_time(index_url, tmp_path) == law_in_time(str(tmp_path / "index"), tmp_path)


@on("elasticsearch")
def test_a_document_is_deleted(loaded: str, tmp_path: Path) -> None:
    shown = run_here("documents", "delete", "GLOS", "--yes", "--index", loaded, cwd=tmp_path)
    assert shown.out.endswith(f"{loaded} now holds 182 passages of 3 documents.\n")
    again = run_here("ingest", RULEBOOK, "--index", loaded, cwd=tmp_path)
    assert "1 added, 0 changed, 3 unchanged." in again.out
    assert f"{loaded} now holds {PASSAGES} passages of 4 documents." in again.out


def test_doctor_says_which_server_it_is(server_rulebook: str, tmp_path: Path) -> None:
    shown = run_here(
        "doctor", "--index", server_rulebook, cwd=tmp_path, variables={"RIRAG_SERVER_SHARDS": "2"}
    )
    product = "Elasticsearch" if server_rulebook.startswith("elastic") else "OpenSearch"
    assert shown.code == 0
    assert f"ok   engine: {product} " in shown.out
    assert "ok   cluster: green, all 2 shards are on 1 data node\n" in shown.out
    assert re.search(r"server_shards +2  \(environment RIRAG_SERVER_SHARDS\)", shown.out)


@on("elasticsearch")
def test_an_index_gets_another_encoder_and_goes_back(
    loaded: str, other: Path, tmp_path: Path
) -> None:
    shown = run_here("reindex", "--index", loaded, "--encoder", other, cwd=tmp_path)
    assert f"encoder {other} instead of {DEFAULT_ENCODER}, vectors exact." in shown.out
    assert f"return to it with: rirag reindex --rollback --index {loaded}.\n" in shown.out
    with search.open(loaded) as index:
        assert index.describe().encoder.name == str(other)
        back = run_here("reindex", "--rollback", "--index", loaded, cwd=tmp_path)
        assert back.out.endswith(
            f"{PASSAGES} passages of 4 documents, encoder {DEFAULT_ENCODER}.\n"
        )
        assert index.search("complaints", 3).plan.encoder == str(other)
        assert index.describe().encoder.name == str(other)
    again = run_here("ingest", RULEBOOK, "--index", loaded, cwd=tmp_path)
    assert "0 added, 0 changed, 4 unchanged." in again.out


@on("elasticsearch")
def test_one_passage_is_counted_as_one_when_users_go_back(index_url: str, tmp_path: Path) -> None:
    for text in ("A firm must report widgets.", "A firm must report every widget."):
        indexer.ingest([write_lines(tmp_path / "act.jsonl", record("1", text))], index_url)
    back = run_here("reindex", "--rollback", "--index", index_url, cwd=tmp_path)
    assert ": 1 passage of 1 document, encoder " in back.out


@on("elasticsearch")
def test_an_opened_index_sees_a_load_after_refresh(loaded: str, tmp_path: Path) -> None:
    with search.open(loaded) as index:
        assert not index.refresh()
        more = write_lines(tmp_path / "act.jsonl", record("1", "A firm must report widgets."))
        indexer.ingest([more], loaded)
        assert len(index.documents()) == 4
        assert index.refresh()
        assert len(index.documents()) == 5
        assert index.search("widgets", 1).hits[0].document_id == "ACT"
