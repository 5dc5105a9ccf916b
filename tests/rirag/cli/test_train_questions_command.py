from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_support import Run
from sample import write_lines
from scripted_llm import Reply, says, serve

import search

QUESTION = "What has to be done about a complaint of a client?"


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def test_questions_are_kept_where_search_finds_their_passage(
    rirag: Run, rulebook: Path, tmp_path: Path
) -> None:
    path = tmp_path / "written.jsonl"
    with serve(says(f"1. {QUESTION}\nno question")) as script:
        outcome = rirag(
            "train", "questions", "--index", rulebook, "-o", path, "--passages", 8, "--best", 1,
            "--requests", 1, "--llm-url", script.url, "--llm-model", "m", "--json",
        )  # fmt: skip
    report = json.loads(outcome.out)
    pairs = [json.loads(line) for line in lines(path)]
    assert outcome.code == 0
    assert (report["passages"], report["done_before"]) == (8, 0)
    assert report["questions"]["malformed"] == 8
    # One question for eight passages: at most one of them is its first hit.
    assert report["questions"].get("kept", 0) == len(pairs) <= 1
    assert report["questions"]["not found again"] >= 7
    assert len(lines(path.with_name("written.jsonl.done"))) == 8


def test_only_passages_that_meet_the_filters_are_asked_about(
    rirag: Run, rulebook: Path, tmp_path: Path
) -> None:
    path = tmp_path / "written.jsonl"
    with search.open(str(rulebook)) as index:
        inside = {one.id for one in index.passages({"document": ["GLOS"]})}
    with serve(says("no question")) as script:
        rirag(
            "train", "questions", "--index", rulebook, "-o", path, "--filter", "document=GLOS",
            "--llm-url", script.url, "--llm-model", "m",
        )  # fmt: skip
    done = lines(path.with_name("written.jsonl.done"))
    assert 0 < len(done) <= len(inside)
    assert set(done) <= inside
    message = rirag(
        "train", "questions", "--index", rulebook, "-o", tmp_path / "none", "--filter",
        "kind=heading", "--llm-url", script.url, "--llm-model", "m",
    ).refused(2)  # fmt: skip
    assert message.startswith(f"no passage of {rulebook} that meets the filters has the 12 words")


def test_what_was_stopped_goes_on(rirag: Run, rulebook: Path, tmp_path: Path) -> None:
    path = tmp_path / "written.jsonl"
    broken = Reply("no key", status=401, content_type="text/plain")
    common = (
        "train",
        "questions",
        "--index",
        rulebook,
        "-o",
        path,
        "--passages",
        4,
        "--requests",
        1,
    )
    with serve(says(QUESTION), says(QUESTION), broken) as script:
        model = ("--llm-url", script.url, "--llm-model", "m")
        refused = rirag(*common, *model)
        assert refused.code != 0
        assert len(refused.err.splitlines()) == 1
    done = lines(path.with_name("written.jsonl.done"))
    assert len(done) == 2
    with serve(says(QUESTION)) as script:
        outcome = rirag(*common, "--llm-url", script.url, "--llm-model", "m")
        assert len(script.asked) == 2
    assert "for 2 passages (2 were done before)" in outcome.out
    assert lines(path.with_name("written.jsonl.done"))[:2] == done


def test_a_reply_without_a_question_is_counted(rirag: Run, rulebook: Path, tmp_path: Path) -> None:
    path = tmp_path / "written.jsonl"
    with serve(says(""), says(QUESTION)) as script:
        outcome = rirag(
            "train", "questions", "--index", rulebook, "-o", path, "--passages", 2, "--requests", 1,
            "--llm-url", script.url, "--llm-model", "m",
        )  # fmt: skip
    assert outcome.code == 0
    assert "for 2 passages; left out: 1 empty" in outcome.out


