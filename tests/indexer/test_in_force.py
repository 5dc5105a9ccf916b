"""What a load finds out of the status of passages in time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import indexer
from indexer.load import in_force
from search.records import MetadataValue, Passage

TODAY = "2026-06-30"


@pytest.fixture(autouse=True)
def today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("search.law_in_time.today", lambda: TODAY)
    monkeypatch.setattr(in_force, "today", lambda: TODAY)


def stored(*levels: dict[str, MetadataValue]) -> MetadataValue | None:
    """Return what is stored for the innermost of some passages, each below the one before."""
    passages = [
        Passage(str(at), "A", str(at), "text", parent=str(at - 1) if at else None, metadata=one)
        for at, one in enumerate(levels)
    ]
    return in_force.with_status(passages)[-1].metadata.get("status_in_time")


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({}, None),
        ({"status": "Zuletzt geändert durch Art. 1"}, None),
        ({"status": "draft", "topic": "repealed"}, None),
        ({"status": "repealed"}, "past"),
        ({"status": "Repealed"}, "past"),
        ({"status": "ABROGE"}, "past"),
        (
            {"status": "MODIFIE_MORT_NE", "valid_from": "2020-01-01", "valid_to": "2020-01-01"},
            "past",
        ),
        ({"repealed": True}, "past"),
        ({"repealed": False}, None),
        ({"in_force": "false"}, "past"),
        ({"in_force": "2018-05-10"}, None),
        ({"status": "Prospective"}, "future"),
        ({"status": "Prospective", "valid_from": "2020-01-01"}, "future"),
        ({"status": "Prospective", "valid_from": "2027-01-01"}, "2027-01-01/.."),
        ({"status": "VIGUEUR_DIFF", "valid_from": "2999-01-01"}, "future"),
        ({"status": "in_force"}, "in-force"),
        ({"status": "VIGUEUR", "valid_from": "2020-01-01", "valid_to": "2999-01-01"}, "in-force"),
        ({"status": "ABROGE_DIFF", "valid_to": "2026-12-31"}, "../2026-12-31"),
        ({"status": "repealed", "valid_to": "2026-12-31"}, "../2026-12-31"),
        ({"status": "repealed", "valid_to": "9999-12-31"}, "past"),
        ({"valid_from": "2020-01-01"}, "in-force"),
        ({"valid_from": "2026-06-30"}, "in-force"),
        ({"valid_from": "2026-07-01"}, "2026-07-01/.."),
        ({"valid_to": "2026-06-30"}, "../2026-06-30"),
        ({"valid_to": "2026-06-29"}, "past"),
        ({"valid_until": "20260629"}, "past"),
        ({"effective_to": "29.06.2026"}, "past"),
        ({"valid_to": "2026-06-29T00:00:00+02:00"}, "past"),
        ({"valid_to": 2026}, "../2026-12-31"),
        ({"valid_to": "2025"}, "past"),
        ({"valid_to": "2026-06"}, "../2026-06-31"),
        ({"valid_from": "2027"}, "2027-01-01/.."),
        ({"valid_to": "0001-01-01"}, None),
        ({"valid_to": "soon"}, None),
        ({"valid_to": "2026-13-45"}, None),
        ({"valid_from": "2020-01-01", "valid_to": "2010-01-01"}, "in-force"),
        ({"valid_from": "2027-01-01", "valid_to": "2028-12-31"}, "2027-01-01/2028-12-31"),
    ],
)
def test_status_and_days_of_publishers_have_one_form(
    metadata: dict[str, MetadataValue], expected: str | None
) -> None:
    assert stored(metadata) == expected


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        (({"status": "repealed"}, {}), "past"),
        (({"status": "future"}, {}, {"valid_from": "2020-01-01"}), "future"),
        (({"valid_to": "2026-12-31"}, {"valid_to": "2027-12-31"}), "../2026-12-31"),
        (({"valid_from": "2020-01-01"}, {"status": "repealed"}), "past"),
        (({"status": "valid"}, {"valid_from": "2027-01-01"}), "2027-01-01/.."),
        (({}, {"topic": "funds"}), None),
    ],
)
def test_what_holds_of_a_passage_holds_of_all_below_it(
    levels: tuple[dict[str, MetadataValue], ...], expected: str | None
) -> None:
    assert stored(*levels) == expected


def test_the_report_counts_what_searches_leave_out(tmp_path: Path) -> None:
    rows = [
        {"ID": "1", "DocumentID": "A", "PassageID": "1", "Passage": "Old.", "status": "repealed"},
        {"ID": "2", "DocumentID": "A", "PassageID": "2", "Passage": "Current."},
        {"ID": "3", "DocumentID": "B", "PassageID": "1", "Passage": "New.", "status": "future"},
    ]
    source = tmp_path / "a.jsonl"
    source.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    report = indexer.ingest(source, tmp_path / "index")
    assert report.not_in_force == {"A": 1, "B": 1}
    assert "2 passages are not in force and left out of searches (A: 1; B: 1)." in report.summary()
    assert "status=past" in report.summary()
    again = indexer.ingest(source, tmp_path / "index")
    assert (again.unchanged, again.not_in_force) == (("A", "B"), {"A": 1, "B": 1})
