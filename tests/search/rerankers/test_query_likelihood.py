"""A language model as a reranker: how likely it asks the question after each passage."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from extras import require
from tiny_models import save_language_model

from search.errors import MissingDependencyError, ModelError
from search.models.rerankers import load_reranker
from search.models.rerankers.packed_questions import Packed, in_batches
from search.models.rerankers.query_likelihood import BEFORE_PASSAGE, BEFORE_QUESTION, PASSAGE_TOKENS

QUESTION = "what must a client report?"
PASSAGES = ("a client must report", "the fund", "risk " * 900, "", "conflict of interest", "bank")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    require("sentence_transformers")
    return save_language_model(tmp_path_factory.mktemp("model") / "language")


def likelihood(folder: Path, question: str, passage: str) -> float:
    """Walk through the question token by token."""
    torch, transformers = require("torch"), require("transformers")
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.bfloat16).eval()

    def tokens(text: str) -> list[int]:
        return list(tokenizer(text, add_special_tokens=False)["input_ids"])

    read = tokens(BEFORE_PASSAGE + passage)[:PASSAGE_TOKENS] + tokens(BEFORE_QUESTION)
    said = []
    for token in tokens(f" {question}"):
        with torch.no_grad():
            said.append(model(torch.tensor([read])).logits[0, -1].float().log_softmax(-1)[token])
        read = [*read, token]
    return float(sum(said)) / len(said)


@pytest.mark.torch
def test_a_score_is_the_mean_log_probability_of_the_question(folder: Path) -> None:
    scores = load_reranker(f"query-likelihood:{folder}").score(QUESTION, PASSAGES)
    assert (scores.shape, scores.dtype) == ((len(PASSAGES),), np.float32)
    expected = [likelihood(folder, QUESTION, passage) for passage in PASSAGES]
    np.testing.assert_allclose(scores, expected, atol=0.05)  # bfloat16 has three digits
    assert len({round(float(score), 3) for score in scores}) == len(PASSAGES)


@pytest.mark.torch
def test_pairs_that_share_passages_score_as_one_by_one(folder: Path) -> None:
    questions = [QUESTION, "", "risk", *(f"what is a fund {'risk ' * n}?" for n in range(18))]
    pairs = [(one, passage) for one in questions for passage in (PASSAGES[0], PASSAGES[4])]
    pairs += [(QUESTION, passage) for passage in PASSAGES]
    scores = np.full(len(pairs), np.nan, np.float32)
    for places, some in load_reranker(f"query-likelihood:{folder}").score_pairs(pairs):
        assert np.isnan(scores[places]).all()
        scores[places] = some
    expected = [likelihood(folder, *pair) if pair[0] else 0.0 for pair in pairs]
    np.testing.assert_allclose(scores, expected, atol=0.05)


def test_questions_behind_one_passage_do_not_see_each_other() -> None:
    pack = Packed.of([7, 8, 9], [[1, 2], [3], [4, 5, 6]])
    assert pack.tokens == [7, 8, 9, 1, 2, 3, 4, 5, 6]
    assert pack.positions == [0, 1, 2, 3, 4, 3, 3, 4, 5]
    assert pack.parts == [0, 0, 0, 1, 1, 2, 3, 3, 3]
    assert pack.before() == [2, 3, 2, 2, 6, 7]


def test_sequences_of_like_length_are_computed_together() -> None:
    packs = [Packed.of([0] * length, [[1]]) for length in (9, 1, 8, 2, 39)]
    assert list(in_batches(packs, most=20)) == [[1, 3], [2, 0], [4]]


@pytest.mark.torch
def test_nothing_to_score_and_nothing_asked(folder: Path) -> None:
    reranker = load_reranker(f"query-likelihood:{folder}")
    assert reranker.score(QUESTION, []).shape == (0,)
    assert reranker.score("", PASSAGES[:2]).tolist() == [0.0, 0.0]


@pytest.mark.torch
def test_an_endless_question_is_cut(folder: Path) -> None:
    scores = load_reranker(f"query-likelihood:{folder}").score("risk capital " * 5000, PASSAGES[:2])
    assert np.isfinite(scores).all()


@pytest.mark.torch
def test_a_folder_that_holds_no_model_is_refused(tmp_path: Path) -> None:
    require("sentence_transformers")
    with pytest.raises(ModelError, match=r"query-likelihood:.* cannot be loaded"):
        load_reranker(f"query-likelihood:{tmp_path}")


def test_a_missing_library_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(
        MissingDependencyError, match=r"pip install 'rirag\[sentence-transformers\]'"
    ):
        load_reranker("query-likelihood:x")
