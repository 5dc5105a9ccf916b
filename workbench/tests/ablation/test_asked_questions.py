"""Which questions an ablation asks: those that training left out."""

from __future__ import annotations

import json
from pathlib import Path

from sample import write_lines

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


def save_record(folder: Path, *trained: str) -> None:
    """Write the record of an encoder that was trained on questions."""
    record = {
        "data": [], "auxiliary": [], "question_hashes": " ".join(map(question_hash, trained)),
    }  # fmt: skip
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
