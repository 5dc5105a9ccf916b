"""Loss is loud: files that lose text, documents nobody reads, and readings that are doubtful."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import indexer
import search
from indexer.blocks import ATTACHED
from indexer.load.reading import loss_of
from indexer.load.trust import ENOUGH, lost_order, trust_of
from indexer.load.warnings import structure_warnings
from indexer.problems import Note
from indexer.review.structure import structure
from search.records import Passage

RULES = "".join(f"<p>1.{n} A keeper holds oil.</p>" for n in range(1, 4))


def passage(number, text, kind="rule"):
    return Passage(number, "act", number, text, kind=kind)


def page(folder, around):
    path = folder / "act.html"
    path.write_text(f"<html><body><main>{RULES}</main><div>{around}</div></body></html>")
    return path


def test_a_file_that_loses_more_than_a_fifth_of_its_words_is_a_problem(tmp_path):
    found = structure(page(tmp_path, "Words that stand outside of main. " * 2))
    (loss,) = found.losses
    assert loss.startswith("act.html: 50% of its words (12) are in no passage")
    assert len(found.passages()) == 3
    assert structure(page(tmp_path, "Two words")).losses == ()


def test_menus_are_no_loss(tmp_path):
    links = "".join(f"<a href='/{n}'>A link of the menu</a>" for n in range(9))
    assert structure(page(tmp_path, links)).losses == ()


def test_an_attached_file_that_nobody_reads_is_a_problem():
    loss = loss_of("c.eml", 80, [Note("c.eml", ATTACHED, 2, 3)])
    assert loss.startswith("c.eml: 2 attached files were not read")


@pytest.mark.parametrize(("lost", "told"), [(0, False), (20, False), (21, True)])
def test_a_fifth_is_the_limit(lost, told):
    assert bool(loss_of("a", 80, [Note("a", "around", 1, 50, lost)])) is told


def test_a_document_of_a_folder_that_nobody_reads_is_a_problem(tmp_path):
    page(tmp_path, "")
    (tmp_path / "old.xps").write_bytes(b"\xffWPC")
    (tmp_path / "logo.bin").write_bytes(b"\x00")
    (loss,) = structure(tmp_path).losses
    assert "old.xps: was not read" in loss


def test_trust_is_high_where_numbers_count_on_and_low_where_text_has_none(tmp_path):
    good = [passage(f"1.{n}", "A keeper holds oil. " * 9) for n in range(1, 9)]
    assert trust_of(good, []).score == 1
    swallowed = [*good, passage("Preamble", "All the other rules. " * 900)]
    found = trust_of(swallowed, [])
    assert found.score < ENOUGH
    assert found.reason() in {"text without a number", "very long passages"}
    twice = trust_of([*good, *good], [])
    assert twice.unique == 0.5
    assert twice.reason() == "numbers that occur more than once"
    assert trust_of([], []).score == 0


def test_numbers_in_a_table_do_not_make_headings_doubtful():
    versions = "\\Table Start\n4.0\t3 May 2025\tA. Osei\n4.1\t12 March 2026\tA. Osei\n\\Table End"
    policy = [passage("Versions", versions), passage("Scope", "All keepers.")]
    assert trust_of(policy, []).score == 1
    assert trust_of([*policy, passage("Rules", "4.1 Keepers report.")], []).score < 1


ACROSS = (1, 5, 2, 6, 3, 7, 4, 8)
SUBPARTS = (range(10, 20), range(5, 10), range(30, 50), range(20, 30), range(60, 80), range(50, 60))


@pytest.mark.parametrize(
    ("numbers", "is_lost"),
    [
        ([f"Article {one}" for one in ACROSS], True),
        ([f"{part}.{one}" for part in (1, 2, 3) for one in ACROSS], True),
        ([f"§ 7.{one}" for subpart in SUBPARTS for one in subpart], False),
        ([f"§ {part}.{one}" for part in (1, 2, 3) for one in (*range(5, 30), 1, 2)], False),
        ([f"§ 7.{one}" for one in range(10, 900, 10)], False),
        ([f"{one}" for one in range(1, 200)] + [f"200.{one}" for one in ACROSS], False),
    ],
)
def test_a_text_has_lost_its_order_where_many_numbers_go_back(numbers, is_lost):
    rules = [passage(number, "A keeper holds oil.") for number in numbers]
    warnings = structure_warnings(rules)
    assert lost_order(rules, warnings) is is_lost
    assert any(one.kind in ("jump", "gap") for one in warnings)
    assert trust_of(rules, warnings).score < ENOUGH or not is_lost


def test_numbers_of_a_text_that_lost_its_order_are_doubted_where_they_are_shown(tmp_path):
    documents = {"kept": range(1, 13), "lost": (1, 9, 3, 12, 5, 2, 11, 4, 8, 6, 10, 7)}
    records = [
        {
            "ID": f"{name}{number}",
            "DocumentID": name,
            "PassageID": f"Article {number}",
            "Passage": f"Rule {number} of oil.",
        }
        for name, numbers in documents.items()
        for number in numbers
    ]
    (tmp_path / "acts.json").write_text(json.dumps(records))
    indexer.ingest([tmp_path / "acts.json"], str(tmp_path / "index"))
    with search.open(str(tmp_path / "index"), reranker=None) as index:
        told = {
            name: index.search("Which oil?", filters={"document_id": name}).trace.notes
            for name in documents
        }
    assert told["kept"] == ()
    assert "the numbers of lost may be wrong" in told["lost"][0]


def test_footnotes_and_guidance_do_not_lower_trust():
    notes = [passage("Footnote", "A note. " * 3_000, "footnote") for _ in range(3)]
    rules = [passage("1", "Oil burns."), passage("2", "Wicks burn.")]
    assert trust_of([*rules, *notes], []).score == 1


POLICY = [
    passage("Purpose", "This policy covers oil."),
    passage("Review of 2024 orders", "Each order was read."),
    passage("Duties", "Keepers:\n1. hold oil;\n2. clean wicks."),
    passage("Duties.1", "A log is kept."),
]


def test_headings_are_enough_where_a_document_has_no_numbers_of_its_own():
    assert trust_of(POLICY, []).score == 1
    whole = [passage("Preamble", "All that it says. " * 99)]
    assert trust_of(whole, []).score == 0
    assert trust_of([*POLICY, *whole], []).score < ENOUGH


@pytest.mark.parametrize("line", ["Article 4 Oil", "1.1 Oil is held."])
def test_headings_are_not_enough_where_numbers_were_not_recognised(line):
    assert trust_of([passage("Purpose", f"Oil.\n{line}"), passage("Duties", "Log.")], []).score == 0


def test_headings_do_not_replace_numbers_in_a_document_that_has_them():
    preface = passage("Purpose", "Words of a preface. " * 200)
    assert trust_of([passage("1", "Oil burns."), preface], []).score < ENOUGH


def rows(numbers, text="A lamp burns."):
    return [
        replace(passage(number, text), source=f"a.csv:{at}")
        for at, number in enumerate(numbers, start=2)
    ]


@pytest.mark.parametrize(
    ("passages", "is_trusted"),
    [
        (rows(str(10 * n) for n in range(1, 9)), True),  # numbers that leave room for others
        (rows(str(n) for n in (1, 2, 9, 15, 16, 31)), False),
        (rows(f"Row {n}" for n in range(2, 9)), False),  # a catalogue without a number
        (rows(f"Risks, row {n}" for n in range(2, 9)), False),
        ([*rows(["A.1", "A.2"]), *rows(f"Row {n}" for n in range(4, 9))], True),
        ([*rows(map(str, range(1, 11))), *rows(map(str, range(11, 101)), "")], False),
        # A catalogue whose families have a text, and no number in the source.
        ([one for n in range(1, 31) for one in rows([f"Care of lamps {n * 'x'}", str(n)])], True),
        ([one for n in range(1, 31) for one in rows(["Care", str(n)], "Oil.\n4.1 Wicks.")], False),
    ],
    ids=["tens", "gaps", "rows", "rows of a sheet", "some rows", "empty", "headed", "hidden"],
)
def test_trust_in_records_follows_what_the_source_has(passages, is_trusted):
    trust = trust_of(passages, structure_warnings(passages))
    assert (trust.score >= ENOUGH) is is_trusted
