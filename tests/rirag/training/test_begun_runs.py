"""A run goes on only with the passages that it began with."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from extras import require
from training_sample import make_passages, save_questions

from search.errors import InputError
from search.records import Passage

pytestmark = pytest.mark.torch


def begin(folder: Path, passages: list[Passage], *, resume: bool = False):  # type: ignore[no-untyped-def]
    require("torch")
    from rirag.training.runs.run import Request, Run

    questions = folder / "questions.jsonl"
    request = Request(str(folder), folder / "out", [questions], questions, resume=resume)
    return Run.begin("encoder", request, passages, lambda _: None, lambda *_: 1)


def test_a_run_goes_on_with_the_same_passages(tmp_path: Path) -> None:
    passages = make_passages()
    save_questions(tmp_path, passages)
    begun = begin(tmp_path, passages)
    assert begin(tmp_path, passages, resume=True).started == begun.started


def test_a_run_is_not_resumed_with_other_passages(tmp_path: Path) -> None:
    passages = make_passages()
    save_questions(tmp_path, passages)
    begin(tmp_path, passages)
    added = replace(passages[0], id="new", text="A new rule.")
    with pytest.raises(InputError, match=r"had other passages \(number 100, not 101"):
        begin(tmp_path, [added, *passages], resume=True)
    changed = [replace(passages[0], text="A changed rule."), *passages[1:]]
    for others in (changed, passages[::-1]):
        with pytest.raises(InputError, match=r"had other passages \(sha256 \w+, not \w+\)"):
            begin(tmp_path, others, resume=True)
