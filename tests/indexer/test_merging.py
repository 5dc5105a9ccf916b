"""Documents of an index that become the versions of one work."""

from __future__ import annotations

from pathlib import Path

import pytest

import indexer
import search
from search.answered_questions.questions import AnsweredQuestion
from search.errors import InputError

ACT = """---
title: {title}
{front}---
# {title}

## Section 1 Lamps

Every lamp burns until sunrise, and a watchman counts those that went out.

## Section 2 Fees

The fee for a lamp is {fee} crowns, and it is paid before the feast of the harbour.
"""


def write(folder: Path, name: str, fee: int, front: str = "", title: str = "Lamp Act") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.md"
    path.write_text(ACT.format(title=title, fee=fee, front=front))
    return path


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """An index of three documents that are one work, and say so nowhere."""
    for name, fee, front, title in (
        ("lamps-2020", 50, "valid_from: 2020-01-01\n", "Lamp Act of 2020"),
        ("lamps-2022", 60, "valid_from: 2022-07-01\n", "Lamp Act"),
        ("lamps-new", 70, "", "Lamp Act"),
    ):
        indexer.ingest(write(tmp_path / "acts", name, fee, front, title), tmp_path / "index")
    return tmp_path / "index"


DOCUMENTS = ["lamps-2020", "lamps-2022", "lamps-new"]


def held(place: Path) -> list[str]:
    with search.open(place) as index:
        return [one.document_id for one in index.documents()]


def test_documents_become_versions_without_encoding(place: Path) -> None:
    texts = ["The fee for a lamp is 50 crowns, and it is paid before the feast of the harbour."]
    with search.open(place) as index:
        before = index.similarities("fee", texts)
    found = indexer.merge(DOCUMENTS, "lamp-act", place)
    assert held(place) == ["lamp-act"]
    assert {one.encoded for one in found.versions} == {0}
    assert found.joined == (
        ("lamps-2020", "2020-01-01", "source"), ("lamps-2022", "2022-07-01", "source"),
        ("lamps-new", "lamps-new", "none"),
    )  # fmt: skip
    with search.open(place) as index:
        assert index.verify() == []
        assert len(index.rule_history("lamp-act", "Section 2")) == 3
        lamps = index.rule_history("lamp-act", "Section 1")[0]
        assert lamps.versions == ("2020-01-01", "2022-07-01", "lamps-new")
        assert index.similarities("fee", texts) == before
        found_then = index.search("What is the fee for a lamp?", as_of="2021-01-01").hits
        assert [one.text.split()[7] for one in found_then if "crowns" in one.text] == ["50"]
        assert all(one.scores.dense is not None for one in found_then)


def test_a_dry_run_changes_nothing(place: Path) -> None:
    with search.open(place) as index:
        state = index.describe().generation
    found = indexer.merge(DOCUMENTS, "lamp-act", place, dry_run=True)
    assert "lamps-2020 would become version 2020-01-01 of lamp-act" in found.summary()
    with search.open(place) as index:
        assert index.describe().generation == state
    assert held(place) == DOCUMENTS


def test_answered_questions_follow_their_passages(place: Path) -> None:
    with search.open(place) as index:
        fees = [one.id for one in index.passages() if "crowns" in one.text]
    indexer.add_questions([AnsweredQuestion("q1", "What is the fee?", (fees[1],))], place)
    assert indexer.merge(DOCUMENTS, "lamp-act", place).questions == 1
    with search.open(place) as index:
        (question,) = index.answered_questions()
        states = {one.id: one.text for one in index.pipeline.works.states("lamp-act")}
    assert "60 crowns" in states[question.passages[0]]


def test_a_work_takes_further_documents(place: Path, tmp_path: Path) -> None:
    for fee, day in ((50, "2020-01-01"), (80, "2024-07-01")):
        indexer.ingest(write(tmp_path, "act", fee), place, work="lamp-act", valid_from=day)
    with search.open(place) as index:
        ids = [one.id for one in index.pipeline.works.states("lamp-act")]
    indexer.merge(["lamps-2022"], "lamp-act", place)
    with search.open(place) as index:
        days = [one.version.version_id for one in index.versions("lamp-act")]
        assert days == ["2020-01-01", "2022-07-01", "2024-07-01"]
        assert {*ids} < {one.id for one in index.pipeline.works.states("lamp-act")}


def test_what_cannot_be_joined_is_refused(place: Path) -> None:
    with pytest.raises(InputError, match="no document 'oil-act'"):
        indexer.merge(["lamps-2020", "oil-act"], "lamp-act", place)
    with pytest.raises(InputError, match="only lamps-2020 to join"):
        indexer.merge(["lamps-2020"], "lamp-act", place)
    assert held(place) == DOCUMENTS


def test_two_documents_of_one_day_are_not_joined(place: Path, tmp_path: Path) -> None:
    indexer.ingest(write(tmp_path, "again", 90, "valid_from: 2022-07-01\n"), place)
    with pytest.raises(InputError, match="again and lamps-2022 are both version 2022-07-01"):
        indexer.merge([*DOCUMENTS, "again"], "lamp-act", place)
    assert held(place) == [*DOCUMENTS, "again"]
