"""`rirag evaluate answers`: from a file of answers to figures, and what is refused."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from cli_support import Run
from sample import RULEBOOK, write_lines

UNANSWERABLE = RULEBOOK / "unanswerable.jsonl"


@pytest.fixture
def answered(rirag: Run, rulebook: Path, judged: tuple[Path, Path], tmp_path: Path) -> Path:
    output = tmp_path / "answers.jsonl"
    for questions in (judged[1], UNANSWERABLE):
        made = rirag("ask", "--questions", questions, "--output", output, "--index", rulebook)
        assert made.code == 0, made.err
    return output


def test_answers_are_measured_against_the_passages_of_their_questions(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path], answered: Path
) -> None:
    arguments = ("evaluate", "answers", answered, "--questions", judged[1], "--index", rulebook)
    shown = rirag(*arguments)
    assert (shown.code, shown.err) == (0, "")
    assert "23 answers" in shown.out
    assert "words per covered obligation" in shown.out
    found = rirag(*arguments, "--json").json
    assert found["measures"]["vital nuggets"]["mean"] > 0.5
    assert found["measures"]["citation recall"]["mean"] == 1
    lost = sum(found["blame"].values())
    assert 0 < lost < found["obligations"]
    covered = found["obligations_covered"]
    assert (sum(covered.values()), lost) == (
        found["obligations"], covered["partly"] + covered["not"]
    )  # fmt: skip
    assert found["blame"].get("not known") is None


def test_both_forms_of_questions_measure_the_same(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path], tmp_path: Path
) -> None:
    answers = tmp_path / "obliqa.jsonl"
    rirag("ask", "--questions", judged[0], "--output", answers, "--index", rulebook)
    one, other = (
        rirag(
            "evaluate", "answers", answers, "--questions", form, "--index", rulebook, "--json"
        ).json
        for form in judged
    )
    assert one.pop("made_with") != other.pop("made_with")
    assert one == other


def test_questions_that_nothing_answers_are_expected_to_be_refused(
    rirag: Run, rulebook: Path, answered: Path
) -> None:
    found = rirag(
        "evaluate", "answers", answered, "--questions", UNANSWERABLE, "--index", rulebook, "--json"
    ).json
    refusals = found["refusals"]
    assert refusals["wrong"] == refusals["unknown"] == 0
    assert refusals["right"] + refusals["missed"] == found["answers"] > 0


def test_without_questions_only_what_needs_none_is_measured(rirag: Run, answered: Path) -> None:
    found = rirag("evaluate", "answers", answered, "--json").json
    assert set(found["measures"]) == {
        "citation recall", "citation precision", "words", "reading grade",
    }  # fmt: skip
    assert found["blame"] is None


def test_only_the_measures_asked_for_are_shown(rirag: Run, tmp_path: Path) -> None:
    answers = write_lines(tmp_path / "a.jsonl", {"QuestionID": "q", "Answer": "Six years."})
    arguments = ("evaluate", "answers", answers, "--measures")
    assert set(rirag(*arguments, "words, reading grade", "--json").json["measures"]) == {
        "words", "reading grade",
    }  # fmt: skip
    shown = rirag(*arguments, "words", "--measures", "vital nuggets, partly ½").out
    assert "words" in shown and "reading grade" not in shown
    assert "refusals" not in shown
    form = rirag(*arguments, "Words,refusals", "--json").json
    assert set(form["measures"]) == {"words"}
    assert "refusals" in form and "blame" not in form
    assert "words_per_covered_obligation" not in form
    assert "obligations" not in form
    refused = rirag(*arguments, "beauty")
    assert "'beauty'" in refused.refused(2)


def test_a_result_names_the_files_that_it_was_made_of(rirag: Run, tmp_path: Path) -> None:
    answers = write_lines(tmp_path / "a.jsonl", {"QuestionID": "q", "Answer": "Six years."})
    made = rirag("evaluate", "answers", answers, "--json").json["made_with"]
    digest = hashlib.sha256(answers.read_bytes()).hexdigest()
    assert made["files"] == {"answers": {"file": "a.jsonl", "sha256": digest}}


@pytest.mark.torch
def test_repass_may_be_named_as_a_measure(rirag: Run, tmp_path: Path) -> None:
    answers = write_lines(tmp_path / "a.jsonl", {"QuestionID": "q", "Answer": "Six years."})
    asked = ("evaluate", "answers", answers, "--measures", "repass", "--nli", tmp_path)
    assert f"The model {tmp_path} " in rirag(*asked).refused(6)


def test_answers_of_other_tools_are_measured(rirag: Run, tmp_path: Path) -> None:
    record = {
        "QuestionID": "q", "RetrievedPassages": ["A Firm must keep records for six years."],
        "Answer": "A Firm must keep records for six years [1].",
    }  # fmt: skip
    found = rirag("evaluate", "answers", write_lines(tmp_path / "a.jsonl", record), "--json").json
    assert found["measures"]["citation recall"]["mean"] == 1


def test_a_file_is_like_itself(rirag: Run, rulebook: Path, judged, answered: Path) -> None:
    found = rirag(
        "evaluate", "answers", answered, "--questions", judged[1], "--index", rulebook,
        "--compare", answered, "--json", "--per-question",
    ).json  # fmt: skip
    assert {row["p_value"] for row in found["comparison"]} == {1}
    assert len(found["per_question"]) == 23


def test_passages_that_the_index_no_longer_holds_support_nothing(
    rirag: Run, rulebook: Path, tmp_path: Path
) -> None:
    record = {
        "QuestionID": "q", "Question": "What must be kept?", "RetrievedPassages": [],
        "Answer": "A Firm must keep records for six years [1].",
        "citations": [{"marker": "[1]", "id": "gone"}],
    }  # fmt: skip
    answers = write_lines(tmp_path / "a.jsonl", record)
    questions = write_lines(tmp_path / "q.jsonl", {"question_id": "q", "question": "What?"})
    found = rirag(
        "evaluate", "answers", answers, "--questions", questions, "--index", rulebook, "--json"
    )
    assert found.json["measures"]["citation recall"]["mean"] == 0


def test_reports_are_self_contained_pages(
    rirag: Run,
    rulebook: Path,
    judged: tuple[Path, Path],
    answered: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page, both = tmp_path / "answers.html", tmp_path / "both.html"
    done = rirag(
        "evaluate", "answers", answered, "--questions", judged[1], "--index", rulebook,
        "--compare", answered, "--report", page, "--json",
    )  # fmt: skip
    text = page.read_text(encoding="utf-8")
    assert "Obligations not covered, by stage" in text
    assert "Compared with the other answers" in text
    (tmp_path / "a.json").write_text(done.out, encoding="utf-8")
    assert rirag("evaluate", "report", tmp_path / "a.json", "--output", both).code == 0
    assert "noise › mean" in both.read_text(encoding="utf-8")
    assert "sha256" not in both.read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert rirag("evaluate", "report", "a.json").out.startswith("evaluation-report.html shows ")
    assert (tmp_path / "evaluation-report.html").is_file()


def test_what_is_no_result_has_no_report(rirag: Run, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    for text in ("prose", "[]", '{"note": "x"}'):
        bad.write_text(text, encoding="utf-8")
        rirag("evaluate", "report", bad, "--output", tmp_path / "r.html").refused(2)


@pytest.mark.parametrize(
    "record",
    [{"Answer": 3}, {"nothing": True}, {"Answer": "x", "RetrievedPassages": 7}],
    ids=["no text", "no answer", "passages of another form"],
)
def test_what_is_no_answer_is_refused(rirag: Run, tmp_path: Path, record: object) -> None:
    rirag("evaluate", "answers", write_lines(tmp_path / "a.jsonl", record)).refused(2)


def test_an_answer_given_twice_is_refused(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path], answered: Path, tmp_path: Path
) -> None:
    twice = tmp_path / "twice.jsonl"
    twice.write_text(answered.read_text(encoding="utf-8") * 2, encoding="utf-8")
    refused = rirag(
        "evaluate", "answers", twice, "--questions", judged[1], "--index", rulebook
    ).refused(2)
    assert "twice" in refused


def test_answers_to_other_questions_are_refused(
    rirag: Run, rulebook: Path, answered: Path, tmp_path: Path
) -> None:
    other = write_lines(tmp_path / "q.jsonl", {"question_id": "other", "question": "What?"})
    rirag("evaluate", "answers", answered, "--questions", other, "--index", rulebook).refused(2)


def test_passages_joined_to_one_text_are_read_as_one_passage(rirag: Run, tmp_path: Path) -> None:
    record = {"QuestionID": "Q1", "RetrievedPassages": "A Firm must report at once.",
              "Answer": "A Firm must report at once [1]."}  # fmt: skip
    found = rirag("evaluate", "answers", write_lines(tmp_path / "a.jsonl", record), "--json").json
    assert found["measures"]["citation recall"]["mean"] == 1
