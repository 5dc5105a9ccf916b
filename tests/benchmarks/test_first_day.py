"""Where gold is after each retriever and step, on the sample rulebook."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import search
from benchmarks.first_day import provision, read, recall


def test_gold_is_counted_after_each_step_by_style(
    figures_of: Callable[..., dict[str, Any]], rulebook_index: Path, judged_questions: Path
) -> None:
    value = figures_of("first_day", rulebook_index, judged_questions, "--limit", 5)["value"]
    assert value["gold that the index does not hold"] == 0
    assert value["question, lexical, among 10"] == value["all, lexical, among 10"] == 1
    assert value["all, final, among 1"] <= value["all, final, among 10"]
    assert value["all, dense, among 200"] >= value["all, dense, among 50"] > 0


def test_a_provision_of_a_file_is_its_passages_and_those_below(rulebook_index: Path) -> None:
    with search.open(str(rulebook_index)) as index:
        passages = index.passages()
    deep = next(one for one in passages if one.parent and "." in one.passage_id)
    above = next(one for one in passages if one.id == deep.parent)
    file = Path(above.source.rpartition(":")[0]).name
    found = provision({"document": file, "unit": above.passage_id}, passages)
    assert {deep.id, above.id} <= found
    assert not provision({"document": "another.docx", "unit": above.passage_id}, passages)


def test_gold_that_is_not_there_is_counted_and_left_out(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    lines = [{"question": "Who pays?", "relevant": ["gone"]}, {"question": "None?"}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert read(path, []) == ([], 1)


def test_a_provision_counts_once_however_many_passages_it_has() -> None:
    gold = (frozenset({"a", "b"}), frozenset({"c"}))
    assert recall(["b", "a", "x"], gold) == 0.5
