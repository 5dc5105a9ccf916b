from __future__ import annotations

import json
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

from rirag_workbench.training.runs.settings import RerankerSettings
from search.errors import InputError, ModelError
from search.models.encoders import load_encoder
from search.models.rerankers import DEFAULT_RERANKER, load_reranker

pytestmark = pytest.mark.torch

SETTINGS = RerankerSettings(
    epochs=1, batch_size=4, learning_rate=1e-3, negatives=3, bf16=False, max_tokens=48, layers=1
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    require("onnx")
    made = tmp_path_factory.mktemp("reranking")
    save_questions(made, make_passages())
    save_encoder(made)
    return made


@pytest.fixture(scope="module", params=["", DEFAULT_RERANKER], ids=["alone", "taught"])
def settings(request: pytest.FixtureRequest) -> RerankerSettings:
    return replace(SETTINGS, teacher=request.param)


def train(folder: Path, output: Path, settings: RerankerSettings, **options: Any) -> Any:
    from rirag_workbench.training.runs.reranker import train_reranker
    from rirag_workbench.training.runs.run import Request

    questions = folder / "questions.jsonl"
    asked = Request(
        str(folder / "base"), output, [questions], questions, settings=settings, **options
    )
    encoder = load_encoder("all-minilm-l6-v2-int8")
    return train_reranker(asked, encoder, make_passages(), lambda line: None)


@pytest.fixture(scope="module")
def trained(folder: Path, settings: RerankerSettings) -> Path:
    output = folder / f"trained-{settings.teacher}"
    with one_thread():
        train(folder, output, settings)
    return output


def test_the_output_is_a_reranker_close_to_its_float32(trained: Path) -> None:
    passages = [passage.text for passage in make_passages()[:8]]
    found = load_reranker(str(trained)).score("client risk fund", passages)
    expected = load_reranker(str(trained / "work" / "float32-onnx")).score(
        "client risk fund", passages
    )
    assert np.corrcoef(found, expected)[0, 1] > 0.95


def test_the_record_tells_what_was_trained_and_what_came_out(trained: Path) -> None:
    record = json.loads((trained / "training.json").read_text())
    assert record["kind"] == "reranker"
    assert record["encoder"] == load_encoder("all-minilm-l6-v2-int8").revision
    assert record["exported"] == json.loads((trained / "reranker.json").read_text())["sha256"]
    assert record["report"]["int8"]["weight"] == record["report"]["float32"]["weight"]
    config = json.loads((trained / "float32" / "config.json").read_text())
    assert config["num_hidden_layers"] == 1


def test_the_float32_weights_can_be_trained_on(trained: Path) -> None:
    model = require("sentence_transformers").CrossEncoder(str(trained / "float32"))
    assert model.num_labels == 1


def test_an_interrupted_run_ends_with_the_same_weights(
    folder: Path,
    trained: Path,
    settings: RerankerSettings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from safetensors.numpy import load_file

    with one_thread():
        with interrupted_at_a_checkpoint(monkeypatch):
            train(folder, tmp_path / "paused", settings)
        train(folder, tmp_path / "paused", settings, resume=True)
    whole, paused = (
        load_file(output / "float32" / "model.safetensors")
        for output in (trained, tmp_path / "paused")
    )
    assert all(np.array_equal(whole[name], paused[name]) for name in whole)


def test_a_run_that_was_killed_while_its_start_was_written_goes_on(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require("torch")
    from rirag_workbench.training.runs.reranker import CrossEncoderTraining

    def killed(base: Path, folder: Path, settings: RerankerSettings) -> None:
        folder.mkdir(parents=True)
        (folder / "config.json").touch()
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(CrossEncoderTraining, "save_start", staticmethod(killed))
        with pytest.raises(KeyboardInterrupt):
            train(folder, tmp_path / "killed", SETTINGS)
    with interrupted_at_a_checkpoint(monkeypatch):
        train(folder, tmp_path / "killed", SETTINGS, resume=True)


def test_a_base_that_is_no_model_is_refused(tmp_path: Path) -> None:
    save_questions(tmp_path, make_passages())
    with pytest.raises(ModelError, match="cannot be loaded as a cross-encoder; give another"):
        train(tmp_path, tmp_path / "output", SETTINGS)
    assert not (tmp_path / "output").exists(), "the next run may claim it"


def test_more_layers_than_the_base_has_are_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"the base has \d layers, but --layers asks for 99"):
        train(folder, tmp_path / "output", replace(SETTINGS, layers=99))
    assert not (tmp_path / "output").exists(), "the next run may claim it"


@pytest.mark.parametrize(
    ("total", "wanted", "kept"),
    [(6, 3, [0, 2, 5]), (6, 6, [0, 1, 2, 3, 4, 5]), (1, 1, [0]), (12, 1, [11])],
)
def test_layers_are_kept_evenly(total: int, wanted: int, kept: list[int]) -> None:
    from rirag_workbench.training.runs.reranker import kept_layers

    assert kept_layers(total, wanted) == kept
