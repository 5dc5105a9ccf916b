"""Which questions an ablation asks: those that training left out."""

from __future__ import annotations

import json
from pathlib import Path

from sample import write_lines

from rirag.ablation.asked import read_asked
from rirag.training.data.question_hashes import question_hash
from search.records import Passage

PASSAGES = [Passage(name, "d", name, f"A rule called {name}.") for name in ("a", "b")]


def asked_of(folder: Path, *training: Path) -> list[str]:
    file = write_lines(
        folder / "q.jsonl",
        {"question_id": "1", "question": "Who reports a breach?", "relevant": ["a"]},
        {"question_id": "2", "question": "Who pays the fee?", "relevant": ["b"]},
    )
    asked = read_asked(file, PASSAGES, str(folder), training, keywords=False)
    return [question.text for question in asked.questions]


def test_questions_that_the_record_lists_are_not_asked(tmp_path: Path) -> None:
    assert len(asked_of(tmp_path)) == 2
    record = {"data": [], "auxiliary": [], "question_hashes": question_hash("Who pays the fee?")}
    (tmp_path / "training.json").write_text(json.dumps(record), encoding="utf-8")
    assert asked_of(tmp_path) == ["Who reports a breach?"]


def test_questions_of_a_training_file_are_not_asked_unless_these_are_all(tmp_path: Path) -> None:
    pairs = [
        {"question": "Who reports a breach?", "positives": ["a"]},
        {"question": "Who pays the fee?", "positives": ["b"]},
    ]
    one = write_lines(tmp_path / "one.jsonl", pairs[0])
    assert asked_of(tmp_path, one) == ["Who pays the fee?"]
    assert len(asked_of(tmp_path, write_lines(tmp_path / "all.jsonl", *pairs))) == 2
