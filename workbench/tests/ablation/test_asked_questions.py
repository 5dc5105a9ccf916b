"""Which questions an ablation asks: those that training left out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from sample import write_lines

from rirag.files import sha256_of
from rirag_workbench.ablation.measuring import read_asked
from rirag_workbench.training.data.held_out import is_validation, question_hash
from search.records import Passage

PASSAGES = [Passage(name, "d", name, f"A rule called {name}.") for name in ("a", "b")]
HELD_OUT = next(f"{number}" for number in range(100) if is_validation(f"{number}"))
TRAINED = next(f"{number}" for number in range(100) if not is_validation(f"{number}"))


def question_file(folder: Path) -> Path:
    return write_lines(
        folder / "q.jsonl",
        {"question_id": HELD_OUT, "question": "Who reports a breach?", "relevant": ["a"]},
        {"question_id": TRAINED, "question": "Who pays the fee?", "relevant": ["b"]},
    )


def asked_of(folder: Path, *training: Path) -> list[str]:
    asked = read_asked(question_file(folder), PASSAGES, str(folder), training, keywords=False)
    return [question.text for question in asked.questions]


def groups_of(folder: Path, *training: Path) -> dict[str, int]:
    """Return how many questions are seen in training, and how many are not."""
    asked = read_asked(question_file(folder), PASSAGES, str(folder), training, keywords=False)
    groups = asked.groups()
    return {
        name: int(groups[name].sum()) for name in ("seen in training", "unseen") if name in groups
    }


def save_record(
    folder: Path, *trained: str, files: Sequence[str] = (), auxiliary: Sequence[str] = ()
) -> None:
    """Write the record of an encoder that was trained on questions, and on files by SHA-256."""
    data = [{"file": "q.jsonl", "sha256": sha256} for sha256 in files]
    record = {
        "data": data,
        "validation": data[:1],
        "auxiliary": [{"file": "a.jsonl", "sha256": sha256} for sha256 in auxiliary],
        "question_hashes": " ".join(map(question_hash, trained)),
    }
    (folder / "training.json").write_text(json.dumps(record), encoding="utf-8")


def test_questions_that_the_record_lists_are_not_asked(tmp_path: Path) -> None:
    assert len(asked_of(tmp_path)) == 2
    save_record(tmp_path, "Who pays the fee?")
    assert asked_of(tmp_path) == ["Who reports a breach?"]


def test_questions_of_a_training_file_are_not_asked_unless_these_are_all(tmp_path: Path) -> None:
    pairs = [
        {"question": "Who reports a breach?", "positives": ["a"]},
        {"question": "Who pays the fee?", "positives": ["b"]},
    ]
    one = write_lines(tmp_path / "one.jsonl", pairs[0])
    assert asked_of(tmp_path, one) == ["Who pays the fee?"]
    assert len(asked_of(tmp_path, write_lines(tmp_path / "all.jsonl", *pairs))) == 2


def test_one_question_of_a_training_does_not_make_its_file_the_training(tmp_path: Path) -> None:
    """Which other passages training knew is in no file that is here."""
    assert groups_of(tmp_path) == {}
    save_record(tmp_path, "Who pays the fee?")
    assert groups_of(tmp_path) == {}
    save_record(tmp_path, "Who pays the fee?", files=["aa"])
    assert groups_of(tmp_path) == {}


def test_the_one_file_that_a_record_names_tells_what_training_saw(tmp_path: Path) -> None:
    sha256 = sha256_of(question_file(tmp_path))
    save_record(tmp_path, "Who pays the fee?", files=[sha256])
    assert groups_of(tmp_path) == {"unseen": 1}
    save_record(tmp_path, "Who pays the fee?", files=[sha256, "aa"])
    assert groups_of(tmp_path) == {}, "the other file may know the passage"
    save_record(tmp_path, "Who pays the fee?", files=[sha256], auxiliary=["bb"])
    assert groups_of(tmp_path) == {}, "the auxiliary file may know the passage"


def test_questions_that_training_knew_are_all_seen_in_it(tmp_path: Path) -> None:
    save_record(tmp_path, "Who pays the fee?", "Who reports a breach?", "Who else?")
    assert groups_of(tmp_path) == {"seen in training": 2}


def test_files_named_as_training_tell_what_it_saw(tmp_path: Path) -> None:
    save_record(tmp_path, "Who pays the fee?")
    pairs = write_lines(tmp_path / "p.jsonl", {"question": "What breach?", "positives": ["a"]})
    assert groups_of(tmp_path, pairs) == {"seen in training": 1}
