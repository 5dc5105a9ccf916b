from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from search.errors import InputError, MissingDependencyError
from search.models.encoders import DEFAULT_ENCODER, MODELS_FOLDER, encoder_names, load_encoder


def test_the_default_encoder_ships_with_rirag() -> None:
    encoder = load_encoder(DEFAULT_ENCODER)
    assert DEFAULT_ENCODER in encoder_names()
    assert (encoder.name, encoder.dimension) == (DEFAULT_ENCODER, 384)


def test_a_shipped_model_has_its_licence_and_card_and_is_small() -> None:
    folder = MODELS_FOLDER / DEFAULT_ENCODER
    assert "Apache License" in (folder / "LICENSE").read_text()
    assert (folder / "MODEL_CARD.md").is_file()
    assert sum((folder / name).stat().st_size for name in ("model.onnx", "tokenizer.json")) < 35e6


def test_a_folder_with_a_card_is_an_encoder(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(MODELS_FOLDER / DEFAULT_ENCODER, folder)
    card = json.loads((folder / "encoder.json").read_text())
    (folder / "encoder.json").write_text(json.dumps({**card, "name": "mine"}))
    mine, shipped = load_encoder(str(folder)), load_encoder(DEFAULT_ENCODER)
    assert mine.name == str(folder.resolve())
    assert mine.revision != shipped.revision
    np.testing.assert_array_equal(
        mine.encode_questions(["capital"]), shipped.encode_questions(["capital"])
    )
    assert load_encoder(mine.name).revision == mine.revision


@pytest.mark.parametrize("name", ["word2vec", "", "openai:", "cohere:embed", "/nowhere"])
def test_an_unknown_name_is_refused_with_what_there_is(name: str) -> None:
    with pytest.raises(InputError, match=f"{encoder_names()[-1]}, sentence-transformers:MODEL"):
        load_encoder(name)


@pytest.mark.parametrize(
    ("name", "module", "extra"),
    [
        ("sentence-transformers:x", "sentence_transformers", "sentence-transformers"),
        ("flagembedding:x", "FlagEmbedding", "flagembedding"),
    ],
)
def test_a_missing_library_is_named_with_its_extra(
    monkeypatch: pytest.MonkeyPatch, name: str, module: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingDependencyError, match=rf"\[{extra}\]'$"):
        load_encoder(name)
