"""A FlagEmbedding that cannot be imported, as beside a transformers that is newer than it knows."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from search.errors import ModelError
from search.models.encoders import load_encoder
from search.models.rerankers import load_reranker


@pytest.mark.parametrize("load", [load_encoder, load_reranker], ids=["encoder", "reranker"])
def test_it_is_told_in_a_sentence(
    load: Callable[[str], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "FlagEmbedding"
    package.mkdir()
    (package / "__init__.py").write_text("from transformers.gone import AttentionMask\n", "utf-8")
    for name in [name for name in sys.modules if name.partition(".")[0] == "FlagEmbedding"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModelError, match=r"^The (en|rer)\w+ flagembedding:bge cannot be loaded: "):
        load("flagembedding:bge")
