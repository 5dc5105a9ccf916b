"""The calibration of relevance: signals, probabilities, and its file."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hand_made_models import relevance

from search.errors import ModelError
from search.ranking.learned.features import NAMES
from search.ranking.learned.relevance import SHORT_WORDS, Logistic, load_relevance, signals


def table(**columns: list[float]) -> np.ndarray:
    rows = np.zeros((len(next(iter(columns.values()))), len(NAMES)))
    for name, values in columns.items():
        rows[:, NAMES.index(name.replace("_", " "))] = values
    return rows


def sigmoid(value: float) -> float:
    return 1 / (1 + math.exp(-value))


def test_relevance_is_the_logistic_function_of_the_weighted_signals() -> None:
    calibration = relevance("r").calibrations[0]
    rows = table(cosine=[0.8, 0.1], lexical_share=[1.0, 0.0], best_cosine=[0.8, 0.8])
    assert calibration.relevance(signals(rows)) == pytest.approx([sigmoid(1.2), sigmoid(-2.6)])
    assert calibration.answerable(signals(rows)) == pytest.approx(sigmoid(3.0))


def test_beyond_a_length_words_are_no_signal() -> None:
    words = [1.0, SHORT_WORDS, 30.0, 200.0]
    found = signals(table(words=words, cosine=[0.5] * 4))
    assert found["shortness"] == pytest.approx([math.log(SHORT_WORDS), 0, 0, 0])
    assert found["cosine if short"] == pytest.approx([0.5 * math.log(SHORT_WORDS), 0, 0, 0])


def test_extreme_signals_stay_probabilities() -> None:
    steep = Logistic(("cosine",), (1e6,), 0.0)
    found = steep.probability(signals(table(cosine=[-1.0, 1.0])))
    assert 0 <= found[0] < 1e-9
    assert 1 - 1e-9 < found[1] <= 1


def test_a_calibration_is_read_as_it_was_written(tmp_path: Path) -> None:
    model = relevance("rev-1", retrievers=frozenset({"rerank"}))
    model.save(tmp_path / "relevance.json")
    again = load_relevance(tmp_path / "relevance.json")
    assert again == model
    assert again.calibration(frozenset()) is None


def test_a_calibration_of_an_earlier_version_knows_nothing_of_the_nearest_vector(
    tmp_path: Path,
) -> None:
    earlier = replace(relevance("r"), nearness=None)
    earlier.save(tmp_path / "relevance.json")
    assert "nearness" not in (tmp_path / "relevance.json").read_text()
    assert load_relevance(tmp_path / "relevance.json") == earlier


def test_an_altered_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "relevance.json"
    relevance("r").save(path)
    path.write_text(path.read_text().replace("-5.0", "-4.0"))
    with pytest.raises(ModelError, match="was changed after it was fitted"):
        load_relevance(path)


@pytest.mark.parametrize(
    ("logistic", "said"),
    [
        (Logistic(("mood",), (1.0,), 0.0), "unknown signal 'mood'"),
        (Logistic(("cosine",), (math.inf,), 0.0), "a weight is not a number"),
    ],
)
def test_weights_that_mean_nothing_are_refused(logistic: Logistic, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Logistic.from_json(logistic.to_json())
