"""Each command on the sample rulebook: it ends well, and its figures hold together."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sample import QUESTIONS, RULEBOOK

FiguresOf = Callable[..., dict[str, Any]]


def test_ingest_compares_a_load_with_its_encoder(figures_of: FiguresOf) -> None:
    found = figures_of("ingest", RULEBOOK)
    value = found["value"]
    assert value["texts encoded"] == found["encoder_alone"]["encoded"] > 200
    assert value["unchanged run, texts encoded"] == 0
    assert value["whole ingest"] == pytest.approx(value["encoder inside it"] + value["all else"])
    assert value["ingest / encoder inside it"] > 1
    assert value["unchanged run"] < value["whole ingest"]
    assert 50 < value["peak memory"] < 700


def test_latency_holds_a_search_against_its_floors(
    figures_of: FiguresOf, rulebook_index: Path
) -> None:
    found = figures_of(
        "latency", rulebook_index, QUESTIONS, "--limit", 6, "--runs", 1, "--searches", 16
    )
    value = {one["name"].strip(): one["value"] for one in found["all"]}
    assert value["whole / floors"] == pytest.approx(
        value["whole search"] / value["floors together"]
    )
    assert value["floors together"] >= value["floor: query encoding"] > value["floor: tantivy"] > 0
    for callers in (1, 4, 16):
        for kind in ("threads", "asyncio"):
            assert value[f"{callers} callers, {kind}"] > 0
    assert value["rirag search"] > value["rirag --help"] > 0
    assert {one["name"] for one in found["figures"]} == {
        "whole search", "whole / floors", "rirag search", "rirag --help", "peak, searching",
    }  # fmt: skip
    for stage in ("analyse", "encode", "retrieve", "fuse", "fetch"):
        assert value[f"stage: {stage} (6 questions)"] > 0


def test_memory_tells_before_from_after(figures_of: FiguresOf, rulebook_index: Path) -> None:
    value = figures_of("memory", rulebook_index, QUESTIONS, "--limit", 3)["value"]
    before, after = "resident, before the index is opened", "resident, after the searches"
    assert value["peak, searching"] >= value[after] > value[before] > 5


def test_scale_loads_searches_and_finds_the_true_neighbours(figures_of: FiguresOf) -> None:
    found = figures_of(
        "scale", RULEBOOK, "--sizes", 300, 1200, "--questions", QUESTIONS, "--limit", 4
    )
    assert list(found["sizes"]) == ["300", "1200"]
    for size, figures in found["sizes"].items():
        assert figures["load"]["passages"] == int(size)
        assert figures["load"]["bytes"] > int(size) * 1000
        assert figures["recall"]["recall"] >= 0.99
        assert figures["search"]["filtered"]["p50"] > 0
        assert figures["search"]["dot"]["p50"] > 0
    assert "1,200 passages" in found["printed"]


def test_rule_numbers_counts_first_places_and_lists_the_failures(
    figures_of: FiguresOf, rulebook_index: Path, tmp_path: Path
) -> None:
    questions = tmp_path / "numbers.jsonl"
    right = "COND 6.2.1"
    answer = figures_of_first(rulebook_index, right)
    questions.write_text(
        json.dumps({"question_id": "right", "question": right, "relevant": [answer]})
        + "\n"
        + json.dumps({"question_id": "wrong", "question": "GOVN 3.3.2", "relevant": [answer]}),
        encoding="utf-8",
    )
    found = figures_of("rule_numbers", rulebook_index, questions)
    assert found["value"]["right passage first"] == 50
    assert [failure["question_id"] for failure in found["failures"]] == ["wrong"]
    assert "wrong: GOVN 3.3.2" in found["printed"]
    assert "6.2.1" in found["failures"][0]["wanted"][0]


def figures_of_first(index: Path, number: str) -> str:
    """Return the ID of the passage with a number, from the index itself."""
    import search

    code, passage_id = number.split()
    with search.open(str(index)) as opened:
        return next(
            one.id for one in opened.passages({"document_id": code}) if one.passage_id == passage_id
        )


def test_bm25_finds_passages_by_their_own_words(
    figures_of: FiguresOf, rulebook_index: Path, judged_questions: Path
) -> None:
    value = figures_of("bm25", rulebook_index, judged_questions)["value"]
    assert value["questions"] > 5
    assert value["R@10"] == 1
    assert value["AP@10"] > 0.9


@pytest.mark.parametrize("name", ["bm25", "latency", "memory"])
def test_a_missing_index_is_one_sentence(
    benchmark: Callable[..., Any], judged_questions: Path, tmp_path: Path, name: str
) -> None:
    done = benchmark(name, tmp_path / "nowhere", judged_questions)
    assert done.returncode == 3
    assert "does not exist" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_figure_file_that_cannot_be_written_is_one_sentence(
    benchmark: Callable[..., Any], rulebook_index: Path, judged_questions: Path, tmp_path: Path
) -> None:
    done = benchmark("bm25", rulebook_index, judged_questions, "--json", tmp_path / "no" / "file")
    assert done.returncode == 5
    assert "cannot be written" in done.stderr
    assert "R@10" in done.stdout, "what was measured is not lost"


def test_verifier_finds_what_was_made_false_and_blames_nothing_true(
    figures_of: FiguresOf, rulebook_index: Path
) -> None:
    false, alarms = 0, 0
    for half in ("develop", "report"):
        found = figures_of("verifier", rulebook_index, QUESTIONS, "--half", half)
        for name, value in found["value"].items():
            if name.startswith("found: all"):
                assert value > 95
                false += 1
            if name.startswith("false alarms: all"):
                assert value < 2
                alarms += 1
        assert all(one["text"] for cases in found["wrong"].values() for one in cases)
    assert (false, alarms) == (2, 2)


def test_extractive_counts_what_quoted_answers_cover(
    figures_of: FiguresOf, rulebook_index: Path
) -> None:
    found = figures_of("extractive", rulebook_index, QUESTIONS, "--gold")["value"]
    assert found["obligations covered"] > 90
    assert 0 < found["words per answer"] < 250
    searched = figures_of("extractive", rulebook_index, QUESTIONS, "--limit", 3)["value"]
    assert 0 <= searched["obligations covered"] <= 100


def test_serving_compares_each_answer_with_the_state_that_it_names(
    figures_of: FiguresOf, rulebook_index: Path
) -> None:
    found = figures_of(
        "serving", rulebook_index, "--only", "crowd", "--searches", 60, "--callers", 4
    )
    value = found["value"]
    assert value["searches answered"] == 60
    assert value["states of the index that answered"] >= 1
    assert value["answers that are none of their state"] == value["other errors"] == 0
