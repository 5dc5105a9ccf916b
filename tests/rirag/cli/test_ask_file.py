"""`rirag ask --questions`: one line an answer, and a file that can be taken up again."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from cli_support import COMMAND, Run, environment
from sample import RULEBOOK, write_lines

QUESTIONS = RULEBOOK / "questions.json"


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """A file of three questions."""
    texts = ("Who must be told of tipping off?", "fees for Category 2", "What is a Complaint?")
    records = [{"question_id": f"q{i}", "question": text} for i, text in enumerate(texts, 1)]
    return write_lines(tmp_path / "few.jsonl", *records)


def answers(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().decode().split("\n")[:-1]]


def test_every_question_gets_one_line_in_order(rirag: Run, rulebook: Path) -> None:
    shown = rirag("ask", "--questions", QUESTIONS, "--json", "--index", rulebook)
    assert (shown.code, shown.err) == (0, "")
    lines = [json.loads(line) for line in shown.out.splitlines()]
    assert [line["QuestionID"] for line in lines] == [f"rulebook-{i:02}" for i in range(1, 24)]
    alone = rirag("ask", lines[3]["Question"], "--json", "--index", rulebook).json
    for name in ("RetrievedIDs", "RetrievedPassages", "Answer", "citations", "mode"):
        assert lines[3][name] == alone[name]


def test_lines_without_judgements_are_read_as_well(rirag: Run, rulebook: Path) -> None:
    shown = rirag("ask", "--questions", RULEBOOK / "unanswerable.jsonl", "--index", rulebook)
    lines = [json.loads(line) for line in shown.out.splitlines()]
    assert [line["QuestionID"] for line in lines] == ["rulebook-24", "rulebook-25"]


def test_what_is_answered_already_is_not_asked_again(
    rirag: Run, rulebook: Path, few: Path, tmp_path: Path
) -> None:
    command = ("ask", "--questions", few, "--output", "out.jsonl", "--index", rulebook)
    assert rirag(*command).out == "3 answered, 0 were already in out.jsonl\n"
    first = (tmp_path / "out.jsonl").read_bytes()
    assert rirag(*command).out == "0 answered, 3 were already in out.jsonl\n"
    assert (tmp_path / "out.jsonl").read_bytes() == first
    assert [one["QuestionID"] for one in answers(tmp_path / "out.jsonl")] == ["q1", "q2", "q3"]


def test_a_line_cut_by_a_crash_is_answered_again(
    rirag: Run, rulebook: Path, few: Path, tmp_path: Path
) -> None:
    command = ("ask", "--questions", few, "--output", "out.jsonl", "--index", rulebook)
    rirag(*command)
    out = tmp_path / "out.jsonl"
    whole = out.read_bytes()
    last = whole.rindex(b"\n", 0, -1) + 1
    quote = whole.index("“".encode(), last)  # a cut may fall into the middle of a character
    for cut in (last + 1, quote + 1, len(whole) - 1):
        out.write_bytes(whole[:cut])
        assert rirag(*command).out == "1 answered, 2 were already in out.jsonl\n"
        assert out.read_bytes()[:last] == whole[:last]
        assert [one["QuestionID"] for one in answers(out)] == ["q1", "q2", "q3"]


def test_a_first_line_cut_by_a_crash_leaves_nothing_behind(
    rirag: Run, rulebook: Path, few: Path, tmp_path: Path
) -> None:
    (tmp_path / "out.jsonl").write_text('{"QuestionID": "q1', encoding="utf-8")
    rirag("ask", "--questions", few, "--output", "out.jsonl", "--index", rulebook)
    assert [one["QuestionID"] for one in answers(tmp_path / "out.jsonl")] == ["q1", "q2", "q3"]


@pytest.mark.parametrize("space", ["\u2028", "\u2029", "\x85", "\x0b", "\x1c"])
def test_line_separators_inside_an_answer_do_not_end_its_line(
    rirag: Run, rulebook: Path, tmp_path: Path, space: str
) -> None:
    question = {"question_id": "1", "question": f"tipping{space}off"}
    write_lines(tmp_path / "q.jsonl", question)
    command = ("ask", "--questions", "q.jsonl", "--output", "out.jsonl", "--index", rulebook)
    rirag(*command)
    assert rirag(*command).out.startswith("0 answered, 1 were already in")


def test_another_file_is_never_overwritten(
    rirag: Run, rulebook: Path, few: Path, tmp_path: Path
) -> None:
    odd = ('{"QuestionID": ["a"]}\n', "[" * 100_000 + "\n")
    for text in ('{"a": 1}\n', "[]\n", "my notes\n", "\n", *odd):
        (tmp_path / "out.jsonl").write_text(text, encoding="utf-8")
        refused = rirag("ask", "--questions", few, "--output", "out.jsonl", "--index", rulebook)
        assert refused.refused(2) == (
            "out.jsonl:1: this file was not written by rirag ask; choose another file with --output"
        )
        assert (tmp_path / "out.jsonl").read_text(encoding="utf-8") == text


def test_a_file_without_a_line_end_that_is_no_answer_is_kept_too(
    rirag: Run, rulebook: Path, few: Path, tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text("my only notes", encoding="utf-8")
    refused = rirag("ask", "--questions", few, "--output", "notes.txt", "--index", rulebook)
    assert refused.refused(2).startswith("notes.txt:1: this file was not written by rirag ask")
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "my only notes"


@pytest.mark.parametrize(
    ("output", "sentence", "code"),
    [
        ("nowhere/out.jsonl", "nowhere/out.jsonl: cannot be written: No such file", 5),
        (".", "Is a directory", 2),
    ],
)
def test_an_output_that_cannot_be_written_is_told(
    rirag: Run, rulebook: Path, few: Path, output: str, sentence: str, code: int
) -> None:
    refused = rirag("ask", "--questions", few, "--output", output, "--index", rulebook)
    assert sentence.lower() in refused.refused(code).lower()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "q.jsonl: the file cannot be read: no such file or directory."),
        (b"", "q.jsonl: the file is empty."),
        (b'{"question_id": "1"}', "q.jsonl:1: field 'question' is missing"),
        (b'\n{"question_id": "1", "question": 5.5}', "q.jsonl:2: field 'question' is 5.5"),
        (b'{"question_id": "1",', "q.jsonl:1: this is not valid JSON"),
        (b'{"question_id": "\xe9"}', "q.jsonl:1: this line is not UTF-8"),
        (
            b'{"question_id": "1", "question": "a"}\n' * 2,
            "q.jsonl:2: question id '1' is already used on",
        ),
    ],
)
def test_a_bad_question_file_is_refused_with_its_line(
    rirag: Run, rulebook: Path, tmp_path: Path, content: bytes | None, sentence: str
) -> None:
    if content is not None:
        (tmp_path / "q.jsonl").write_bytes(content)
    refused = rirag("ask", "--questions", "q.jsonl", "--index", rulebook).refused(2)
    assert refused.startswith(sentence)


def test_a_question_that_cannot_be_asked_is_named(
    rirag: Run, rulebook: Path, tmp_path: Path
) -> None:
    write_lines(
        tmp_path / "q.jsonl",
        {"question_id": "good", "question": "What is a Complaint?"},
        {"question_id": "bad", "question": "?!."},
    )
    refused = rirag("ask", "--questions", "q.jsonl", "--output", "o.jsonl", "--index", rulebook)
    assert refused.code == 2
    assert "bad" in refused.err
    assert "the question has no words" in refused.err


def test_ctrl_c_keeps_what_is_answered_and_the_rest_can_follow(
    rulebook: Path, tmp_path: Path
) -> None:
    records = [{"question_id": str(i), "question": f"complaint {i}"} for i in range(40)]
    write_lines(tmp_path / "q.jsonl", *records)
    command = [*COMMAND, "ask", "--questions", "q.jsonl", "--output", "o.jsonl", "--index",
               str(rulebook)]  # fmt: skip
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        out = tmp_path / "o.jsonl"
        while not (out.exists() and out.stat().st_size):
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.decode().strip() == "rirag: interrupted"
    begun = len(answers(out))
    assert 0 < begun < 40
    done = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, check=True)
    assert b"were already in o.jsonl" in done.stdout
    assert sorted(int(one["QuestionID"]) for one in answers(out)) == list(range(40))


def test_a_missing_file_of_questions_is_told_and_the_output_is_kept(
    rirag: Run, rulebook: Path, tmp_path: Path
) -> None:
    (tmp_path / "out.jsonl").write_text("", encoding="utf-8")
    refused = rirag(
        "ask", "--questions", "none.jsonl", "--output", "out.jsonl", "--index", rulebook
    )
    assert refused.refused(2).startswith("none.jsonl: the file cannot be read: no such file")


def test_the_file_of_questions_is_never_written_to(rirag: Run, rulebook: Path, few: Path) -> None:
    before = few.read_bytes()
    refused = rirag("ask", "--questions", few, "--output", few, "--index", rulebook)
    assert refused.code == 2
    assert "is the file of questions" in refused.err
    assert few.read_bytes() == before
