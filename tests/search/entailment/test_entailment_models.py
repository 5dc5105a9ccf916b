"""Entailment models: loaded by name, their labels in one order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from coded import coded
from tiny_models import save_bert

from search.errors import InputError, ModelError
from search.models.classifiers import LABELS, label_columns, load_entailment

PAIRS = [("A Person must pay.", "Somebody pays."), ("No.", "Yes, whatever the rules say of it.")]


def test_labels_are_found_in_whatever_order_a_model_has_them() -> None:
    names = ("CONTRADICTION", "entailment", "neutral")
    assert label_columns(names, "m") == [1, 2, 0]


def test_model_without_the_three_labels_is_refused() -> None:
    with pytest.raises(ModelError, match="m has the labels LABEL_0; an entailment model has "):
        label_columns(("LABEL_0",), "m")


def test_name_is_needed() -> None:
    with pytest.raises(InputError, check=coded("model.unknown")):
        load_entailment("sentence-transformers:")


@pytest.mark.torch
def test_probabilities_add_up_and_do_not_depend_on_the_batch(tmp_path: Path) -> None:
    from transformers import AutoModelForSequenceClassification

    folder = save_bert(tmp_path / "nli", labels=3)
    model = AutoModelForSequenceClassification.from_pretrained(folder)
    model.config.id2label = dict(enumerate(LABELS))
    model.save_pretrained(folder)
    loaded = load_entailment(str(folder))
    assert loaded.name == f"sentence-transformers:{folder}"
    found = loaded.probabilities(PAIRS)
    assert found.shape == (2, 3)
    np.testing.assert_allclose(found.sum(axis=1), 1, rtol=1e-5)
    np.testing.assert_allclose(loaded.probabilities(PAIRS[1:])[0], found[1], atol=1e-5)
    assert loaded.probabilities([]).shape == (0, 3)


@pytest.mark.torch
def test_a_model_that_is_nowhere_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("search.models.classifiers._is_reachable", lambda _: False)
    with pytest.raises(ModelError, match="not on this machine", check=coded("model.unloadable")):
        load_entailment("nobody/no-such-model")


@pytest.mark.torch
def test_folder_that_is_no_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, check=coded("model.unloadable")):
        load_entailment(str(tmp_path))
    with pytest.raises(ModelError, check=coded("model.unsuitable")):
        load_entailment(str(save_bert(tmp_path / "ranker", labels=1)))
