"""The exported encoder whose tokens are compared, against the model it was made from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from extras import require
from tiny_models import save_bert

from search.errors import ModelError
from search.models.rerankers import load_reranker

QUESTION = "what must a client report?"
PASSAGES = ("a client must report", "the fund", "risk " * 900, "conflict of interest, record") * 5


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    require("onnx")
    return save_bert(tmp_path_factory.mktemp("model") / "bert")


@pytest.fixture(scope="module")
def exported(model: Path) -> Path:
    from rirag.training.weights.export import export_late_interaction

    for precision in ("int8", "float32"):
        folder = model.parent / precision
        export_late_interaction(model, folder, "tiny", float32=precision == "float32")
    return model.parent


def expected_scores(folder: Path) -> np.ndarray:
    """Compute the scores text by text with the library that the model comes from."""
    torch, transformers = require("torch"), require("transformers")
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    bert = transformers.AutoModel.from_pretrained(folder).eval()

    def vectors(text: str) -> np.ndarray:
        inputs = tokenizer(text, truncation=True, max_length=512, return_tensors="pt")
        with torch.no_grad():
            states: np.ndarray = bert(**inputs).last_hidden_state[0, 1:-1].numpy()
        return states / np.linalg.norm(states, axis=1, keepdims=True)

    asked = vectors(QUESTION)
    return np.array([(asked @ vectors(text).T).max(axis=1).mean() for text in PASSAGES])


@pytest.mark.torch
@pytest.mark.parametrize(("precision", "tolerance"), [("float32", 1e-4), ("int8", 0.05)])
def test_a_score_is_the_mean_of_the_best_cosines_of_the_questions_tokens(
    model: Path, exported: Path, precision: str, tolerance: float
) -> None:
    scores = load_reranker(str(exported / precision)).score(QUESTION, PASSAGES)
    assert scores.dtype == np.float32
    np.testing.assert_allclose(scores, expected_scores(model), atol=tolerance)


@pytest.mark.torch
def test_a_passage_with_the_questions_own_words_scores_one(exported: Path) -> None:
    reranker = load_reranker(f"onnx:{exported / 'int8'}")
    scores = reranker.score("a client must report", ["a client must report", "the fund"])
    assert scores[0] == pytest.approx(1, abs=1e-5)
    assert scores[1] < 0.99


@pytest.mark.torch
def test_a_score_does_not_depend_on_the_passages_beside_it(exported: Path) -> None:
    reranker = load_reranker(str(exported / "int8"))
    together = reranker.score(QUESTION, PASSAGES)
    alone = [float(reranker.score(QUESTION, [passage])[0]) for passage in PASSAGES[:4]]
    np.testing.assert_allclose(together[:4], alone, atol=1e-5)
    assert reranker.score(QUESTION, []).shape == (0,)


@pytest.mark.torch
def test_endless_and_odd_texts_get_finite_scores_and_empty_ones_none(exported: Path) -> None:
    reranker = load_reranker(str(exported / "int8"))
    scores = reranker.score("risk capital " * 5000, ["", "\ud800", "规则 " * 900])
    assert np.isfinite(scores).all()
    assert scores[0] == 0
    assert reranker.score("", ["the fund"]).tolist() == [0]


@pytest.mark.torch
def test_a_tampered_file_is_refused_by_its_hash(exported: Path, tmp_path: Path) -> None:
    for path in (exported / "int8").iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    with (tmp_path / "model.onnx").open("ab") as file:
        file.write(b"!")
    with pytest.raises(ModelError, match=r"model\.onnx is not the file that reranker\.json lists"):
        load_reranker(str(tmp_path))


@pytest.mark.torch
def test_the_tokens_of_any_exported_encoder_can_be_compared(
    model: Path, exported: Path, tmp_path: Path
) -> None:
    from rirag.training.weights.export import export_encoder

    pooling = model / "1_Pooling"
    pooling.mkdir(exist_ok=True)
    (pooling / "config.json").write_text('{"pooling_mode_mean_tokens": true}')
    export_encoder(model, tmp_path / "encoder", "tiny")
    reranker = load_reranker(f"late-interaction:{tmp_path / 'encoder'}")
    assert reranker.name == f"late-interaction:{tmp_path / 'encoder'}"
    expected = load_reranker(str(exported / "int8")).score(QUESTION, PASSAGES)
    np.testing.assert_array_equal(reranker.score(QUESTION, PASSAGES), expected)


def test_an_encoder_that_ships_needs_no_folder() -> None:
    reranker = load_reranker("late-interaction:regulation-minilm-l6-int8")
    near, far = reranker.score(QUESTION, ["A client must report losses.", "The fee is 2,000 USD."])
    assert near > far


def test_an_encoder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"nope/encoder\.json cannot be read"):
        load_reranker(f"late-interaction:{tmp_path / 'nope'}")
