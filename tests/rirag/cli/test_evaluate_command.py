"""`rirag evaluate retrieval`: question files of both forms, runs written, read and compared."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_support import Run, run
from sample import RULEBOOK, write_lines

import search

MEASURES = ["R@10", "AP@10", "RR@10", "nDCG@10", "R@100"]


@pytest.fixture(scope="session")
def judged(rulebook: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The questions of the sample rulebook that have answers: as ObliQA's JSON, and as JSONL."""
    folder = tmp_path_factory.mktemp("judged")
    lines = (RULEBOOK / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    records = [one for one in map(json.loads, lines) if one["relevant_numbers"]]
    with search.open(str(rulebook)) as index:
        ids = {(one.document_id, one.passage_id): one.id for one in index.passages()}
    obliqa = [
        {
            "QuestionID": one["question_id"],
            "Question": one["question"],
            "Passages": [
                {"DocumentID": document, "PassageID": number}
                for document, number in one["relevant_numbers"]
            ],
        }
        for one in records
    ]
    (folder / "obliqa.json").write_text(json.dumps(obliqa), encoding="utf-8")
    jsonl = write_lines(folder / "lines.jsonl", *(
        {
            "question_id": one["question_id"],
            "question": one["question"],
            "relevant": [ids[document, number] for document, number in one["relevant_numbers"]],
        }
        for one in records
    ))  # fmt: skip
    return folder / "obliqa.json", jsonl


def test_measures_are_printed_with_what_to_know(
    rulebook: Path, judged: tuple[Path, Path], tmp_path: Path
) -> None:
    shown = run("evaluate", "retrieval", judged[0], "--index", rulebook, cwd=tmp_path)
    assert (shown.code, shown.err) == (0, "")
    assert [line.split()[0] for line in shown.out.splitlines()[:6]] == ["measure", *MEASURES]
    assert "23 questions; each counts, found or not" in shown.out
    assert "search time p50 " in shown.out


def test_both_forms_of_questions_measure_the_same(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path]
) -> None:
    first, second = (
        rirag("evaluate", "retrieval", one, "--json", "--index", rulebook).json for one in judged
    )
    assert list(first) == ["questions", "measures", "unanswered", "missing_gold", "milliseconds"]
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
    assert all(
        a > b for scores in by_question.values() for a, b in zip(scores, scores[1:], strict=False)
    )


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
    assert rirag(*command, "--from-run", "dense.run", "--compare", "dense.run").out.count(
        "  1.0000\n"
    ) == len(MEASURES), "a run compared with itself differs by luck only"


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


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "q.jsonl: the file cannot be read: no such file or directory."),
        (b" \n", "q.jsonl: the file is empty."),
        (b"[]", "q.jsonl:1: the file holds no questions."),
        (b"\nnonsense\n", "q.jsonl:2: this is not JSON: Expecting value."),
        (b'{"question_id": "1", "question": "a"}', "q.jsonl:1: question '1' names no relevant pass"),
        (b'{"question_id": "1", "question": "a", "relevant": "x"}',
         "q.jsonl:1: 'relevant' must be a list."),
        (b'{"question_id": "1", "question": "\xff"}', "q.jsonl:1: this line is not UTF-8"),
        (b'{"question_id": "1", "question": "a", "relevant": ["nope"]}',
         "q.jsonl: none of the 1 relevant passages is in the index; check that the questions"),
    ],
)  # fmt: skip
def test_a_bad_question_file_is_refused_with_its_line(
    rirag: Run, rulebook: Path, tmp_path: Path, content: bytes | None, sentence: str
) -> None:
    if content is not None:
        (tmp_path / "q.jsonl").write_bytes(content)
    refused = rirag("evaluate", "retrieval", "q.jsonl", "--index", rulebook).refused(2)
    assert refused.startswith(sentence)


@pytest.mark.parametrize(
    ("options", "code", "sentence"),
    [
        (["--measures", "Nope@10"], 2, "'Nope@10' is not a measure that can be computed; use "),
        (["--measures", " "], 2, "no measure is named; give some, such as R@10"),
        (["--from-run", "nope.run"], 2, "nope.run: the file cannot be read: no such file"),
        (["--from-run", "bad.run"], 2, "bad.run:2: a line of a TREC run has six fields"),
        (["--from-run", "other.run"], 2, "the run answers none of the questions; check that run"),
        (["--compare", "bad.run"], 2, "bad.run:2: a line of a TREC run has six fields"),
        (["--run", "nowhere/x.run"], 5, "nowhere/x.run: the run cannot be written: No such file"),
        (["--profile", "nope"], 2, "unknown profile 'nope'"),
        (["--filter", "colour=red"], 2, "unknown filter field 'colour'"),
        (["--index", "nope"], 3, "the index nope does not exist"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_options_are_refused_in_a_sentence(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path], tmp_path: Path, options: list[str],
    code: int, sentence: str,
) -> None:  # fmt: skip
    (tmp_path / "bad.run").write_text("1 Q0 a 1 0.5 x\n1 Q0 b 2\n", encoding="utf-8")
    (tmp_path / "other.run").write_text("else Q0 a 1 0.5 x\n", encoding="utf-8")
    refused = rirag("evaluate", "retrieval", judged[1], "--index", rulebook, *options)
    assert refused.refused(code).startswith(sentence)


def test_a_run_that_cannot_be_written_is_told_before_the_questions_are_asked(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("searched")

    monkeypatch.setattr("search.index.Index.search", never)
    options = ("--run", "nowhere/x.run", "--index", rulebook)
    assert rirag("evaluate", "retrieval", judged[1], *options).code == 5
