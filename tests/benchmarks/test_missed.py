"""Relevant passages that a search misses, held against what was read in them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

import search
from benchmarks.missed import Missed, Verdict, figures, missed_of, read_verdicts
from rirag.inputs.gold import JudgedQuestions

JUDGED = JudgedQuestions(
    texts={"one": "Who reports?", "two": "Who pays?"},
    relevant={"one": frozenset({"a", "b"}), "two": frozenset({"c"})},
    references=3,
    missing=0,
)


def test_what_was_found_is_not_missed() -> None:
    found = {"one": frozenset({"a", "x"}), "two": frozenset({"x"})}
    verdicts: dict[tuple[str, str], Verdict] = {("one", "b"): "topic", ("one", "c"): "answers"}
    assert missed_of(JUDGED, found, verdicts) == [
        Missed("one", "b", "topic", 0.5),
        Missed("two", "c", None, 1.0),
    ]


def test_only_what_answers_or_was_not_read_is_still_to_be_gained() -> None:
    missed = [
        Missed("one", "a", "answers", 0.5),
        Missed("one", "b", "topic", 0.5),
        Missed("two", "c", None, 1.0),
    ]
    value = {one.name.strip(): one.value for one in figures(JUDGED, missed)}
    assert value["relevant passages"] == value["not among the first 10"] == 3
    assert (value["read: answers"], value["read: topic"], value["not read"]) == (1, 1, 1)
    assert value["R@10"] == 0
    assert value["R@10 with those that answer or were not read"] == pytest.approx(0.75)


def test_the_command_lists_a_passage_that_no_question_leads_to(
    rulebook_index: Path, tmp_path: Path, figures_of: Callable[..., dict[str, Any]]
) -> None:
    with search.open(str(rulebook_index)) as index:
        asked, other = (index.search(text, 1).hits[0] for text in ("tipping off", "annual fee"))
    path = tmp_path / "questions.jsonl"
    question = {"question_id": "q", "question": "tipping off", "relevant": [asked.id, other.id]}
    path.write_text(json.dumps(question), encoding="utf-8")
    found = figures_of("missed", rulebook_index, path, "--list")
    assert found["value"]["not among the first 10"] == found["value"]["not read"] == 1
    assert found["value"]["R@10"] == pytest.approx(0.5)
    assert f"not read   {other.passage.citation()}" in found["printed"]


def test_every_verdict_is_one_of_three() -> None:
    assert set(read_verdicts().values()) == set(get_args(Verdict))
