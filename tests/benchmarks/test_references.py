"""References held against a file of hand-made ones, on the sample rulebook."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import search
from benchmarks.reference_verdicts import read_verdicts
from benchmarks.references import HALVES, compare, half_of, read_edges
from search.errors import InputError

Row = tuple[str, str, str]
"""Citing passage, words, cited passage, each passage as `DOCUMENT number`; none: no target."""


@pytest.fixture
def edges(rulebook_index: Path, tmp_path: Path) -> Callable[..., Path]:
    """A function that writes hand-made edges between passages of the rulebook."""
    with search.open(str(rulebook_index)) as index:
        ids = {f"{one.document_id} {one.passage_id}": one.id for one in index.passages()}

    def write(*rows: Row) -> Path:
        path = tmp_path / "edges.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["SourceID", "ReferenceText", "TargetID", "TargetPassageID"])
            writer.writerows(
                [ids[source], text, ids.get(target, target), target.split(" ")[-1]]
                for source, text, target in rows
            )
        return path

    return write


RIGHT = (
    ("COND 2.2.2", "Rule 2.1.1", "COND 2.1.1"), ("COND 2.2.2", "Rule 3.3.1", "COND 3.3.1"),
    ("COND 2.2.2", "Chapter 5", "COND 5"), ("COND 2.2.2", "Rule 6.2.4", "COND 6.2.4"),
)  # fmt: skip


def test_edges_are_agreed_missing_or_too_many(
    rulebook_index: Path, edges: Callable[..., Path]
) -> None:
    wrong = ("COND 2.2.2", "Rule 2.1.1", "COND 2.1.3")
    outside = ("COND 2.2.2", "the Companies Act", "")
    rows = read_edges(edges(*RIGHT[1:], wrong, outside))
    with search.open(str(rulebook_index)) as index:
        found = compare(index, rows, {})
    assert (found.passages, found.agreed, found.only_gold, found.only_found) == (1, 3, 1, 1)
    assert found.beside == 1
    assert [(one.side, one.right) for one in found.disagreements] == [
        ("found", "unknown"), ("gold", "unknown"),
    ]  # fmt: skip


def test_a_verdict_says_who_is_right(
    rulebook_index: Path, edges: Callable[..., Path], figures_of: Callable[..., dict[str, Any]]
) -> None:
    path = edges(*RIGHT)
    half = half_of(read_edges(path)[0]["SourceID"])
    value = figures_of("references", rulebook_index, path, "--half", half)["value"]
    assert value["edges of the file"] == 4
    assert value["precision by the file"] == value["recall by the file"] == 100.0


def test_a_passage_is_always_in_the_same_half() -> None:
    halves = [half_of(str(number)) for number in range(200)]
    assert halves == [half_of(str(number)) for number in range(200)]
    assert all(70 < halves.count(half) < 130 for half in HALVES)


def test_every_verdict_names_a_side() -> None:
    assert {one.right for one in read_verdicts().values()} == {"found", "gold"}


def test_another_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.csv"
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(InputError, match="has not the columns ReferenceText, SourceID"):
        read_edges(path)
