"""What an encoder was trained on is read from its record and from the files themselves."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from sample import write_lines

from rirag.files import sha256_of
from rirag.inputs.questions import Question, read_questions
from rirag_workbench.training.data.held_out import is_validation, question_hash
from rirag_workbench.training.data.trained_on import TrainedOn, trained_before
from search.errors import ModelError


def save_record(folder: Path, **fields: object) -> Path:
    folder.mkdir(exist_ok=True)
    record = {"data": [{"file": "q.jsonl", "sha256": "aa"}], "auxiliary": [], **fields}
    (folder / "training.json").write_text(json.dumps(record), encoding="utf-8")
    return folder


def test_a_record_names_files_by_their_hash(tmp_path: Path) -> None:
    folder = save_record(tmp_path / "encoder")
    assert TrainedOn.read(str(folder)).files == {"aa"}


def test_what_its_base_was_trained_on_counts_too(tmp_path: Path) -> None:
    before = [{"file": "older.jsonl", "sha256": "cc"}]
    folder = save_record(tmp_path / "encoder", data_before=before)
    assert TrainedOn.read(str(folder)).files == {"aa", "cc"}


def test_a_record_passes_on_all_that_was_trained_on(tmp_path: Path) -> None:
    before = [{"file": "older.jsonl", "sha256": "cc"}]
    folder = save_record(tmp_path / "encoder", data_before=before)
    (folder / "float32").mkdir()
    for base in (folder, folder / "float32"):
        assert [one["sha256"] for one in trained_before(str(base))[0]] == ["aa", "cc"]
    assert trained_before(str(tmp_path)) == trained_before("some/model") == ([], frozenset())


def test_a_question_is_known_again_whatever_its_case_space_and_punctuation() -> None:
    assert question_hash("Who pays the fee?") == question_hash(" who  pays the FEE")
    assert question_hash("Who pays the fee?") != question_hash("Who pays the fees?")


def test_questions_that_a_record_lists_are_left_out_whatever_file_they_stand_in(
    tmp_path: Path,
) -> None:
    known = question_hash("Who pays the fee?")
    folder = save_record(tmp_path / "encoder", question_hashes=f"0123456789ab {known}")
    asked = [Question("new", "who pays the fee"), Question("7", "Who reports a breach?")]
    assert TrainedOn.read(str(folder)).unseen(asked, "another file") == asked[1:]
    assert known in trained_before(str(folder))[1]


def test_of_a_file_that_a_record_names_only_the_held_out_fifth_is_left() -> None:
    asked = [Question(str(number), f"Who is number {number}?") for number in range(20)]
    held_out = [one for one in asked if is_validation(one.question_id)]
    assert 0 < len(held_out) < len(asked)
    assert TrainedOn(frozenset({"aa"})).unseen(asked, "aa") == held_out
    assert TrainedOn(frozenset({"aa"})).unseen(asked, "bb") == asked


def test_of_files_that_were_not_for_validation_no_fifth_was_held_out(tmp_path: Path) -> None:
    asked = [Question(str(number), f"Who is number {number}?") for number in range(20)]
    held_out = [one for one in asked if is_validation(one.question_id)]
    folder = save_record(
        tmp_path / "encoder",
        data=[{"file": "dev.jsonl", "sha256": "aa"}, {"file": "train.jsonl", "sha256": "bb"}],
        data_before=[{"file": "older.jsonl", "sha256": "cc"}],
        validation=[{"file": "dev.jsonl", "sha256": "aa"}],
    )
    trained = TrainedOn.read(str(folder))
    assert trained.unseen(asked, "aa") == held_out
    assert trained.unseen(asked, "bb") == trained.unseen(asked, "cc") == []


@pytest.mark.corpus
def test_what_trained_the_shipped_encoder_is_not_taken_for_unseen(data_folder: Path) -> None:
    file = data_folder / "obliqa" / "questions.train.jsonl"
    trained = TrainedOn.read("regulation-minilm-l6-int8")
    assert trained.unseen(read_questions(file), sha256_of(file)) == []


def test_questions_of_files_named_as_training_are_left_out_but_for_their_held_out_fifth(
    tmp_path: Path,
) -> None:
    asked = [Question(str(number), f"Who is number {number}?") for number in range(20)]
    trained = write_lines(
        tmp_path / "q.jsonl",
        *({"question_id": one.question_id, "question": one.text.upper(), "relevant": ["a"]}
          for one in asked),
    )  # fmt: skip
    pairs = write_lines(tmp_path / "p.jsonl", {"question": "Who pays?", "positives": ["a"]})
    known = TrainedOn().with_files([trained, pairs], lambda gold: gold.id)
    more = [Question("a", "Who pays?"), Question("b", "Who else?")]
    held_out = [one for one in asked if is_validation(one.question_id)]
    assert known.unseen([*asked, *more], "aa") == [*held_out, more[1]]


@pytest.mark.parametrize("name", ["all-minilm-l6-v2-int8", "openai:text-embedding-3-small"])
def test_an_encoder_without_record_was_trained_on_nothing_known(name: str) -> None:
    assert TrainedOn.read(name) == TrainedOn()


@pytest.mark.parametrize("read", [TrainedOn.read, trained_before])
@pytest.mark.parametrize(
    "content",
    ["{", "[]", "{}", '{"data": [{}], "auxiliary": []}',
     '{"data": [], "auxiliary": [], "question_hashes": ["ab"]}',
     '{"data": [], "auxiliary": [], "validation": ["dev.jsonl"]}'],
)  # fmt: skip
def test_a_record_that_is_none_is_refused(
    tmp_path: Path, content: str, read: Callable[[str], object]
) -> None:
    (tmp_path / "training.json").write_text(content, encoding="utf-8")
    with pytest.raises(ModelError, match=r"training\.json is not a record of a training run"):
        read(str(tmp_path))
