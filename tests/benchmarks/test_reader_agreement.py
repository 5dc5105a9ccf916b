"""Holding a reader's passages against hand-made ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.child import run
from benchmarks.reader_agreement import compare
from benchmarks.reader_job import lost_words_of_text


def agreement(gold: list[str], read: list[str]):
    return compare([(number, "words") for number in gold], [(number, "words") for number in read])


def test_numbers_match_whatever_their_white_space_and_closing_dot():
    found = agreement(["1. ", "Part 1 .2", "\u200e3", "4"], ["1", "Part 1.2.", "3"])
    assert (found.matched, found.precision, found.recall) == (3, 1, 3 / 4)


def test_repeated_numbers_count_as_often_as_they_occur():
    found = agreement(["1", "1", "2"], ["1", "2", "2"])
    assert (found.matched, found.missing, found.extra) == (2, ("1",), ("2",))
    assert found.f1 == pytest.approx(2 / 3)
    assert found.kinds == {"repeated number": 2}


def test_text_agreement_is_the_mean_of_matched_passages():
    found = compare([("1", "a b"), ("2", ""), ("3", "x")], [("1", "A b c"), ("2", "")])
    assert found.text == pytest.approx((0.8 + 1) / 2)


@pytest.mark.parametrize(
    ("gold", "read", "kind"),
    [
        (["1.1", "1.1.(2).Guidance.1"], ["1.1", "1.1.Guidance.1"], "guidance below an item"),
        (["1.1"], ["1.1", "1.1.(a)"], "list parted from its clause"),
        (["1.1", "1.1.(a)"], ["1.1"], "list kept with its clause"),
        (
            ["1.1.Guidance", "1.1.Guidance.1"],
            ["1.1.Guidance"],
            "only paragraph of a box numbered 1",
        ),
        (["1.1.Outsourcing of work"], [], "heading as a number"),
        (["7"], [], "other"),
    ],
)
def test_disagreements_are_named(gold, read, kind):
    assert set(agreement(gold, read).kinds) == {kind}


def test_a_rule_without_text_is_told_apart():
    found = compare([("1.1.(1)", "a")], [("1.1", ""), ("1.1.(1)", "a")])
    assert found.kinds == {"rule without text of its own": 1}


def test_words_of_a_text_that_are_in_no_passage_are_lost(tmp_path: Path):
    source = tmp_path / "rules.txt"
    source.write_text("1. A firm must notify.\n2. A firm must wait.\n", encoding="utf-8")
    assert lost_words_of_text(source, ["1 A firm must notify.", "2 A firm must wait."]) == []
    assert lost_words_of_text(source, ["1 A firm must notify.", "2 A firm must"]) == ["wait"]


@pytest.mark.corpus
def test_the_command_prints_a_line_for_each_document(data_folder: Path, tmp_path: Path):
    out = tmp_path / "figures.json"
    done = run("-m", "benchmarks.readers", "docx", "--data", str(data_folder), "--only", "16", "38",
               "--json", str(out))  # fmt: skip
    assert "read worst" in done.output
    written = json.loads(out.read_text())
    assert [one["document"] for one in written["documents"]] == ["16", "38"]
    value = {one["name"]: one["value"] for one in written["figures"]}
    assert value["words lost"] == 0
    assert value["mean F1 of numbers"] > 0.8
