"""What a load finds out of the status of passages in time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import indexer
from indexer.load import in_force
from indexer.load.in_force import with_status
from indexer.review.structure import structure
from search.law_in_time import STATUS_IN_TIME
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
        ({"state": "repealed"}, "past"),
        ({"state": "in force"}, "in-force"),
        ({"state": "Ohio"}, None),
        ({"status": "ABROGE"}, "past"),
        (
            {"status": "MODIFIE_MORT_NE", "valid_from": "2020-01-01", "valid_to": "2020-01-01"},
            "2020-01-01/2020-01-01",
        ),
        ({"etat": "ABROGÉ"}, "past"),
        ({"estado": "derogada"}, "past"),
        ({"date_fin": "2015-01-01"}, "../2015-01-01"),
        ({"repealed": True}, "past"),
        ({"repealed": False}, None),
        ({"in_force": "false"}, "past"),
        ({"in_force": "2018-05-10"}, "2018-05-10/.."),
        ({"commencement_date": "2099-05-01"}, "2099-05-01/.."),
        ({"status": "Prospective"}, "future"),
        ({"status": "Prospective", "valid_from": "2020-01-01"}, "future"),
        ({"status": "Prospective", "valid_from": "2027-01-01"}, "2027-01-01/.."),
        ({"status": "VIGUEUR_DIFF", "valid_from": "2999-01-01"}, "future"),
        ({"status": "in_force"}, "in-force"),
        (
            {"status": "VIGUEUR", "valid_from": "2020-01-01", "valid_to": "2999-01-01"},
            "2020-01-01/..",
        ),
        ({"status": "ABROGE_DIFF", "valid_to": "2026-12-31"}, "../2026-12-31"),
        ({"status": "repealed", "valid_to": "2026-12-31"}, "../2026-12-31"),
        ({"status": "repealed", "valid_to": "9999-12-31"}, "past"),
        ({"valid_from": "2020-01-01"}, "2020-01-01/.."),
        ({"valid_from": "2026-06-30"}, "2026-06-30/.."),
        ({"valid_from": "2026-07-01"}, "2026-07-01/.."),
        ({"valid_to": "2026-06-30"}, "../2026-06-30"),
        ({"valid_to": "2026-06-29"}, "../2026-06-29"),
        ({"valid_until": "20260629"}, "../2026-06-29"),
        ({"effective_to": "29.06.2026"}, "../2026-06-29"),
        ({"valid_to": "2026-06-29T00:00:00+02:00"}, "../2026-06-29"),
        ({"valid_to": 2026}, "../2026-12-31"),
        ({"valid_to": "2025"}, "../2025-12-31"),
        ({"valid_to": "2026-06"}, "../2026-06-31"),
        ({"valid_from": "2027"}, "2027-01-01/.."),
        ({"valid_to": "0001-01-01"}, None),
        ({"valid_to": "soon"}, None),
        ({"valid_to": "2026-13-45"}, None),
        ({"valid_from": "2020-01-01", "valid_to": "2010-01-01"}, "2020-01-01/.."),
        ({"valid_from": "2027-01-01", "valid_to": "2028-12-31"}, "2027-01-01/2028-12-31"),
        ({"status": "Repealed by Act 7 of 2019"}, "past"),
        ({"status": "repealed (1 January 2020)"}, "../2020-01-01"),
        ({"status": "Repealed with effect from 1 January 2030"}, "../2030-01-01"),
        ({"status": "repealed", "valid_to": "31 March 2027"}, "../2027-03-31"),
        ({"status": "partly repealed by Act 7"}, "in-force"),
        ({"status": "in force (replaces the repealed Act 5)"}, "in-force"),
        ({"status": "in force until 31 December 2019"}, "../2019-12-31"),
        ({"status": "In force from 1 January 2030"}, "2030-01-01/.."),
        ({"status": "Amended; section 4 repealed"}, None),
        ({"status": "spent"}, "past"),
        ({"Legal-Status": "Withdrawn"}, "past"),
        ({"legalStatus": "no longer valid"}, "past"),
        ({"valid": "no"}, "past"),
        ({"withdrawn": "yes"}, "past"),
        ({"validTo": "31/12/2019"}, "../2019-12-31"),
        ({"valid_to": "12/31/2019"}, "../2019-12-31"),
        ({"valid_to": "06/07/2026"}, "../2026-07-06"),  # June or July
        ({"end_date": "December 31st, 2019"}, "../2019-12-31"),
        ({"end_date": "31-Dec-2019"}, "../2019-12-31"),
        ({"gueltig_bis": "31. März 2019"}, "../2019-03-31"),
        ({"valid_to": "le 1er août 2019"}, "../2019-08-01"),
        ({"repealed": "2019-12-31 00:00:00"}, "../2019-12-31"),
        ({"valid_to": "open", "end_date": "1.2.2030"}, "../2030-02-01"),
    ],
)
def test_status_and_days_of_publishers_have_one_form(
    metadata: dict[str, MetadataValue], expected: str | None
) -> None:
    assert stored(metadata) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[Repealed]", "past"),
        ("(aufgehoben)", "past"),
        ("Revoked", "past"),
        ("[Repealed by S.I. 2019/3].", "past"),
        ("A keeper lights lamps. [Repealed]", "past"),
        ("[Not in force] A keeper lights lamps.", "past"),
        ("[Not yet in force] A keeper lights lamps.", "future"),
        ("Lamps [Revoked: S.I. 2019/3]\nA keeper lights lamps.", "past"),
        ("Terminated keepers return 3 lamps.", None),
        ("A keeper (expired) sleeps.", None),
        ("A keeper [repealed] sleeps.", None),
        ("A keeper lights lamps.\n(2) [Repealed]", None),
        ("[Lamps] A keeper lights lamps.", None),
    ],
)
def test_a_text_may_say_that_it_is_not_in_force(text: str, expected: str | None) -> None:
    passage = Passage("a/1", "a", "1", text, metadata={"status": "draft"})
    assert with_status([passage])[0].metadata.get(STATUS_IN_TIME) == expected


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


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({"status": "in limbo"}, "status 'in limbo'"),
        ({"status": "Stand 2019"}, "status 'Stand 2019'"),
        ({"valid_to": "31.12.19"}, "valid_to '31.12.19'"),
        ({"in_force": "perhaps"}, "in_force 'perhaps'"),
        ({"rule_status": "repealed in 2019"}, "rule_status 'repealed in 2019'"),
        ({"period_end": "2019-12-31"}, "period_end '2019-12-31'"),
        ({"valid_to": "unlimited", "in_force": "2018-05-10", "status": "draft"}, ""),
        ({"topic": "repealed taxes", "published": "2019-12-31", "end_note": "none"}, ""),
    ],
)
def test_what_may_be_a_status_and_is_not_understood_is_reported(
    tmp_path: Path, metadata: dict[str, MetadataValue], expected: str
) -> None:
    row = {"ID": "1", "DocumentID": "A", "PassageID": "1", "Passage": "Old.", **metadata}
    source = tmp_path / "a.jsonl"
    source.write_text(json.dumps(row), encoding="utf-8")
    for guesses in (indexer.ingest(source, tmp_path / "i").guesses, structure(source).guesses):
        assert bool(guesses) == bool(expected)
        assert f"ignored: {expected} (1 passage)." in "".join(guesses) or not expected


def test_nested_front_matter_is_read(tmp_path: Path) -> None:
    source = tmp_path / "a.md"
    source.write_text("---\nvalidity:\n  to: 31/12/2019\n---\n# Lamps\n1. Switch off.\n")
    assert indexer.ingest(source, tmp_path / "index").not_in_force


def test_an_alias_of_front_matter_is_read_once(tmp_path: Path) -> None:
    aliases = "\n".join(f"  k{n}: *a" for n in range(2_000))
    fields = "\n".join(f"  k{n}: {n}" for n in range(2_000))
    source = tmp_path / "a.md"
    source.write_text(f"---\na: &a\n{fields}\nb: &b\n{aliases}\nc: *b\n---\n1. Switch off.\n")
    (passage,) = structure(source).passages()
    assert len(passage.metadata) == 2_000


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
