from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from coded import coded

from search.errors import ModelError
from search.models.encoders.model_folder import (
    ENCODER_CARD,
    EncoderCard,
    ModelFolder,
    read_folder,
)
from search.models.encoders.onnx import OnnxEncoder

FILES = {"model.onnx": b"no model at all", "tokenizer.json": b"{}"}


def read(folder: Path) -> ModelFolder[EncoderCard]:
    return read_folder(folder, ENCODER_CARD, EncoderCard)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    write_card(tmp_path)
    return tmp_path


def write_card(folder: Path, **changes: Any) -> None:
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in FILES.items()}
    card = {"name": "a", "dimension": 4, "pooling": "mean", "max_tokens": 512, "sha256": digests}
    (folder / "encoder.json").write_text(json.dumps({**card, **changes}))


def test_the_revision_is_stable_and_names_all_three_files(folder: Path) -> None:
    first = read(folder).revision
    assert first == read(folder).revision
    assert len(first) == 16
    write_card(folder, max_tokens=256)
    assert read(folder).revision != first


@pytest.mark.parametrize("name", FILES)
def test_an_altered_file_is_refused_by_name(folder: Path, name: str) -> None:
    content = bytearray(FILES[name])
    content[0] ^= 1
    (folder / name).write_bytes(content)
    with pytest.raises(ModelError, match=f"{name} is not the file that encoder.json describes"):
        read(folder)


@pytest.mark.parametrize("name", FILES)
def test_a_cut_file_is_refused(folder: Path, name: str) -> None:
    (folder / name).write_bytes(FILES[name][:-1])
    with pytest.raises(ModelError, match="SHA-256 differs"):
        read(folder)


@pytest.mark.parametrize("name", [*FILES, "encoder.json"])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(ModelError, match=f"{name} cannot be read"):
        read(folder)


@pytest.mark.parametrize(
    ("changes", "field"),
    [({"dimension": "many"}, "dimension"), ({"pooling": "max"}, "pooling"), ({"x": 1}, "x")],
)
def test_a_wrong_card_is_refused_with_the_field(
    folder: Path, changes: dict[str, Any], field: str
) -> None:
    write_card(folder, **changes)
    with pytest.raises(ModelError, match=rf"encoder.json does not describe a model \({field}:"):
        read(folder)


@pytest.mark.parametrize("content", [b"{", b"", b"[]", b"\xff\xfe"])
def test_a_card_that_is_no_json_object_is_refused(folder: Path, content: bytes) -> None:
    (folder / "encoder.json").write_bytes(content)
    with pytest.raises(ModelError, match="does not describe a model"):
        read(folder)


def test_files_that_are_no_model_are_refused(folder: Path) -> None:
    with pytest.raises(ModelError, check=coded("model.unloadable")):
        OnnxEncoder(folder)