def test_prompts_of_the_users_own_are_used(
    rirag: Run, rulebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "prompts"
    own.mkdir()
    (own / "questions-system.txt").write_text("Ask like a novice. Marks begin with <<$code.")
    monkeypatch.setenv("RIRAG_PROMPTS", str(own))
    with serve(says(QUESTION)) as script:
        outcome = rirag(
            "train", "questions", "--index", rulebook, "-o", tmp_path / "written.jsonl",
            "--passages", 1, "--llm-url", script.url, "--llm-model", "m",
        )  # fmt: skip
    assert outcome.code == 0
    assert script.asked[-1]["messages"][0]["content"].startswith("Ask like a novice.")


def test_a_line_that_was_cut_is_written_anew(rirag: Run, rulebook: Path, tmp_path: Path) -> None:
    path = tmp_path / "written.jsonl"
    whole = (
        '{"question_id": "written-p-1", "question": "Who?", "positives": [], "source": "written"}\n'
    )
    path.write_text(whole + whole[:40], encoding="utf-8")
    with serve(says("no question")) as script:
        rirag(
            "train", "questions", "--index", rulebook, "-o", path, "--passages", 1,
            "--llm-url", script.url, "--llm-model", "m",
        )  # fmt: skip
    assert path.read_text(encoding="utf-8") == whole


@pytest.mark.parametrize("line", ['{"question_id": "q", "question": "Who?"}', "some text", "[1]"])
def test_a_file_of_something_else_is_left_as_it_is(
    rirag: Run, rulebook: Path, tmp_path: Path, line: str
) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(line + "\n", encoding="utf-8")
    with serve(says(QUESTION)) as script:
        message = rirag(
            "train", "questions", "--index", rulebook, "-o", path, "--llm-url", script.url,
            "--llm-model", "m",
        ).refused(2)  # fmt: skip
        assert script.asked == []
    assert "questions.jsonl:1: this line was not written by rirag train questions" in message
    assert path.read_text(encoding="utf-8") == line + "\n"


def test_without_a_language_model_it_says_what_is_missing(
    rirag: Run, rulebook: Path, tmp_path: Path
) -> None:
    message = rirag("train", "questions", "--index", rulebook, "-o", tmp_path / "x").refused(2)
    assert message.startswith("a language model needs both --llm-url and --llm-model")


def test_a_file_that_cannot_be_written_is_refused_before_the_model_is_asked(
    rirag: Run, rulebook: Path, tmp_path: Path
) -> None:
    path = tmp_path / "missing" / "written.jsonl"
    with serve(says(QUESTION)) as script:
        message = rirag(
            "train", "questions", "--index", rulebook, "-o", path, "--llm-url", script.url,
            "--llm-model", "m",
        ).refused(5)  # fmt: skip
        assert script.asked == []
    assert message == f"{path}: the pair file cannot be written: there is no folder {path.parent}."


def test_an_index_of_headings_is_refused(rirag: Run, tmp_path: Path) -> None:
    rules = write_lines(
        tmp_path / "rules.jsonl",
        {"ID": "a", "DocumentID": "D", "PassageID": "1", "Passage": "Deleted."},
    )
    index = tmp_path / "index"
    assert rirag("ingest", rules, "--index", index).code == 0
    message = rirag(
        "train", "questions", "--index", index, "-o", tmp_path / "w.jsonl",
        "--llm-url", "http://127.0.0.1:1/v1", "--llm-model", "m",
    ).refused(2)  # fmt: skip
    assert message == f"no passage of {index} has the 12 words that a question needs."
    assert not (tmp_path / "w.jsonl").exists()


def test_a_list_of_what_is_done_that_is_none_is_refused(
    rirag: Run, rulebook: Path, tmp_path: Path
) -> None:
    path = tmp_path / "written.jsonl"
    path.with_name("written.jsonl.done").write_bytes(b"\xff\xfe\n")
    command = ("train", "questions", "--index", rulebook, "-o", path, "--passages", 2)
    with serve(says("never")) as script:
        refused = rirag(*command, "--llm-url", script.url, "--llm-model", "m").refused(2)
    assert refused.endswith("written.jsonl.done:1: this line is not UTF-8; save the file as UTF-8.")
