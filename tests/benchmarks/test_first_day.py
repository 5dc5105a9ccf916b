"""Where gold is after each retriever and step, on the sample rulebook."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import search
from benchmarks.first_day import provision, read, recall
from benchmarks.first_day_parts import WHOLE, measured, variants
from search.ranking.profile_file import load_profile
from search.text.word_parts import MARK


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


def test_each_part_that_is_taken_away_is_measured_beside_the_whole(
    rulebook_index: Path, judged_questions: Path
) -> None:
    with search.open(str(rulebook_index)) as index:
        asked, _ = read(judged_questions, index.passages())
        ways = variants(load_profile("default", index.pipeline.encoder.revision))
        found = measured(index.pipeline, ways, asked[:3])
    assert next(iter(found)) == WHOLE
    assert found.keys() == ways.keys()
    assert found[WHOLE][0] >= found[WHOLE][1] >= found[WHOLE][2]
    assert found[WHOLE][1] == found["words alone"][1] == 1


def test_a_part_that_is_taken_away_is_not_used(rulebook_index: Path) -> None:
    with search.open(str(rulebook_index)) as index:
        pipeline = index.pipeline
        profile = load_profile("default", pipeline.encoder.revision)
        ways = variants(profile)
        german = "Welche Unterlagen muss die Tochtergesellschaft des Instituts aufbewahren?"
        prepared = pipeline.prepare(german, profile, None)
        without = ways["no parts of words"].prepared(prepared)
        alone = pipeline.prepare(german, ways["vectors alone"].profile, None)
        title = index.passages()[0].document_title
        named = pipeline.prepare(f"What does the {title} say about fees?", profile, None)
    assert any(MARK in term for term in prepared.request.tokens)
    assert without.request.tokens == prepared.question.tokens
    assert alone.plan.alpha == 0
    assert named.question.documents
    assert not ways["no named documents"].prepared(named).question.documents
