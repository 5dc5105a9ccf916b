"""`rirag reindex`: what it says, and that a refusal changes nothing."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from cli_support import Run

import search
from search.models.encoders import DEFAULT_ENCODER, MODELS_FOLDER


@pytest.fixture
def index(rulebook: Path, tmp_path: Path) -> Path:
    """An index of the sample rulebook in the working directory."""
    return shutil.copytree(rulebook, tmp_path / "rirag-index")


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """The encoder that ships, in a folder of its own and of another revision."""
    folder = shutil.copytree(MODELS_FOLDER / DEFAULT_ENCODER, tmp_path / "other")
    card = json.loads((folder / "encoder.json").read_text())
    (folder / "encoder.json").write_text(json.dumps({**card, "name": "other"}))
    return folder


def test_an_index_gets_another_encoder(rirag: Run, index: Path, other: Path) -> None:
    shown = rirag("reindex", "--encoder", other, "--workers", 2)
    assert (shown.code, shown.err) == (0, "")
    assert "rirag-index was rebuilt in " in shown.out
    assert f"4 documents, encoder {other} instead of {DEFAULT_ENCODER}" in shown.out
    assert "Encoded 227 texts, reused 0.\n" in shown.out
    assert "The previous state, generation 000001, is kept until the next load.\n" in shown.out
    assert rirag("search", "complaints", "--json").json["plan"]["encoder"] == str(other)
    refused = rirag("search", "complaints", "--encoder", DEFAULT_ENCODER).refused(3)
    assert f"rirag reindex --index rirag-index --encoder {DEFAULT_ENCODER}" in refused


def test_without_an_encoder_the_index_keeps_its_own(rirag: Run, index: Path) -> None:
    report = rirag("reindex", "--json").json
    assert report["before"]["encoder"] == report["after"]["encoder"]
    assert (report["encoded"], report["reused"]) == (0, 227)
    assert report["after"]["generation"] == "000002"


def test_an_unknown_encoder_changes_nothing(rirag: Run, index: Path) -> None:
    assert rirag("reindex", "--encoder", "nope").refused(2).startswith("unknown encoder 'nope'")
    with search.open(str(index)) as opened:
        assert opened.describe().generation == "000001"


def test_an_index_that_is_not_there_is_told(rirag: Run) -> None:
    sentence = rirag("reindex").refused(3)
    assert sentence.startswith("the index rirag-index does not exist; make it with: rirag ingest")


def test_a_folder_is_not_rolled_back(rirag: Run, index: Path) -> None:
    sentence = rirag("reindex", "--rollback").refused(2)
    assert sentence.endswith(" into rirag-index/CURRENT")


def test_a_rollback_takes_no_encoder(rirag: Run) -> None:
    sentence = rirag("reindex", "--rollback", "--encoder", "x").refused(2)
    assert sentence == "--rollback does not take --encoder: the previous state keeps its encoder"
