from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from extras import require
from training_sample import (
    interrupted_at_a_checkpoint,
    make_passages,
    one_thread,
    save_encoder,
    save_questions,
)

from rirag.inputs.questions import read_questions
from rirag_workbench.training.data.held_out import is_validation
from rirag_workbench.training.data.trained_on import TrainedOn
from rirag_workbench.training.runs.record import STATE, teacher_hash
from rirag_workbench.training.runs.settings import EncoderSettings
from search.errors import InputError, ModelError
from search.models.encoders import load_encoder
from search.models.rerankers import DEFAULT_RERANKER

pytestmark = pytest.mark.torch

SETTINGS = EncoderSettings(
    epochs=2, batch_size=8, learning_rate=1e-2, patience=5, bf16=False, max_tokens=32
)
IN_A_PROCESS = """
import sys
from pathlib import Path

folder, output, root = map(Path, sys.argv[1:])
sys.path[:0] = [str(root / "tests"), str(root / "workbench" / "tests" / "training")]
import torch
from rirag_workbench.training.runs import rounds
from test_encoder_training import train

torch.set_num_threads(1)
rounds.CHECKPOINT_MINUTES = 0.0
train(folder, output, resume=True)
"""


def train(folder: Path, output: Path, **request: object):  # type: ignore[no-untyped-def]
    from rirag_workbench.training.runs.encoder import train_encoder
    from rirag_workbench.training.runs.run import Request

    passages = make_passages()
    questions = folder / "questions.jsonl"
    options: dict[str, Any] = {"settings": SETTINGS, **request}
    asked = Request(str(folder / "base"), output, [questions], questions, **options)
    return train_encoder(asked, passages, lambda line: None, shares=(1.0,))


def weights(output: Path) -> dict[str, np.ndarray]:
    from safetensors.numpy import load_file

    loaded: dict[str, np.ndarray] = load_file(output / "float32" / "model.safetensors")
    return loaded


def rounds(output: Path) -> list[dict[str, object]]:
    """Return what validation found of each round."""
    found: list[dict[str, object]] = json.loads((output / "training.json").read_text())["report"][
        "rounds"
    ]
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    require("onnx")
    made = tmp_path_factory.mktemp("training")
    save_questions(made, make_passages())
    save_encoder(made)
    return made


@pytest.fixture(scope="module")
def trained(folder: Path) -> Path:
    """The output of a run that nothing interrupted."""
    with one_thread():
        train(folder, folder / "whole")
    return folder / "whole"


def test_the_loss_falls_from_round_to_round(trained: Path) -> None:
    curve = json.loads((trained / "training.json").read_text())["curve"]
    assert [point["round"] for point in curve] == [1, 2]
    assert curve[1]["loss"] < 0.95 * curve[0]["loss"]


def test_questions_alone_are_trained(folder: Path, tmp_path: Path) -> None:
    settings = replace(SETTINGS, questions_only=True, epochs=4, learning_rate=3e-3)
    train(folder, tmp_path / "out", settings=settings)
    record = json.loads((tmp_path / "out" / "training.json").read_text())
    assert record["settings"]["questions_only"]
    assert record["curve"][-1]["loss"] < 0.95 * record["curve"][0]["loss"]
    assert load_encoder(str(tmp_path / "out")).encode_questions(["a client"]).shape == (1, 32)


