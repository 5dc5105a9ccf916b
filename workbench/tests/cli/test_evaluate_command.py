"""`rirag evaluate retrieval`: question files of both forms, runs written, read and compared."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from cli_support import Run, run
from sample import ingest_rulebook, write_lines

import search
from search.models.defaults import DEFAULT_RERANKER

MEASURES = ["R@10", "AP@10", "RR@10", "nDCG@10", "R@100"]


def test_measures_are_printed_with_what_to_know(
    rulebook: Path, judged: tuple[Path, Path], tmp_path: Path
) -> None:
    shown = run("evaluate", "retrieval", judged[0], "--index", rulebook, cwd=tmp_path)
    assert (shown.code, shown.err) == (0, "")
    assert [line.split()[0] for line in shown.out.splitlines()[:6]] == ["measure", *MEASURES]
    assert "23 questions, all counted" in shown.out
    assert "search time p50 " in shown.out


def test_both_forms_of_questions_measure_the_same(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path]
) -> None:
    first, second = (
        rirag("evaluate", "retrieval", one, "--json", "--index", rulebook).json for one in judged
    )
    assert list(first) == [
        "questions", "measures", "unanswered", "missing_gold", "answered_questions",
        "own_answered_questions", "milliseconds", "notes",
    ]  # fmt: skip
    assert first["measures"] == second["measures"]
    assert list(first["measures"]) == MEASURES
    assert (first["questions"], first["unanswered"], first["missing_gold"]) == (23, 0, 0)
    assert set(first["milliseconds"]) == {"p50", "p95", "mean"}
    assert first["measures"]["R@10"] > 0.9, "the sample rulebook answers its own questions"


def test_a_run_read_back_measures_the_same(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path], tmp_path: Path
) -> None:
    command = ("evaluate", "retrieval", judged[1], "--json", "--index", rulebook)
    written = rirag(*command, "--run", "default.run").json
    read = rirag(*command, "--from-run", "default.run").json
    assert read["measures"] == written["measures"]
    assert read["milliseconds"] is None
    lines = [line.split() for line in (tmp_path / "default.run").read_text().splitlines()]
    by_question: dict[str, list[float]] = {}
    for question, q0, _, rank, score, tag in lines:
        assert (q0, tag) == ("Q0", "rirag")
        scores = by_question.setdefault(question, [])
        scores.append(float(score))
        assert int(rank) == len(scores) <= 100
    assert len(by_question) == 23
    assert max(map(len, by_question.values())) == 100
    assert all(a > b for scores in by_question.values() for a, b in pairwise(scores))


def test_runs_are_compared_measure_by_measure(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path]
) -> None:
    command = ("evaluate", "retrieval", judged[1], "--index", rulebook)
    rirag(*command, "--profile", "dense", "--run", "dense.run")
    rows = rirag(*command, "--compare", "dense.run", "--json").json["comparison"]
    assert [row["measure"] for row in rows] == MEASURES
    for row in rows:
        assert row["better"] + row["worse"] + row["equal"] == 23
        assert 0 <= row["p_value"] <= 1
        assert row["difference"] == pytest.approx(row["value"] - row["other"])
    same = rirag(*command, "--from-run", "dense.run", "--compare", "dense.run", "--json").json
    luck = [row["p_value"] for row in same["comparison"]]
    assert luck == [1] * len(MEASURES), "a run compared with itself differs by luck only"


def test_measures_deeper_than_a_run_are_searched_for_so_deep(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path]
) -> None:
    command = ("evaluate", "retrieval", judged[1], "--index", rulebook, "--measures", "R@100 R@228")
    measures = rirag(*command, "--run", "deep.run", "--json").json["measures"]
    assert measures["R@228"] == 1.0
    found = Counter(line.split()[0] for line in Path("deep.run").read_text().splitlines())
    assert max(found.values()) > 100
    again = rirag(*command, "--from-run", "deep.run", "--json").json["measures"]
    assert again == measures


def test_values_of_each_question_on_request(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path]
) -> None:
    command = ("evaluate", "retrieval", judged[1], "--measures", "P@1 R@5", "--index", rulebook)
    data = rirag(*command, "--json", "--per-question").json
    assert list(data["measures"]) == ["P@1", "R@5"]
    assert len(data["per_question"]) == 23
    mean = sum(one["R@5"] for one in data["per_question"].values()) / 23
    assert mean == pytest.approx(data["measures"]["R@5"])


def test_a_question_that_finds_nothing_counts_as_zero(
    rirag: Run, rulebook: Path, tmp_path: Path
) -> None:
    with search.open(str(rulebook)) as index:
        (gold,) = index.passages({"document_id": "AMLR", "number": "4.3.1".replace(".", "/")})
    write_lines(
        tmp_path / "q.jsonl",
        {"question_id": "1", "question": "tipping off", "relevant": [gold.id]},
        {"question_id": "2", "question": "the of and", "relevant": [gold.id]},
    )
    options = ("--profile", "lexical", "--measures", "R@100", "--json", "--index", rulebook)
    one = rirag("evaluate", "retrieval", "q.jsonl", *options, "--per-question").json
    assert one["unanswered"] == 1
    assert one["per_question"]["2"] == {"R@100": 0.0}
    assert one["measures"]["R@100"] == one["per_question"]["1"]["R@100"] / 2


def test_gold_that_the_index_lacks_counts_as_not_found(
    rirag: Run, rulebook: Path, tmp_path: Path
) -> None:
    pairs = [("COND", "6.2.2"), ("COND", "99")]
    question = {
        "QuestionID": "1",
        "Question": "COND 6.2.2",
        "Passages": [{"DocumentID": document, "PassageID": number} for document, number in pairs],
    }
    write_lines(tmp_path / "q.jsonl", question)
    data = rirag("evaluate", "retrieval", "q.jsonl", "--json", "--index", rulebook).json
    assert (data["missing_gold"], data["measures"]["R@10"]) == (1, 0.5)


def test_relevant_passages_that_the_filters_leave_out_are_told(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path]
) -> None:
    command = ("evaluate", "retrieval", judged[1], "--index", rulebook, "--measures", "R@100")
    note, *_ = rirag(*command, "--filter", "document=COND", "--json").json["notes"]
    outside = int(note.split()[0])
    assert note == f"{outside} relevant passages do not meet the filters; they count as not found"
    assert f"\nnote: {note}\n" in rirag(*command, "--filter", "document=COND").out
    gold = [json.loads(line)["relevant"] for line in judged[1].read_text("utf-8").splitlines()]
    with search.open(str(rulebook)) as index:
        inside = {one.id for one in index.passages({"document": "COND"})}
    assert outside == sum(one not in inside for relevant in gold for one in relevant)


def test_what_happened_in_searches_is_told_once(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise RuntimeError("out of memory")

    monkeypatch.setattr("search.ranking.steps.ordering.rerank.rerank", failing)
    told = "reranking failed, so the previous order is kept: out of memory"
    monkeypatch.setenv("RIRAG_RERANKER", DEFAULT_RERANKER)
    command = ("evaluate", "retrieval", judged[1], "--index", rulebook, "--json")
    assert rirag(*command).json["notes"] == [f"23 of 23 searches: {told}"]
    assert rirag(*command, "--no-rerank").json["notes"] == []


def test_answered_questions_are_counted_where_the_profile_lets_them_vote(
    rirag: Run, judged: tuple[Path, Path], tmp_path: Path
) -> None:
    index = ingest_rulebook(tmp_path / "index")
    assert rirag("questions", "add", judged[1], "--index", index).code == 0
    command = ("evaluate", "retrieval", judged[1], "--index", index, "--no-rerank", "--json")
    for options, known in [((), 23), (("--profile", "rrf"), 0), (("--no-answered-questions",), 0)]:
        found = rirag(*command, *options).json
        assert (found["answered_questions"], found["own_answered_questions"]) == (known, known), (
            options
        )
