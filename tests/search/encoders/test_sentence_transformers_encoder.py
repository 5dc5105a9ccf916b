from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from extras import require
from tiny_models import HIDDEN, save_bert

from search.errors import ModelError
from search.models.encoders import load_encoder

pytestmark = pytest.mark.torch

TEXTS = ("a client must report", "the fund", "risk " * 900, "conflict of interest, capital")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    require("sentence_transformers")
    return save_bert(tmp_path_factory.mktemp("bert"))


def save_with_prompts(folder: Path, target: Path, prompts: dict[str, str]) -> Path:
    library = require("sentence_transformers")
    model = library.SentenceTransformer(str(folder), prompts=prompts, device="cpu")
    model.save(str(target), create_model_card=False)
    return target


def test_vectors_are_those_of_the_library(folder: Path) -> None:
    encoder = load_encoder(f"sentence-transformers:{folder}")
    library = require("sentence_transformers").SentenceTransformer(str(folder), device="cpu")
    expected = library.encode(list(TEXTS), normalize_embeddings=True)
    encoded = encoder.encode_passages(TEXTS)
    assert encoder.dimension == HIDDEN
    assert encoded.vectors.dtype == np.float32
    np.testing.assert_allclose(encoded.vectors, expected, atol=1e-5)
    np.testing.assert_allclose(encoder.encode_questions(TEXTS), expected, atol=1e-5)


def test_passages_over_the_limit_are_flagged(folder: Path) -> None:
    encoder = load_encoder(f"sentence-transformers:{folder}")
    texts = ["risk " * 510, "risk " * 511]
    encoded = encoder.encode_passages(texts)
    assert encoded.truncated == (False, True)
    np.testing.assert_allclose(encoded.vectors[0], encoded.vectors[1], atol=1e-5)


def test_prompts_of_the_model_go_in_front(folder: Path, tmp_path: Path) -> None:
    prompts = {"query": "what is ", "document": "the rule "}
    prompted = load_encoder(f"sentence-transformers:{save_with_prompts(folder, tmp_path, prompts)}")
    plain = load_encoder(f"sentence-transformers:{folder}")
    expected = plain.encode_questions(["what is capital", "the rule capital"])
    np.testing.assert_allclose(prompted.encode_questions(["capital"])[0], expected[0], atol=1e-5)
    passages = prompted.encode_passages(["capital", "risk " * 509])
    np.testing.assert_allclose(passages.vectors[0], expected[1], atol=1e-5)
    assert passages.truncated == (False, True)  # the prompt takes two of the 510


def test_the_revision_follows_weights_and_prompts(folder: Path, tmp_path: Path) -> None:
    first = load_encoder(f"sentence-transformers:{folder}")
    again = load_encoder(f"sentence-transformers:{folder}")
    other = load_encoder(f"sentence-transformers:{save_bert(tmp_path / 'other', seed=1)}")
    prompted = save_with_prompts(folder, tmp_path / "prompted", {"query": "what is "})
    assert first.revision == again.revision
    assert first.revision != other.revision
    assert first.revision != load_encoder(f"sentence-transformers:{prompted}").revision


def test_no_texts_give_no_vectors(folder: Path) -> None:
    encoder = load_encoder(f"sentence-transformers:{folder}")
    assert encoder.encode_questions([]).shape == (0, HIDDEN)
    assert encoder.encode_passages([]).truncated == ()


def test_a_folder_that_holds_no_model_is_refused(tmp_path: Path) -> None:
    require("sentence_transformers")
    with pytest.raises(ModelError, match=r"sentence-transformers:.* cannot be loaded"):
        load_encoder(f"sentence-transformers:{tmp_path}")
