"""The exported cross-encoder, against the model it was made from."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from extras import require
from tiny_models import save_bert

from search.errors import InputError, ModelError
from search.models.encoders import MODELS_FOLDER
from search.models.rerankers import load_reranker

QUESTION = "what must a client report?"
PASSAGES = ("a client must report", "the fund", "risk " * 900, "conflict of interest, record") * 5


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    require("onnx")
    return save_bert(tmp_path_factory.mktemp("model") / "bert", labels=1)


@pytest.fixture(scope="module")
def exported(model: Path) -> Path:
    from rirag_workbench.training.weights.export import export_reranker

    for precision in ("int8", "float32"):
        folder = model.parent / precision
        export_reranker(model, folder, "tiny", float32=precision == "float32")
    return model.parent


def logits(folder: Path) -> np.ndarray:
    torch, transformers = require("torch"), require("transformers")
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    inputs = tokenizer(
        [QUESTION] * len(PASSAGES), list(PASSAGES), padding=True, truncation="longest_first",
        max_length=512, return_tensors="pt",
    )  # fmt: skip
    with torch.no_grad():
        scores: np.ndarray = model(**inputs).logits[:, 0].numpy()
    return scores


@pytest.mark.torch
@pytest.mark.parametrize(("precision", "tolerance"), [("float32", 1e-4), ("int8", 0.5)])
def test_scores_are_the_logits_of_the_model_in_the_order_given(
    model: Path, exported: Path, precision: str, tolerance: float
) -> None:
    scores = load_reranker(str(exported / precision)).score(QUESTION, PASSAGES)
    assert scores.dtype == np.float32
    np.testing.assert_allclose(scores, logits(model), atol=tolerance)


@pytest.mark.torch
def test_two_products_of_its_weights_and_inputs_fit_sixteen_bits() -> None:
    """Processors without VNNI add them up in so many, and cut off what does not fit."""
    onnx = require("onnx")
    for name in ("regulation-minilm-l3-reranker-int8", "regulation-minilm-l3-judge-int8"):
        graph = onnx.load(MODELS_FOLDER / name / "model.onnx").graph
        weights = {one.name: onnx.numpy_helper.to_array(one) for one in graph.initializer}
        used = [one.input[1] for one in graph.node if one.op_type == "MatMulIntegerToFloat"]
        assert len(used) == 3 * 4
        assert max(2 * 255 * int(np.abs(weights[one]).max()) for one in used) < 2**15


@pytest.mark.torch
def test_question_and_passage_are_told_apart(exported: Path) -> None:
    """Without the second segment, turning the pair round would give nearly the same."""
    reranker = load_reranker(f"onnx:{exported / 'float32'}")
    there, back = reranker.score("fund", ["client"]), reranker.score("client", ["fund"])
    assert abs(float(there[0] - back[0])) > 1e-3


@pytest.mark.torch
def test_a_score_does_not_depend_on_the_passages_beside_it(exported: Path) -> None:
    reranker = load_reranker(str(exported / "int8"))
    together = reranker.score(QUESTION, PASSAGES)
    alone = [float(reranker.score(QUESTION, [passage])[0]) for passage in PASSAGES[:4]]
    np.testing.assert_allclose(together[:4], alone, atol=1e-5)
    assert reranker.score(QUESTION, []).shape == (0,)


@pytest.mark.torch
def test_endless_and_odd_texts_get_finite_scores(exported: Path) -> None:
    reranker = load_reranker(str(exported / "int8"))
    assert np.isfinite(reranker.score("risk capital " * 5000, ["", "\ud800", "规则 " * 900])).all()


@pytest.mark.torch
@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_tampered_file_is_refused_by_its_hash(exported: Path, tmp_path: Path, name: str) -> None:
    for path in (exported / "int8").iterdir():
        content = bytearray(path.read_bytes())
        if path.name == name:
            content[len(content) // 2] ^= 1
        (tmp_path / path.name).write_bytes(content)
    with pytest.raises(ModelError, match=f"{name} is not the file that reranker.json describes"):
        load_reranker(str(tmp_path))


def test_a_card_that_describes_no_model_is_refused(tmp_path: Path) -> None:
    (tmp_path / "reranker.json").write_text(json.dumps({"name": "x"}))
    with pytest.raises(ModelError, match="does not describe a model"):
        load_reranker(str(tmp_path))


def test_a_folder_without_a_card_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"reranker\.json cannot be read"):
        load_reranker(f"onnx:{tmp_path}")


@pytest.mark.torch
def test_a_classifier_with_several_outputs_is_not_exported(tmp_path: Path) -> None:
    require("onnx")
    from rirag_workbench.training.weights.export import export_reranker

    with pytest.raises(InputError, match="gives 3 scores per pair"):
        export_reranker(save_bert(tmp_path / "bert", labels=3), tmp_path / "out", "tiny")
