from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from coded import coded
from extras import require
from tiny_models import save_bert

from search.errors import InputError, MissingDependencyError, ModelError
from search.models.rerankers import load_reranker

LIBRARIES = {"sentence-transformers": "sentence_transformers", "flagembedding": "FlagEmbedding"}
QUESTION = "what must a client report?"
PASSAGES = ("a client must report", "the fund", "risk " * 900, "conflict of interest") * 20

with_each_library = pytest.mark.parametrize("prefix", LIBRARIES)


def saved(prefix: str, folder: Path, labels: int = 1) -> str:
    require(LIBRARIES[prefix])
    return f"{prefix}:{save_bert(folder / 'model', labels=labels)}"


def logits(folder: Path, question: str, passages: tuple[str, ...]) -> np.ndarray:
    torch, transformers = require("torch"), require("transformers")
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    inputs = tokenizer(
        [question] * len(passages), list(passages), padding=True, truncation="longest_first",
        max_length=512, return_tensors="pt",
    )  # fmt: skip
    with torch.no_grad():
        scores: np.ndarray = model(**inputs).logits[:, 0].numpy()
    return scores


@pytest.mark.torch
@with_each_library
def test_scores_are_the_logits_of_the_model_in_the_order_given(prefix: str, tmp_path: Path) -> None:
    reranker = load_reranker(saved(prefix, tmp_path))
    scores = reranker.score(QUESTION, PASSAGES)
    assert (scores.shape, scores.dtype) == ((len(PASSAGES),), np.float32)
    expected = logits(tmp_path / "model", QUESTION, PASSAGES)
    np.testing.assert_allclose(scores, expected, atol=1e-4)


@pytest.mark.torch
@with_each_library
def test_one_passage_and_none_are_scored_as_well(prefix: str, tmp_path: Path) -> None:
    reranker = load_reranker(saved(prefix, tmp_path))
    all_scores = reranker.score(QUESTION, PASSAGES[:4])
    np.testing.assert_allclose(reranker.score(QUESTION, PASSAGES[:1]), all_scores[:1], atol=1e-4)
    assert reranker.score(QUESTION, []).shape == (0,)


@pytest.mark.torch
@with_each_library
def test_an_endless_question_is_cut(prefix: str, tmp_path: Path) -> None:
    reranker = load_reranker(saved(prefix, tmp_path))
    scores = reranker.score("risk capital " * 5000, PASSAGES[:4])
    assert np.isfinite(scores).all()


@pytest.mark.torch
@with_each_library
def test_no_progress_bar_is_drawn(
    prefix: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    name = saved(prefix, tmp_path)
    capfd.readouterr()
    load_reranker(name).score(QUESTION, PASSAGES * 3)
    assert capfd.readouterr().err == ""


@pytest.mark.torch
@with_each_library
def test_a_classifier_with_several_outputs_is_no_reranker(prefix: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError, check=coded("model.unsuitable")):
        load_reranker(saved(prefix, tmp_path, labels=3))


@pytest.mark.torch
@with_each_library
def test_a_folder_that_holds_no_model_is_refused(prefix: str, tmp_path: Path) -> None:
    require(LIBRARIES[prefix])
    with pytest.raises(ModelError, match=f"{prefix}:.* cannot be loaded"):
        load_reranker(f"{prefix}:{tmp_path}")


@pytest.mark.parametrize("name", ["bge", "", "sentence-transformers:", "cohere:rerank"])
def test_an_unknown_name_is_refused_with_what_there_is(name: str) -> None:
    with pytest.raises(InputError, match="sentence-transformers:MODEL, flagembedding:MODEL"):
        load_reranker(name)


@with_each_library
def test_a_missing_library_is_named_with_its_extra(
    prefix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, LIBRARIES[prefix], None)
    with pytest.raises(MissingDependencyError, match=rf"\[{prefix}\]'$"):
        load_reranker(f"{prefix}:x")
