"""`rirag questions`: what is added, listed and removed, and what is refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from cli_support import Run
from sample import QUESTIONS, write_lines

import search

ASKED = "How quickly must the MLRO report to the FIO?"


@pytest.fixture
def index(rulebook: Path, tmp_path: Path) -> Path:
    """An index of the sample rulebook in the working directory."""
    return shutil.copytree(rulebook, tmp_path / "rirag-index")


@pytest.fixture
def passages(rulebook: Path) -> list[str]:
    """`ID`s of the rulebook's passages."""
    with search.open(str(rulebook)) as opened:
        return [one.id for one in opened.passages()]


def line(name: str, text: str, *relevant: str) -> dict[str, object]:
    """A line of a question file."""
    return {"question_id": name, "question": text, "relevant": relevant}


def test_questions_are_added_listed_and_removed(rirag: Run, index: Path) -> None:
    shown = rirag("questions", "add", QUESTIONS)
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.startswith("Read 23 questions in ")
    assert "23 added, 0 changed, 0 unchanged; encoded 23.\n" in shown.out
    assert shown.out.endswith("rirag-index now has 23 answered questions.\n")
    listed = rirag("questions", "list").out.splitlines()
    assert len(listed) == 23
    assert listed[:2] == [
        "rulebook-01  complaint deadline  (2 passages)", "rulebook-02  tipping off  (1 passage)",
    ]  # fmt: skip
    removed = rirag("questions", "remove", "rulebook-01", "rulebook-02")
    assert removed.out.startswith("Removed 2 questions in ")
    assert removed.out.endswith("rirag-index now has 21 answered questions.\n")
    rirag("questions", "remove", "--all")
    empty = rirag("questions", "list")
    assert (empty.out, empty.err) == ("", "rirag-index has no answered questions\n")


def test_what_is_listed_as_json_can_be_added_again(rirag: Run, index: Path) -> None:
    rirag("questions", "add", QUESTIONS)
    listed = rirag("questions", "list", "--json")
    Path("saved.json").write_text(listed.out, encoding="utf-8")
    rirag("questions", "remove", "--all")
    report = rirag("questions", "add", "saved.json", "--json").json
    assert len(report["added"]) == 23
    assert rirag("questions", "list", "--json").json == listed.json


def test_several_files_are_added_together(rirag: Run, index: Path, passages: list[str]) -> None:
    write_lines(Path("a.jsonl"), line("a", "First?", passages[0]), line("b", "Second?", "gone"))
    write_lines(Path("b.jsonl"), line("c", "Third?", passages[2]), line("a", "First?", passages[0]))
    report = rirag("questions", "add", "a.jsonl", "b.jsonl", "--json").json
    assert (report["added"], report["left_out"]) == (["a", "c"], ["b"])
    assert report["unknown_passages"] == [{"question_id": "b", "passage": "gone"}]
    assert report["index"]["passages"] == 2


def test_a_question_that_differs_between_files_is_refused(
    rirag: Run, index: Path, passages: list[str]
) -> None:
    write_lines(Path("a.jsonl"), line("a", "First?", passages[0]))
    write_lines(Path("b.jsonl"), line("a", "Another?", passages[0]))
    refused = rirag("questions", "add", "a.jsonl", "b.jsonl").refused(2)
    assert (
        refused == "b.jsonl: question 'a' has another text in a.jsonl; give one of them another ID."
    )


def test_bad_lines_are_told_together_and_nothing_is_added(
    rirag: Run, index: Path, passages: list[str]
) -> None:
    write_lines(
        Path("bad.jsonl"), line("a", "First?", passages[0]), "no json", line("b", "", "x"),
        {"question_id": "c", "question": "Third?"},
    )  # fmt: skip
    shown = rirag("questions", "add", "bad.jsonl")
    assert (shown.code, shown.out) == (2, "")
    assert "bad.jsonl:2: this is not valid JSON" in shown.err
    assert "bad.jsonl:3: field 'question' is \"\"; it must be a non-empty text." in shown.err
    assert "bad.jsonl:4: question 'c' names no relevant passage in 'relevant'." in shown.err
    assert not Path(index, "questions").exists()


def test_passages_named_by_document_and_number_are_looked_up(rirag: Run, index: Path) -> None:
    pairs = [
        {"DocumentID": "COND", "PassageID": "6.2.2"}, {"DocumentID": "COND", "PassageID": "99"},
    ]  # fmt: skip
    record = {"QuestionID": "a", "Question": "Final response?", "Passages": pairs}
    Path("a.json").write_text(json.dumps([record]), encoding="utf-8")
    report = rirag("questions", "add", "a.json", "--json").json
    assert report["unknown_passages"] == [{"question_id": "a", "passage": "COND 99"}]
    (held,) = rirag("questions", "list", "--json").json
    with search.open(str(index)) as opened:
        assert opened.passage(held["relevant"][0]).citation() == "Conduct Rulebook (COND) 6.2.2"


@pytest.mark.parametrize("arguments", [(), ("a", "--all")])
def test_removing_needs_ids_or_all(rirag: Run, index: Path, arguments: tuple[str, ...]) -> None:
    refused = rirag("questions", "remove", *arguments).refused(2)
    assert refused == "give the IDs of the questions to remove, or remove all with --all"


