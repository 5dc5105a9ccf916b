"""Weights taken back out of an exported encoder or cross-encoder."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from extras import require
from tiny_models import HIDDEN, WORDS
from training_sample import save_encoder

from rirag_workbench.training.data.trained_on import all_data, trained_before
from rirag_workbench.training.weights.unpacking import base_folder
from search.errors import InputError
from search.models.encoders.model_folder import ENCODER_CARD, RERANKER_CARD
from search.models.encoders.onnx import OnnxEncoder
from search.models.rerankers import DEFAULT_RERANKER, load_reranker

TEXTS = [*WORDS.split()[:6], " ".join(WORDS.split())]


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    require("onnx")
    from rirag_workbench.training.weights.export import export_encoder

    made = tmp_path_factory.mktemp("exported")
    save_encoder(made)
    for precision in ("int8", "float32"):
        export_encoder(made / "base", made / precision, "tiny", float32=precision == "float32")
    return made


@pytest.mark.torch
@pytest.mark.parametrize(("precision", "tolerance"), [("float32", 1e-5), ("int8", 0.05)])
def test_the_weights_compute_what_the_exported_model_does(
    exported: Path, tmp_path: Path, precision: str, tolerance: float
) -> None:
    """With 8 bits the exported model rounds its inputs too, and the unpacked one does not."""
    folder = base_folder(str(exported / precision), tmp_path)
    model = require("sentence_transformers").SentenceTransformer(folder, device="cpu")
    expected = OnnxEncoder(exported / precision).encode_questions(TEXTS)
    assert expected.shape == (len(TEXTS), HIDDEN)
    found = model.encode(TEXTS, normalize_embeddings=True)
    np.testing.assert_allclose(found, expected, atol=tolerance)


@pytest.mark.torch
def test_exporting_what_was_unpacked_gives_the_same_model(exported: Path, tmp_path: Path) -> None:
    from rirag_workbench.training.weights.export import export_encoder

    folder = base_folder(str(exported / "int8"), tmp_path)
    export_encoder(Path(folder), tmp_path / "again", "tiny")
    once, twice = (OnnxEncoder(f).encode_questions(TEXTS) for f in
                   (exported / "int8", tmp_path / "again"))  # fmt: skip
    np.testing.assert_allclose(twice, once, atol=1e-3)


@pytest.mark.torch
def test_a_shipped_encoder_is_known_by_its_name(tmp_path: Path) -> None:
    folder = Path(base_folder("all-minilm-l6-v2-int8", tmp_path))
    assert not (folder / "training.json").exists()
    assert folder == tmp_path / "base" / "all-minilm-l6-v2-int8"
    model = require("sentence_transformers").SentenceTransformer(str(folder), device="cpu")
    assert model.get_embedding_dimension() == 384


@pytest.mark.torch
def test_a_cross_encoder_is_unpacked_with_its_head(tmp_path: Path) -> None:
    folder = base_folder(DEFAULT_RERANKER, tmp_path, [ENCODER_CARD, RERANKER_CARD])
    record = json.loads((Path(folder) / "training.json").read_text())
    assert trained_before(folder)[0] == all_data(record)
    model = require("sentence_transformers").CrossEncoder(folder, device="cpu")
    found = model.predict([(TEXTS[-1], text) for text in TEXTS], activation_fn=lambda x: x)
    expected = load_reranker(DEFAULT_RERANKER).score(TEXTS[-1], TEXTS)
    assert np.ptp(expected) > 1
    np.testing.assert_allclose(found, expected, atol=0.3)


@pytest.mark.torch
def test_exporting_an_unpacked_cross_encoder_gives_the_same_model(tmp_path: Path) -> None:
    require("onnx")
    from rirag_workbench.training.weights.export import export_reranker

    folder = base_folder(DEFAULT_RERANKER, tmp_path, [RERANKER_CARD])
    export_reranker(Path(folder), tmp_path / "again", "again")
    once, twice = (load_reranker(name).score(TEXTS[-1], TEXTS)
                   for name in (DEFAULT_RERANKER, str(tmp_path / "again")))  # fmt: skip
    np.testing.assert_allclose(twice, once, atol=0.02)


def test_a_folder_of_weights_and_a_name_of_a_hub_are_taken_as_they_are(tmp_path: Path) -> None:
    assert base_folder(str(tmp_path), tmp_path / "out") == str(tmp_path)
    assert base_folder("somebody/some-model", tmp_path / "out") == "somebody/some-model"
    assert not (tmp_path / "out").exists()


@pytest.mark.torch
def test_a_model_of_another_exporter_is_refused(tmp_path: Path, exported: Path) -> None:
    import json

    import onnx

    from rirag.files import sha256_of

    for path in (exported / "int8").iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    model = onnx.load(tmp_path / "model.onnx")
    for weight in model.graph.initializer:
        weight.name = f"foreign.{weight.name}"
    onnx.save(model, tmp_path / "model.onnx")
    card = json.loads((tmp_path / "encoder.json").read_text())
    card["sha256"]["model.onnx"] = sha256_of(tmp_path / "model.onnx")
    (tmp_path / "encoder.json").write_text(json.dumps(card))
    with pytest.raises(InputError, match="was not exported by rirag"):
        base_folder(str(tmp_path), tmp_path / "out")
