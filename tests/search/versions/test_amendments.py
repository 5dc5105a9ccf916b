"""What changed between two days in all works of an index, and what that affects."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest
from test_alignment import BOATS, BREAD, LAMPS, act

import indexer
import search
from search.answered_questions.questions import AnsweredQuestion
from search.errors import InputError
from search.records import DocumentSummary, Passage
from search.versions.changes import amendments
from search.versions.history import History, Version

LAMP_ACT = """---
document_id: lamp-act
title: Lamp Act
---
# Lamp Act

## Section 1 Lamps

Every lamp burns until sunrise, and a watchman counts those that went out.

## Section 2 Fees

The fee for a lamp is 50 crowns, and it is paid before the feast of the harbour.
"""
HIGHER = LAMP_ACT.replace("50 crowns", "60 crowns")
WITH_OIL = HIGHER.replace("## Section 2", "## Section 3").replace(
    "## Section 3", "## Section 2 Oil\n\nOil is kept in sealed jars below the quay.\n\n## Section 3"
)
POLICY = """---
document_id: own-policy
title: Own Policy
---
# Own Policy

## 1 Paying

The cashier pays what Section 2 of the Lamp Act asks.

## 2 Bread

Bread is bought on Mondays.
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("changes")
    path, place = folder / "act.md", folder / "index"
    for text, day in ((LAMP_ACT, "2020-01-01"), (HIGHER, "2022-07-01"), (WITH_OIL, "9000-01-01")):
        path.write_text(text)
        indexer.ingest(path, place, valid_from=day)
    path.write_text(POLICY)
    indexer.ingest(path, place)
    with search.open(place) as index:
        fees = next(one for one in index.passages() if "crowns" in one.text)
    question = AnsweredQuestion("q1", "What is the fee for a lamp?", (fees.id,))
    indexer.add_questions([question], place)
    return place


@pytest.fixture(scope="module")
def index(place: Path) -> search.Index:
    return search.open(place)


@pytest.mark.parametrize(
    ("since", "until", "days"),
    [
        ("2000-01-01", "", ["9000-01-01", "2022-07-01"]),
        ("2022-07-01", "2022-07-01", ["2022-07-01"]),
        ("2022-07-02", "2023-01-01", []),
        ("2023-01-01", "", ["9000-01-01"]),
    ],
)
def test_changes_are_those_of_the_days_asked_for_the_latest_first(
    index: search.Index, since: str, until: str, days: list[str]
) -> None:
    assert [one.valid_from for one in index.changes(since, until)] == days


def test_a_change_says_where_it_is_and_whether_it_is_law(index: search.Index) -> None:
    future, past = index.changes("2000-01-01")
    assert (future.status, past.status) == ("future", "in-force")
    assert [(one.change, one.number, one.old_number) for one in future.comparison.changes] == [
        ("added", "Section 2", None), ("moved", "Section 3", "Section 2"),
    ]  # fmt: skip
    told = past.to_json()
    assert (told["document_id"], told["document_title"]) == ("lamp-act", "Lamp Act")
    assert (told["from"], told["to"]) == ("2020-01-01", "2022-07-01")
    assert [one["number"] for one in told["changes"]] == ["Section 2"]


def test_questions_and_documents_that_rest_on_a_changed_rule_are_named(
    index: search.Index,
) -> None:
    future, past = index.changes("2000-01-01")
    assert [(one.kind, one.text, one.number) for one in past.affects] == [
        ("answered-question", "What is the fee for a lamp?", "Section 2"),
        ("passage", "Own Policy 1", "Section 2"),
    ]
    assert [one.number for one in future.affects] == ["Section 3", "Section 3"]


def test_one_document_may_be_asked_for(index: search.Index) -> None:
    assert index.changes("2000-01-01", document="own-policy") == []
    assert len(index.changes("2000-01-01", document="lamp-act")) == 2
    with pytest.raises(InputError, match="no document 'oil-act'"):
        index.changes("2000-01-01", document="oil-act")


@pytest.mark.parametrize(
    ("since", "until"),
    [("", ""), ("2020", ""), ("2023-02-29", ""), ("2020-01-01", "soon"),
     ("2020-02-01", "2020-01-01")],
)  # fmt: skip
def test_what_is_no_day_is_refused(index: search.Index, since: str, until: str) -> None:
    with pytest.raises(InputError) as refused:
        index.changes(since, until)
    assert refused.value.code == "version.interval"


@dataclass
class Held:
    """Works with one document."""

    passages: list[Passage]
    known: History = field(default_factory=History)

    def history(self, document_id: str) -> History:
        return self.known

    def states(self, document_id: str) -> list[Passage]:
        return self.passages


def test_rules_that_begin_or_end_within_a_version_change_on_their_day() -> None:
    states = act({"§ 1": LAMPS, "§ 2": BOATS, "§ 3": BREAD})
    version = Version("2020-01-01", "2020-01-01")
    history = History((version,), ((0, 1, 2),), {1: "2021-05-01/..", 2: "../2022-12-31"})
    held = Held(states, history)
    found = amendments(held, [DocumentSummary("act", "Act", 3)], "2000-01-01")  # type: ignore[arg-type]
    assert [
        (one.valid_from, change.change, change.number)
        for one in found
        for change in one.comparison.changes
    ] == [("2023-01-01", "repealed", "§ 3"), ("2021-05-01", "added", "§ 2")]