def test_an_unknown_question_is_refused(rirag: Run, index: Path) -> None:
    rirag("questions", "add", QUESTIONS)
    refused = rirag("questions", "remove", "rulebook-01", "nope").refused(2)
    assert refused.startswith(
        "rirag-index has no answered question with the ID 'nope'; list them with: "
    )
    assert len(rirag("questions", "list").out.splitlines()) == 23


@pytest.mark.parametrize("command", ["add", "list", "remove"])
def test_an_index_that_is_not_there_is_refused(rirag: Run, command: str) -> None:
    arguments = {"add": [QUESTIONS], "list": [], "remove": ["--all"]}[command]
    refused = rirag("questions", command, *arguments, "--index", "nowhere").refused(3)
    assert refused.startswith("the index nowhere does not exist; make it with: rirag ingest")


def test_explain_shows_who_voted_and_every_vote(rirag: Run, index: Path) -> None:
    rirag("questions", "add", QUESTIONS)
    shown = rirag("search", ASKED, "--explain", "-k", 3).out
    assert "votes       answered questions vote, weight 0." in shown
    assert "How quickly must the MLRO submit a suspicious activity report to the FIO" in shown
    assert "  votes 1.000 (#1, " in shown


def test_the_memory_can_be_switched_off_by_flag_variable_and_file(
    rirag: Run, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = rirag("search", ASKED, "--json").json["hits"]
    rirag("questions", "add", QUESTIONS)
    assert rirag("search", ASKED, "--json").json["hits"] != plain
    assert rirag("search", ASKED, "--json", "--no-answered-questions").json["hits"] == plain
    monkeypatch.setenv("RIRAG_ANSWERED_QUESTIONS", "false")
    assert rirag("search", ASKED, "--json").json["hits"] == plain
    monkeypatch.delenv("RIRAG_ANSWERED_QUESTIONS")
    Path("rirag.toml").write_text("answered_questions = false\n", encoding="utf-8")
    assert rirag("search", ASKED, "--json").json["hits"] == plain


def test_an_answered_question_does_not_answer_itself_in_an_evaluation(
    rirag: Run, index: Path, passages: list[str]
) -> None:
    """Planted: questions whose only way to their passage is the memory."""
    with search.open(str(index)) as opened:
        found = {hit.id for hit in opened.search(ASKED, 1000).hits}
        nowhere = next(one.id for one in opened.passages() if one.text and one.id not in found)
    asked = write_lines(Path("asked.jsonl"), line("asked", ASKED, nowhere))
    command = ("evaluate", "retrieval", asked, "--json", "--measures", "R@100")
    planted = {
        "the same ID": line("asked", "Is tipping off forbidden?", nowhere),
        "the same words": line("other", f"  {ASKED.upper()}", nowhere),
    }
    for what, one in planted.items():
        rirag("questions", "add", write_lines(Path("known.jsonl"), one))
        report = rirag(*command).json
        assert report["measures"] == {"R@100": 0.0}, what
        assert (report["answered_questions"], report["own_answered_questions"]) == (1, 1), what
        rirag("questions", "remove", "--all")
    rirag("questions", "add", write_lines(Path("known.jsonl"), line("x", f"So: {ASKED}", nowhere)))
    report = rirag(*command).json
    assert report["measures"] == {"R@100": 1.0}
    assert (report["answered_questions"], report["own_answered_questions"]) == (1, 0)
    table = rirag("evaluate", "retrieval", asked).out
    assert "1 answered question could vote; 0 of the asked questions are among them" in table
    assert rirag(*command, "--no-answered-questions").json["answered_questions"] == 0


@pytest.mark.parametrize(
    "command",
    [
        ("documents", "delete", "9c", "--yes"),
        ("reindex",),
        ("ingest", QUESTIONS),
        ("questions", "add", QUESTIONS),
        ("questions", "remove", "--all"),
    ],
    ids=lambda command: " ".join(command[:2] if command[0] != "ingest" else command[:1]),
)
def test_the_index_of_answered_questions_is_changed_by_their_own_commands_only(
    rirag: Run, index: Path, command: tuple[object, ...]
) -> None:
    rirag("questions", "add", QUESTIONS)
    with search.open("rirag-index/questions") as opened:
        before = opened.describe()
    sentence = rirag(*command, "--index", "rirag-index/questions").refused(2)
    assert sentence == (
        "rirag-index/questions holds the answered questions of rirag-index; change them with: "
        "rirag questions add FILE --index rirag-index, or "
        "rirag questions remove ID --index rirag-index, or rirag reindex --index rirag-index"
    )
    with search.open("rirag-index/questions") as opened:
        assert opened.describe() == before


def test_answered_questions_in_another_place_are_refused_too(rirag: Run, index: Path) -> None:
    rirag("questions", "add", QUESTIONS)
    Path("rirag-index/questions").rename("elsewhere")
    sentence = rirag("reindex", "--index", "elsewhere").refused(2)
    assert sentence.startswith("elsewhere holds the answered questions of another index; change")


def test_doctor_counts_the_answered_questions(rirag: Run, index: Path) -> None:
    assert "ok   answered questions: none\n" in rirag("doctor").out
    rirag("questions", "add", QUESTIONS)
    assert "ok   answered questions: 23\n" in rirag("doctor").out
    (stored,) = index.glob("questions/generations/*/passages.sqlite")
    stored.write_bytes(stored.read_bytes()[:-1])
    shown = rirag("doctor")
    assert shown.code == 1
    assert "BAD  answered questions: answered questions are ignored: " in shown.out
