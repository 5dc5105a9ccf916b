"""`rirag verify`: answers of a file against the passages they cite."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli_support import Run
from scripted_llm import says, serve

QUESTION = "Within how many business days must we send a final response to a complaint?"


@pytest.fixture
def answered(rirag: Run, rulebook: Path, tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    """A file with an answer, and what stands in it."""
    shown = rirag("ask", QUESTION, "--json", "--index", rulebook)
    file = tmp_path / "answer.json"
    file.write_text(shown.out, encoding="utf-8")
    return file, shown.json


def rewrite(file: Path, answer: dict[str, Any], old: str, new: str) -> None:
    assert old in answer["Answer"]
    changed = {**answer, "Answer": answer["Answer"].replace(old, new)}
    file.write_text(json.dumps(changed), encoding="utf-8")


def test_answer_that_was_quoted_is_supported(rirag: Run, answered, rulebook: Path) -> None:
    file, answer = answered
    statements = len(answer["verification"]["statements"])
    for more in ((), ("--index", rulebook)):
        shown = rirag("verify", file, *more)
        assert (shown.code, shown.err) == (0, "")
        assert shown.out.startswith(f"{statements} of {statements} statements supported.\n")


def test_changed_answer_is_told_with_exit_code_one(rirag: Run, answered) -> None:
    file, answer = answered
    rewrite(file, answer, "must send", "need not send")
    shown = rirag("verify", file, "--json")
    assert (shown.code, shown.err) == (1, "")
    verdicts = [one["verdict"] for one in shown.json["statements"]]
    assert verdicts.count("unsupported") == 1
    assert shown.json["score"] < 1
    assert "- unsupported: “" in rirag("verify", file).out


def test_index_has_the_last_word_on_what_a_passage_says(
    rirag: Run, answered, rulebook: Path
) -> None:
    file, answer = answered
    passages = [text.replace("must", "must not") for text in answer["RetrievedPassages"]]
    text = answer["Answer"].replace("must", "must not")
    changed = {**answer, "RetrievedPassages": passages, "Answer": text}
    file.write_text(json.dumps(changed), encoding="utf-8")
    assert rirag("verify", file).code == 0
    assert rirag("verify", file, "--index", rulebook).code == 1


def test_passage_that_left_the_index_is_no_citation(rirag: Run, answered, rulebook: Path) -> None:
    file, answer = answered
    cited = [{**one, "id": "gone"} for one in answer["citations"]]
    file.write_text(json.dumps({**answer, "citations": cited}), encoding="utf-8")
    shown = rirag("verify", file, "--index", rulebook, "--json")
    assert shown.code == 1
    assert "is not a passage of this answer" in shown.out


def test_many_answers_give_a_line_each(rirag: Run, answered, tmp_path: Path) -> None:
    file, answer = answered
    two = [{**answer, "QuestionID": name} for name in ("a", "b")]
    for text in ("".join(json.dumps(one) + "\n" for one in two), json.dumps(two)):
        file.write_text(text, encoding="utf-8")
        lines = rirag("verify", file, "--json").out.splitlines()
        assert [json.loads(line)["QuestionID"] for line in lines] == ["a", "b"]
        assert rirag("verify", file).out.startswith("a: ")


def test_answers_of_other_programs_cite_by_place(rirag: Run, tmp_path: Path) -> None:
    file = tmp_path / "other.json"
    record = {"Answer": "A firm must pay [2].", "RetrievedPassages": ["No.", "A firm must pay."]}
    file.write_text(json.dumps(record), encoding="utf-8")
    assert rirag("verify", file).code == 0


def test_refusal_makes_no_statement(rirag: Run, tmp_path: Path) -> None:
    file = tmp_path / "refusal.json"
    file.write_text('{"Answer": "", "citations": []}', encoding="utf-8")
    shown = rirag("verify", file)
    assert (shown.code, shown.out) == (0, "The answer makes no statement.\n")


def test_refusal_of_rirag_claims_nothing(rirag: Run, rulebook: Path, tmp_path: Path) -> None:
    file = tmp_path / "refusal.json"
    refusal = rirag("ask", "zebra", "--json", "--index", rulebook)
    assert refusal.json["insufficient_evidence"]
    file.write_text(refusal.out, encoding="utf-8")
    for more in ((), ("--index", rulebook)):
        shown = rirag("verify", file, *more)
        told = "The answer makes no claim; it says that the evidence is insufficient.\n"
        assert (shown.code, shown.out) == (0, told)
    assert rirag("verify", file, "--json").json["score"] is None


def test_what_cites_is_verified_whatever_it_says_of_its_evidence(
    rirag: Run, tmp_path: Path
) -> None:
    file = tmp_path / "odd.json"
    record = {"Answer": "A firm must dance [1].", "RetrievedPassages": ["A firm must pay."],
              "insufficient_evidence": True}  # fmt: skip
    file.write_text(json.dumps(record), encoding="utf-8")
    assert rirag("verify", file, "--judge", "none").code == 1


def test_a_number_means_the_passage_of_its_place_whatever_the_ids(
    rirag: Run, tmp_path: Path
) -> None:
    file = tmp_path / "same.json"
    record = {
        "Answer": "A firm must pay a fee [1]. A bank must send a report [2].",
        "RetrievedIDs": ["same", "same"],
        "RetrievedPassages": ["A firm must pay a fee.", "A bank must send a report."],
    }
    file.write_text(json.dumps(record), encoding="utf-8")
    assert rirag("verify", file, "--judge", "none").code == 0


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"\xff\xfe", "answers.json:1: this line is not UTF-8"),
        (b"", "answers.json: the file is empty."),
        (b"[]", "answers.json:1: the file contains no answer; write one with: rirag ask --json"),
        (b'{"Answer": "a"}\n{"Answer": ', "answers.json:2: this is not valid JSON: "),
        (b"[" * 100_000, "answers.json:1: this JSON cannot be read: "),
        (b"7", 'answers.json:1: this is not an answer: it has no text "Answer"'),
        (b'{"Answer": 7}', 'answers.json:1: this is not an answer: it has no text "Answer"'),
        (b'{"Answer": "a", "RetrievedIDs": "x"}', "RetrievedIDs is not a list of texts"),
        (b'{"Answer": "a", "RetrievedIDs": ["x"]}', "RetrievedIDs has 1 entries, but "),
        (b'{"Answer": "a", "citations": {"x": 1}}', "citations is not a list of records"),
        (b'{"Answer": "a", "citations": [{"id": "x"}]}', "a marker such as \"[1]\", or an id."),
        (b'{"Answer": "a", "citations": [{"id": "x", "marker": "[1]"}]}',
         ("the file does not contain the passage of [1]; give the index that holds it "
"with --index")),
    ],
)  # fmt: skip
def test_broken_files_are_one_sentence(
    rirag: Run, tmp_path: Path, content: bytes, sentence: str
) -> None:
    file = tmp_path / "answers.json"
    file.write_bytes(content)
    assert sentence in rirag("verify", file).refused(2)


def test_all_bad_answers_are_told_together(rirag: Run, tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text('{"Answer": 7}\n{"Answer": "a"}\n{"Answer": "a", "citations": 7}\n')
    shown = rirag("verify", file)
    assert shown.code == 2
    assert [line.rpartition("answers.jsonl:")[2][0] for line in shown.err.splitlines()] == [
        "1",
        "3",
    ]


def test_file_with_byte_order_mark_is_read(rirag: Run, tmp_path: Path) -> None:
    file = tmp_path / "answers.json"
    file.write_bytes(b'\xef\xbb\xbf{"Answer": "", "citations": []}')
    assert rirag("verify", file).code == 0


def test_missing_file_and_unknown_judge_are_refused(rirag: Run, answered, tmp_path: Path) -> None:
    assert "cannot be read" in rirag("verify", tmp_path / "nowhere.json").refused(2)
    file, answer = answered
    rewrite(file, answer, "must send", "has to dispatch without any further formality")
    record = {"Answer": "Firms pay all those outstanding fees quickly [1].",
              "RetrievedPassages": ["Firms pay their outstanding fees in May."]}  # fmt: skip
    file.write_text(json.dumps(record), encoding="utf-8")
    assert "unknown reranker 'oracle'" in rirag("verify", file, "--judge", "oracle").refused(2)
    assert "language model needs" in rirag("verify", file, "--judge", "llm").refused(2)


def test_cross_encoder_and_language_model_judge(rirag: Run, tmp_path: Path) -> None:
    file = tmp_path / "answer.json"
    record = {"Answer": "Firms pay all those outstanding fees quickly [1].",
              "RetrievedPassages": ["Firms pay their outstanding fees."]}  # fmt: skip
    file.write_text(json.dumps(record), encoding="utf-8")
    assert rirag("verify", file, "--judge", "none", "--json").json["judge"] == ""
    assert rirag("verify", file, "--json").json["judge"] == "cross-encoder"
    verdict = {"statement": 1, "supported": True, "reason": "same"}
    with serve(says(json.dumps({"verdicts": [verdict]}))) as script:
        llm = ("--judge", "llm", "--llm-url", script.url, "--llm-model", "m")
        shown = rirag("verify", file, "--json", *llm)
    assert (shown.code, shown.json["judge"]) == (0, "the language model")


def test_own_prompt_of_the_judge_is_used(rirag: Run, tmp_path: Path, monkeypatch) -> None:
    file, own = tmp_path / "answer.json", tmp_path / "prompts"
    record = {"Answer": "Firms pay all those outstanding fees quickly [1].",
              "RetrievedPassages": ["Firms pay their outstanding fees."]}  # fmt: skip
    file.write_text(json.dumps(record), encoding="utf-8")
    own.mkdir()
    (own / "verify-system.txt").write_text("You are strict. Marks begin with <<$code.")
    monkeypatch.setenv("RIRAG_PROMPTS", str(own))
    verdict = {"statement": 1, "supported": True, "reason": "same"}
    with serve(says(json.dumps({"verdicts": [verdict]}))) as script:
        llm = ("--judge", "llm", "--llm-url", script.url, "--llm-model", "m")
        assert rirag("verify", file, *llm).code == 0
    assert script.asked[-1]["messages"][0]["content"].startswith("You are strict.")


def test_ask_keeps_only_what_is_supported_if_told_so(rirag: Run, rulebook: Path) -> None:
    false = "A Licensed Firm must dance in the streets every morning [1]."
    with serve(says(false)) as script:
        llm = ("--llm-url", script.url, "--llm-model", "m", "--index", rulebook)
        shown = rirag("ask", QUESTION, "--no-stream", *llm)
        assert "0 of 1 statements supported:" in shown.out
        strict = rirag("ask", QUESTION, *llm, "--require-supported", "--json").json
    assert (strict["insufficient_evidence"], strict["refused_by"]) == (True, "verifier")
    assert "1 statement was dropped" in str(strict["verification"]["notes"])


def test_a_judge_that_there_is_not_is_refused_before_anything_is_asked(
    rirag: Run, rulebook: Path
) -> None:
    told = rirag("ask", QUESTION, "--judge", "oracle", "--index", rulebook).refused(2)
    assert "oracle" in told
