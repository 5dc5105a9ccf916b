from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from extras import require
from tiny_models import HIDDEN, save_bert

from search.errors import ModelError
from search.models.encoders import load_encoder
from search.models.flag_embedding import FlagEmbeddingEncoder

pytestmark = pytest.mark.torch

TEXTS = ("a client must report", "the fund", "risk " * 900, "conflict of interest, capital")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    require("FlagEmbedding")
    return save_bert(tmp_path_factory.mktemp("bge-small-en-tiny") / "bge-small-en-tiny")


def first_token_vectors(folder: Path, texts: tuple[str, ...]) -> np.ndarray:
    torch, transformers = require("torch"), require("transformers")
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder).eval()
    inputs = tokenizer(
        list(texts), padding=True, truncation=True, max_length=512, return_tensors="pt"
    )
    with torch.no_grad():
        states = model(**inputs).last_hidden_state[:, 0]
    vectors: np.ndarray = torch.nn.functional.normalize(states).numpy()
    return vectors


def test_passage_vectors_are_the_first_tokens_of_the_model(folder: Path) -> None:
    encoder = load_encoder(f"flagembedding:{folder}")
    encoded = encoder.encode_passages(TEXTS)
    assert encoder.dimension == HIDDEN
    assert encoded.truncated == (False, False, True, False)
    np.testing.assert_allclose(encoded.vectors, first_token_vectors(folder, TEXTS), atol=1e-5)


def test_questions_get_the_instruction_of_the_model_family(folder: Path) -> None:
    instruction = "Represent this sentence for searching relevant passages: "
    expected = first_token_vectors(folder, (f"{instruction}what is capital?",))
    found = load_encoder(f"flagembedding:{folder}").encode_questions(["what is capital?"])
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_the_folder_decides_instruction_and_pooling(folder: Path, tmp_path: Path) -> None:
    mine = save_bert(tmp_path / "mine")
    plain = load_encoder(f"flagembedding:{mine}")
    (mine / "config_sentence_transformers.json").write_text('{"prompts": {"query": "the "}}')
    prompted = load_encoder(f"flagembedding:{mine}")
    np.testing.assert_allclose(
        prompted.encode_questions(["fund"]), plain.encode_questions(["the fund"]), atol=1e-5
    )
    (mine / "1_Pooling").mkdir()
    (mine / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_mean_tokens": True}))
    mean = load_encoder(f"flagembedding:{mine}")
    assert not np.allclose(
        mean.encode_passages(TEXTS).vectors, plain.encode_passages(TEXTS).vectors, atol=1e-2
    )
    assert len({plain.revision, prompted.revision, mean.revision}) == 3


def test_bge_m3_gives_its_dense_vectors(tmp_path: Path) -> None:
    require("FlagEmbedding")
    torch = require("torch")
    folder = save_bert(tmp_path / "tiny-bge-m3")
    torch.save(torch.nn.Linear(HIDDEN, HIDDEN).state_dict(), folder / "colbert_linear.pt")
    torch.save(torch.nn.Linear(HIDDEN, 1).state_dict(), folder / "sparse_linear.pt")
    encoder = FlagEmbeddingEncoder(str(folder))
    assert type(encoder._model).__name__ == "M3Embedder"
    expected = first_token_vectors(folder, TEXTS)
    np.testing.assert_allclose(encoder.encode_passages(TEXTS).vectors, expected, atol=1e-5)
    np.testing.assert_allclose(encoder.encode_questions(TEXTS), expected, atol=1e-5)


def test_no_texts_give_no_vectors(folder: Path) -> None:
    encoder = load_encoder(f"flagembedding:{folder}")
    assert encoder.encode_questions([]).shape == (0, HIDDEN)
    assert encoder.encode_passages([]).truncated == ()


def test_no_progress_bar_is_drawn(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    encoder = load_encoder(f"flagembedding:{folder}")
    encoder.encode_passages(["the fund"] * 400)
    encoder.encode_questions(["the fund"] * 100)
    assert capfd.readouterr().err == ""


def test_a_folder_that_holds_no_model_is_refused(tmp_path: Path) -> None:
    require("FlagEmbedding")
    with pytest.raises(ModelError, match=r"flagembedding:.* cannot be loaded"):
        load_encoder(f"flagembedding:{tmp_path}")
