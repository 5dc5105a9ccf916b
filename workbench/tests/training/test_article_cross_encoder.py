"""The cross-encoder of `rirag train ranker --cross-encoder`, on a model of a few weights."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from article_sample import WordCounts, act, questions
from extras import require
from tiny_models import save_bert

from rirag_workbench.training.data.trained_on import trained_before
from rirag_workbench.training.runs.article_cross_encoder import (
    CrossEncoderSettings,
    train_cross_encoder,
)
from search.errors import InputError, ModelError

SETTINGS = CrossEncoderSettings(
    epochs=1, evaluation_steps=4, max_tokens=32, first_rank=6, last_rank=12, negatives=2
)


@pytest.mark.torch
def test_best_checkpoint_is_written_with_its_record(tmp_path: Path) -> None:
    sentence_transformers = require("sentence_transformers")
    base, output = save_bert(tmp_path / "base", labels=1), tmp_path / "out"
    told: list[str] = []
    source = tmp_path / "qa.jsonl"
    source.write_text("{}")
    found = train_cross_encoder(
        act(), questions(24), WordCounts(), str(base), output, told.append, SETTINGS, source
    )
    assert told[0].endswith("for validation")
    assert 0 < found["f1"] <= 1
    record = json.loads((output / "training.json").read_text())
    assert record["settings"]["first_rank"] == 6
    assert record["report"] == found
    assert [one["file"] for one in trained_before(str(output))[0]] == ["qa.jsonl"]
    assert not (output / "checkpoints").exists()
    model = sentence_transformers.CrossEncoder(str(output))
    assert len(model.predict([("Who must report?", "A bank must report.")])) == 1


def test_paper_is_followed_unless_told_otherwise() -> None:
    one = CrossEncoderSettings()
    assert (one.epochs, one.warmup, one.evaluation_steps) == (4, 0.1, 800)
    assert (one.first_rank, one.last_rank, one.negatives) == (250, 300, 20)


def test_folder_that_is_not_empty_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="the folder is not empty"):
        train_cross_encoder(act(), questions(), WordCounts(), "base", tmp_path, print, SETTINGS)


@pytest.mark.torch
def test_base_that_is_no_model_is_refused(tmp_path: Path) -> None:
    require("sentence_transformers")
    (tmp_path / "base").mkdir()
    with pytest.raises(ModelError, match="cannot be loaded as a cross-encoder"):
        train_cross_encoder(
            act(),
            questions(),
            WordCounts(),
            str(tmp_path / "base"),
            tmp_path / "out",
            print,
            SETTINGS,
        )


@pytest.mark.torch
def test_too_few_questions_are_refused(tmp_path: Path) -> None:
    require("sentence_transformers")
    base = str(save_bert(tmp_path / "base", labels=1))
    with pytest.raises(InputError, match="too few Q&As"):
        train_cross_encoder(
            act(), questions(1), WordCounts(), base, tmp_path / "out", print, SETTINGS
        )
