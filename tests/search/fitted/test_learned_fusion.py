"""The learned step: its file, its scores, and what it says about them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hand_made_models import fitted_for, learned

from search.errors import ModelError
from search.ranking.learned.features import NAMES
from search.ranking.learned.learned_fusion import explained, final_scores, load_learned_fusion


def rows(**columns: list[float]) -> np.ndarray:
    table = np.zeros((len(next(iter(columns.values()))), len(NAMES)))
    for name, values in columns.items():
        table[:, NAMES.index(name)] = values
    return table


ROWS = rows(dense=[0.2, 0.9, 0.9], heading=[0, 0, 1])
"""The trees say -0.5 + (3 - 1), -0.5 + (3 + 1) and -0.5 + (-3 + 1)."""


def test_trees_order_the_candidates_and_mix_with_the_score_before() -> None:
    variant = learned("r", weight=0.75).variants[0]
    scores = final_scores(variant, ROWS, np.array([1.0, 0.6, 0.8]))
    assert scores.raw == pytest.approx([1.5, 3.5, -2.5])
    assert scores.normalised == pytest.approx([4 / 6, 1.0, 0.0])
    assert scores.rank.tolist() == [2, 1, 3]
    mixed = [1.0 / 4 + 0.5, 0.6 / 4 + 0.75, 0.8 / 4]
    assert scores.score == pytest.approx([one**0.5 for one in mixed])


def test_what_moved_a_candidate_adds_up_to_its_log_odds() -> None:
    variant = learned("r").variants[0]
    reasons = explained(variant, ROWS)
    assert reasons[1] == pytest.approx({"base": -0.5, "dense": 1.0, "heading": 3.0})
    raw = final_scores(variant, ROWS, np.zeros(3)).raw
    assert [sum(one.values()) for one in reasons] == pytest.approx(raw)


def test_a_model_is_read_as_it_was_written(tmp_path: Path) -> None:
    model = learned("rev-1", retrievers=frozenset({"memory"}))
    model.save(tmp_path / "model.json")
    again = load_learned_fusion(tmp_path / "model.json")
    assert again.fitted_for == model.fitted_for
    assert again.record == {"data": []}
    assert again.variant(frozenset()) is None
    variant = again.variant(frozenset({"memory"}))
    assert variant is not None
    assert variant.trees.output(ROWS) == pytest.approx(model.variants[0].trees.output(ROWS))


@pytest.mark.parametrize(
    ("old", "new"), [('"weight":1.0', '"weight":0.9'), ('"most_words":60', '"most_words":99')]
)
def test_an_altered_file_is_refused(tmp_path: Path, old: str, new: str) -> None:
    path = tmp_path / "model.json"
    learned("r").save(path)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(ModelError, match=r"model\.json was changed after it was fitted"):
        load_learned_fusion(path)


def test_a_file_of_other_features_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "model.json"
    learned("r").save(path)
    monkeypatch.setattr("search.ranking.learned.learned_fusion.NAMES", (*NAMES, "a new one"))
    with pytest.raises(ModelError, match="fitted on other features; fit it again"):
        load_learned_fusion(path)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "is not JSON"),
        ("[]", "does not contain"),
        (json.dumps({"form": "x"}), "does not contain"),
    ],
)
def test_what_is_no_model_is_refused(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "model.json"
    path.write_text(content)
    with pytest.raises(ModelError, match=said):
        load_learned_fusion(path)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot be read"):
        load_learned_fusion(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("revision", "words", "depth", "said"),
    [
        ("r", 10, 100, ""),
        ("other", 10, 100, "this index has revision other"),
        ("r", 4, 100, "questions of 5 to 40 words, but this one has 4"),
        ("r", 41, 100, "this one has 41"),
        ("r", 10, 50, "100 candidates per retriever, not 50"),
    ],
)
def test_a_model_says_where_it_does_not_hold(
    revision: str, words: int, depth: int, said: str
) -> None:
    objection = fitted_for("r", least=5, most=40).objection(revision, words, depth)
    assert said in objection
    assert bool(said) == bool(objection)


def test_a_model_holds_for_the_reranker_that_it_was_fitted_to() -> None:
    model = fitted_for("r").model_copy(update={"reranker": "one"})
    assert model.objection("r", 10, 100, "one") == ""
    assert model.objection("r", 10, 100) == "", "the step without a reranker holds as well"
    said = model.objection("r", 10, 100, "another")
    assert said == "it was fitted to the scores of one, but another is used"
    assert fitted_for("r").objection("r", 10, 100, "another") == "", "it does not say which"
