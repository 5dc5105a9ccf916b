"""A run goes on only with the passages and the teacher that it began with."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from extras import require
from training_sample import make_passages, save_questions

from rirag.files import sha256_of
from rirag.inputs.questions import read_questions
from rirag_workbench.training.data.held_out import is_validation, question_hash
from rirag_workbench.training.runs.settings import EncoderSettings
from search.errors import InputError
from search.models.encoders.model_folder import MODELS_FOLDER
from search.models.rerankers import DEFAULT_RERANKER
from search.records import Passage

pytestmark = pytest.mark.torch


def begin(  # type: ignore[no-untyped-def]
    folder: Path,
    passages: list[Passage],
    report: Callable[[str], None] = lambda _: None,
    **options: object,
):
    require("torch")
    from rirag_workbench.training.runs.run import Request, Run

    questions = folder / "questions.jsonl"
    options = {"settings": EncoderSettings(), **options}
    request = Request(str(folder), folder / "out", [questions], questions, **options)
    run = Run.begin("encoder", request, passages, report)
    run.claim()
    return run


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
    with pytest.raises(InputError, match="with other passages;"):
        begin(tmp_path, [added, *passages], resume=True)
    changed = [replace(passages[0], text="A changed rule."), *passages[1:]]
    for others in (changed, passages[::-1]):
        with pytest.raises(InputError, match="with other passages;"):
            begin(tmp_path, others, resume=True)


def test_questions_that_the_base_was_trained_on_are_told_not_to_judge(tmp_path: Path) -> None:
    passages = make_passages()
    questions = read_questions(save_questions(tmp_path, passages))
    held_out = [one.text for one in questions if is_validation(one.question_id)]
    hashes = " ".join(map(question_hash, held_out[1:]))
    record = {"data": [], "auxiliary": [], "question_hashes": hashes}
    (tmp_path / "training.json").write_text(json.dumps(record), "utf-8")
    told: list[str] = []
    begun = begin(tmp_path, passages, report=told.append)
    assert [one.question for one in begun.data.validation] == held_out[:1]
    assert f"; {len(held_out) - 1} other validation questions are not used because the" in told[0]


def test_a_run_is_not_resumed_with_a_teacher_of_other_weights(tmp_path: Path) -> None:
    passages = make_passages()
    save_questions(tmp_path, passages)
    teacher = tmp_path / "teacher"
    shutil.copytree(MODELS_FOLDER / DEFAULT_RERANKER, teacher)
    settings = EncoderSettings(teacher=str(teacher))
    begun = begin(tmp_path, passages, settings=settings)
    assert begin(tmp_path, passages, settings=settings, resume=True).started == begun.started
    card = json.loads((teacher / "reranker.json").read_text("utf-8"))
    (teacher / "model.onnx").write_bytes(altered(teacher / "model.onnx"))
    card["sha256"]["model.onnx"] = sha256_of(teacher / "model.onnx")
    (teacher / "reranker.json").write_text(json.dumps(card), "utf-8")
    with pytest.raises(InputError, match="with other teacher;"):
        begin(tmp_path, passages, settings=settings, resume=True)


def altered(model: Path) -> bytes:
    """Return the same model with another name of its producer."""
    onnx = require("onnx")
    loaded = onnx.load(str(model))
    loaded.producer_name += "2"
    content: bytes = loaded.SerializeToString()
    return content
