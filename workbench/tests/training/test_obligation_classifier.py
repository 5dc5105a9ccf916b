"""The obligation classifier: what is fitted, what is written, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from extras import require

from generation.statements.forces import DUTIES, kind_of
from rirag_workbench.evaluation.answers.repass import by_classifier
from rirag_workbench.training.fitted.obligations import export, fit, read_labelled
from search.errors import InputError
from search.models.classifiers import load_classifier
from search.models.encoders import DEFAULT_ENCODER, MODELS_FOLDER, load_encoder

THINGS = ["records", "accounts", "staff", "funds", "notices", "books", "loans", "bonds", "cards",
          "cash", "fees", "reports"]  # fmt: skip
DUTY = ("A Firm must keep {}.", "The Bank shall audit {}.", "An Insurer is required to file {}.",
        "Each Manager must review {}.", "A Broker shall disclose {}.")  # fmt: skip
OTHER = ("The Chapter is about {}.", "In 2020 there were many {}.", "Some firms like {}.",
         "The word {} is old.", "Here {} are listed.")  # fmt: skip


def labelled() -> list[tuple[str, bool]]:
    return [(text.format(thing), text in DUTY) for thing in THINGS for text in (*DUTY, *OTHER)]


def write(path: Path, records: list[object]) -> Path:
    path.write_text(json.dumps(records), encoding="utf-8")
    return path


@pytest.mark.torch
def test_duties_are_told_from_other_sentences_and_the_folder_says_the_same(tmp_path: Path) -> None:
    require("sklearn"), require("onnx"), require("tokenizers")
    encode = load_encoder(DEFAULT_ENCODER).encode_questions
    fitted = fit(labelled(), encode)
    assert fitted.classifier.accuracy > 0.9
    rules = np.mean([(kind_of(text) in DUTIES) == label for text, label in labelled()])
    assert fitted.rules.accuracy == pytest.approx(rules)
    export(fitted, MODELS_FOLDER / DEFAULT_ENCODER, tmp_path / "model")
    texts = ["A Firm must report at once.", "The Part is old.", "A Bank shall keep it."]
    here = encode(texts) @ fitted.weights + fitted.bias
    loaded = load_classifier(str(tmp_path / "model"))
    assert loaded.labels == ("other", "obligation")
    assert loaded.probabilities(texts)[:, 1] == pytest.approx(1 / (1 + np.exp(-here)), abs=0.02)
    assert by_classifier(loaded)(texts) == [True, False, True]


@pytest.mark.parametrize(
    "records",
    [
        [{"Text": "x", "Obligation": True}],
        [{"Text": "x", "Obligation": "yes"}],
        [{"Text": "x", "Obligation": True}, {"Text": "x", "Obligation": False}],
        [3],
    ],
    ids=["too few", "no label", "two labels", "no record"],
)
def test_what_cannot_be_learned_from_is_refused(tmp_path: Path, records: list[object]) -> None:
    with pytest.raises(InputError):
        read_labelled(write(tmp_path / "d.json", records))


def test_repeated_sentences_count_once(tmp_path: Path) -> None:
    records = [{"Text": text, "Obligation": label} for text, label in labelled()]
    assert read_labelled(write(tmp_path / "d.json", records * 2)) == labelled()
