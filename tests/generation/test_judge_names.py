"""Which models can judge whether a passage supports a statement."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from extras import require
from tiny_models import save_bert

from generation.verify import load_judge
from search.errors import InputError
from search.models.defaults import DEFAULT_CROSS_ENCODER


def test_the_shipped_cross_encoder_has_a_name_of_its_own() -> None:
    judge = load_judge("cross-encoder")
    assert judge.name == DEFAULT_CROSS_ENCODER
    passage = "A firm must report to its clients every quarter."
    near, far = judge.support([
        (passage, "The firm must report to clients every quarter."),
        (passage, "An auditor must be registered."),
    ])  # fmt: skip
    assert near > 5 * far


def test_a_model_that_would_ask_the_question_is_no_judge_and_is_not_loaded() -> None:
    with pytest.raises(InputError, match=r"^query-likelihood:gpt .* no border .* cross-encoder"):
        load_judge("query-likelihood:gpt")


@pytest.mark.torch
def test_a_model_that_compares_tokens_is_no_judge(tmp_path: Path) -> None:
    require("onnx")
    from rirag.training.weights.export import export_late_interaction

    export_late_interaction(save_bert(tmp_path / "bert"), tmp_path / "late", "late")
    with pytest.raises(InputError, match="no border between support and none; choose cross-encod"):
        load_judge(str(tmp_path / "late"))


@pytest.mark.parametrize("name", [None, 5, b"nli"])
def test_a_judge_is_named_by_a_text(name: Any) -> None:
    with pytest.raises(InputError, match=r"^a judge is named by a text or a path, not by "):
        load_judge(name)