def test_a_question_has_all_passages_as_negatives_and_anchors_stay() -> None:
    torch = require("torch")
    from rirag_workbench.training.runs.encoder import ANCHOR_WEIGHT, QuestionLoss

    class Model(torch.nn.Module):
        """Has one vector for each text: of questions 0 and 1, and of any anchor 2."""

        vectors = torch.tensor([[1.0, 0.0], [0.6, 0.8], [0.0, 3.0]])

        def preprocess(self, texts: list[str]) -> dict[str, object]:
            return {"input_ids": torch.tensor([[2]] * len(texts)), "modality": "text"}

        def forward(self, features: dict[str, object]) -> dict[str, object]:
            return {"sentence_embedding": self.vectors[features["input_ids"][:, 0]]}

    passages = torch.tensor([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
    asked, answers = [{"input_ids": torch.tensor([[0], [1]])}], torch.tensor([0, 1])
    cosines = Model.vectors[:2] @ passages.T
    wanted = torch.nn.functional.cross_entropy(SETTINGS.scale * cosines, answers)
    none_fits = QuestionLoss(Model(), ["short"] * 3, passages, SETTINGS)
    assert none_fits(asked, answers).item() == pytest.approx(wanted.item(), abs=1e-5)
    texts = ["short", "long enough to be an anchor, " * 2, "short"]
    kept = QuestionLoss(Model(), texts, passages, SETTINGS)
    assert kept(asked, answers).item() == pytest.approx(wanted.item(), abs=1e-5)
    moved = QuestionLoss(Model(), [texts[1], *texts[:1] * 2], passages, SETTINGS)
    pulled = wanted.item() + ANCHOR_WEIGHT
    assert moved(asked, answers).item() == pytest.approx(pulled, abs=1e-4)


def test_the_output_is_an_encoder_close_to_its_float32(trained: Path) -> None:
    library = require("sentence_transformers")
    texts = ["a client", "the fund must report", "capital " * 40]
    expected = library.SentenceTransformer(str(trained / "float32"), device="cpu").encode(
        texts, normalize_embeddings=True
    )
    found = load_encoder(str(trained)).encode_passages(texts).vectors
    assert (found * expected).sum(axis=1).min() > 0.99


def test_the_report_measures_what_the_export_loses(trained: Path) -> None:
    report = json.loads((trained / "training.json").read_text())["report"]
    assert report["float32"]["questions"] == report["int8"]["questions"] > 10
    assert report["float32"]["weight"] == report["int8"]["weight"]


def test_the_record_holds_hashes_settings_versions_and_the_curve(trained: Path) -> None:
    record = json.loads((trained / "training.json").read_text())
    assert record["settings"]["seed"] == SETTINGS.seed
    assert [len(one["sha256"]) for one in (*record["data"], *record["validation"])] == [64, 64]
    assert len(record["base"]["sha256"]) == 64
    assert {"python", "torch", "sentence-transformers"} <= set(record["versions"])
    assert record["machine"]["cores"] > 0
    assert record["exported"] == json.loads((trained / "encoder.json").read_text())["sha256"]


def test_the_record_lists_the_questions_that_were_trained_on_and_no_others(
    folder: Path, trained: Path
) -> None:
    record = json.loads((trained / "training.json").read_text())
    questions = read_questions(folder / "questions.jsonl")
    unseen = TrainedOn.read(str(trained)).unseen(questions, "a file that differs")
    assert len(unseen) == len(questions) - record["questions"] == sum(record["left_out"].values())
    assert {one for one in questions if is_validation(one.question_id)} <= set(unseen)


def test_an_encoder_learns_the_scores_of_a_teacher(folder: Path, tmp_path: Path) -> None:
    settings = replace(SETTINGS, epochs=1, negatives=2, teacher=DEFAULT_RERANKER)
    train(folder, tmp_path / "taught", settings=settings)
    record = json.loads((tmp_path / "taught" / "training.json").read_text())
    assert record["settings"]["teacher"] == DEFAULT_RERANKER
    assert record["teacher"] == teacher_hash(DEFAULT_RERANKER)
    lines = (tmp_path / "taught" / "work" / "rows.jsonl").read_text().splitlines()
    assert len(lines) > 10
    assert all(sum(json.loads(line)["shares"]) == pytest.approx(1) for line in lines)


def test_an_unknown_teacher_is_refused_before_training(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'bge'"):
        train(folder, tmp_path / "output", settings=replace(SETTINGS, teacher="bge"))
    assert not (tmp_path / "output").exists()


def test_a_base_that_is_no_model_is_refused(tmp_path: Path) -> None:
    require("sentence_transformers")
    save_questions(tmp_path, make_passages())
    with pytest.raises(ModelError, match="cannot be loaded as an encoder; give another base: "):
        train(tmp_path, tmp_path / "output")
    assert not (tmp_path / "output").exists(), "the next run may claim it"


def test_a_batch_larger_than_a_round_is_refused_before_anything_is_done(
    folder: Path, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="too few rows for a batch of 500"):
        train(folder, tmp_path / "output", settings=replace(SETTINGS, batch_size=500))
    assert not (tmp_path / "output").exists()


def test_weights_that_are_no_numbers_are_no_result(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"learning rate of 1e\+30 is too high"):
        train(folder, tmp_path / "output", settings=replace(SETTINGS, learning_rate=1e30))
    assert not (tmp_path / "output" / "encoder.json").exists()


def test_a_tampered_model_is_refused(trained: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in ("encoder.json", "tokenizer.json", "model.onnx"):
        content = bytearray((trained / name).read_bytes())
        if name == "model.onnx":
            content[-1] ^= 1
        (copy / name).write_bytes(content)
    with pytest.raises(ModelError, match="its SHA-256 differs"):
        load_encoder(str(copy))


def test_a_run_killed_in_its_second_round_ends_with_the_same_weights(
    folder: Path, trained: Path
) -> None:
    output = folder / "killed"
    command = [sys.executable, "-c", IN_A_PROCESS, str(folder), str(output), _root()]
    environment = {**os.environ, "PYTHONPATH": _root()}
    process = subprocess.Popen(command, env=environment)
    while process.poll() is None and not _has_step(output / "work", 13):
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL, "it ended before it was killed"
    subprocess.run(command, env=environment, check=True)
    assert rounds(output) == rounds(trained)
    whole, killed = weights(trained), weights(output)
    assert all(np.array_equal(whole[name], killed[name]) for name in whole)


def test_an_interrupted_run_goes_on_from_its_checkpoint(
    folder: Path,
    trained: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with one_thread():
        with interrupted_at_a_checkpoint(monkeypatch):
            train(folder, tmp_path / "paused")
        for _ in range(2):  # the second time, all rounds are finished
            train(folder, tmp_path / "paused", resume=True)
    assert "Computing widget examples" not in capfd.readouterr().err
    assert rounds(tmp_path / "paused") == rounds(trained)
    whole, paused = weights(trained), weights(tmp_path / "paused")
    assert all(np.array_equal(whole[name], paused[name]) for name in whole)


def test_a_second_run_into_the_same_folder_is_refused(folder: Path, trained: Path) -> None:
    with pytest.raises(InputError, match="continue it with --resume"):
        train(folder, trained)


def test_a_run_is_not_resumed_with_other_settings(folder: Path, trained: Path) -> None:
    other = EncoderSettings(epochs=2, batch_size=4)
    with pytest.raises(InputError, match="with other settings"):
        train(folder, trained, settings=other, resume=True)


def test_a_run_with_an_altered_checkpoint_is_not_resumed(
    folder: Path, trained: Path, tmp_path: Path
) -> None:
    shutil.copytree(trained, tmp_path / "altered")
    for state in (tmp_path / "altered/work").glob(f"checkpoint-*/{STATE}"):
        state.write_text('{"alpha": 0.5}', encoding="utf-8")
    with pytest.raises(
        InputError, match=r"trainer_state\.json: this file does not belong to a training run"
    ):
        train(folder, tmp_path / "altered", resume=True)


def test_a_run_that_was_stopped_early_is_not_trained_further(folder: Path, tmp_path: Path) -> None:
    """A learning rate of next to nothing improves nothing, so that the first round is the last."""
    settings = replace(SETTINGS, epochs=3, learning_rate=1e-12, patience=1)
    first = train(folder, tmp_path / "stopped", settings=settings)
    again = train(folder, tmp_path / "stopped", settings=settings, resume=True)
    assert (first.best_round, len(first.rounds)) == (0, 1)
    assert again.rounds == first.rounds
    base = folder / "base" / "model.safetensors"
    assert (tmp_path / "stopped/float32/model.safetensors").read_bytes() == base.read_bytes()


def _has_step(folder: Path, step: int) -> bool:
    marks = folder.glob(f"checkpoint-*/{STATE}")
    return any(int(mark.parent.name.partition("-")[2]) >= step for mark in marks)


def _root() -> str:
    return str(Path(__file__).resolve().parents[3])
