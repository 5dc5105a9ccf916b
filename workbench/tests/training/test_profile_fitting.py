"""Fitting finds the weights that synthetic questions were made for, and writes a profile."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rirag_workbench.training.data.held_out import FOLDS, fold_of, is_validation
from rirag_workbench.training.figures import Gain
from rirag_workbench.training.profile.fit import OVERALL, FittedProfile, fit_profile
from rirag_workbench.training.profile.grid import Grid, Sample, Weights, importance_of
from rirag_workbench.training.profile.toml import profile_toml
from search.errors import InputError
from search.ranking.profile_file import PROFILES_FILE, load_profile, read_profiles
from search.ranking.profiles import AlphaStep, Profile

ALPHAS = np.round(np.arange(21) * 0.05, 2)
EVEN = load_profile("even")


def sample(
    number: int, words: int, *, lexical: float, dense: float, document: float = 0.0,
    rivals_document: float = 0.0, lexical_rivals: int = 10, dense_rivals: int = 10,
    vote: float = 0.0, kind: str = "question",
) -> Sample:  # fmt: skip
    """A question whose gold has given normalised scores.

    Some rivals have all of the lexical retriever and nothing of the dense one, others the other way
    round: ten of a kind keep gold from the best ten wherever weights favour them.
    """
    rivals, gold = np.arange(20), np.arange(21) == 20
    return Sample(
        question_id=f"question {number}", kind=kind, words=words,
        lexical=np.array([*(rivals < lexical_rivals), lexical], float),
        dense=np.array([*(rivals >= 20 - dense_rivals), dense], float),
        document=np.where(gold, document, rivals_document),
        memory=np.where(gold, vote, 0.0),
        heading=np.zeros(21, bool), answers=gold, total=1,
    )  # fmt: skip


def short_and_long(each: int = 100) -> list[Sample]:
    """Gold is found at α in (3/7, 2/3) for short, (1/3, 4/7) for long questions."""
    short = [sample(n, 3, lexical=0.8, dense=0.4) for n in range(each)]
    middle = [sample(n, 7, lexical=0.6, dense=0.6) for n in range(each)]
    long = [sample(n, 20, lexical=0.4, dense=0.8) for n in range(each)]
    return [*short, *middle, *long]


def fit(
    samples: Sequence[Sample], documents: Sequence[float] = (0.0,), memory: Sequence[float] = (0.0,)
) -> FittedProfile:
    weights = Weights(ALPHAS, np.array(documents), np.array(memory))
    return fit_profile(Grid.of(samples, weights, [EVEN, load_profile("lexical")]), "even")


def overall(fitted: FittedProfile) -> Gain:
    return fitted.parts[OVERALL]


def alphas(fitted: FittedProfile) -> list[tuple[int | None, float]]:
    return [(row.words, row.value) for row in fitted.rows]


def test_weight_of_each_length_is_the_middle_of_its_optimum() -> None:
    fitted = fit(short_and_long())
    assert alphas(fitted) == [(4, 0.55), (9, 0.5), (None, 0.45)]
    assert overall(fitted).after.recall == pytest.approx(1.0)
    assert overall(fitted).after.average_precision == pytest.approx(1.0)


def test_document_weight_is_found() -> None:
    # At every α ten passages are at least .1 above gold; its document lifts it from w > 1/6.
    samples = [sample(n, 20, lexical=0.4, dense=0.4, document=0.5) for n in range(100)]
    fitted = fit(samples, documents=[0.0, 0.1, 0.15, 0.2])
    assert fitted.document_weight == 0.2
    assert alphas(fitted) == [(None, 0.5)]


def test_votes_weight_is_found_where_questions_are_known() -> None:
    # Without votes gold has at most .4, its rivals .5; a vote of 1 lifts it from m > 1/11.
    samples = [sample(n, 20, lexical=0.4, dense=0.4, vote=1.0) for n in range(100)]
    fitted = fit(samples, memory=[0.0, 0.05, 0.2])
    assert fitted.votes_weight == 0.2
    profile = fitted.to_profile(load_profile("default"), "mine", "here")
    assert profile.votes_weight == 0.2


def test_votes_weight_stays_where_no_question_is_known() -> None:
    fitted = fit(short_and_long(), memory=[0.0, 0.2])
    assert fitted.votes_weight is None
    base = replace(load_profile("default"), votes_weight=0.123)
    assert fitted.to_profile(base, "mine", "here").votes_weight == 0.123


def test_rare_length_counts_as_much_as_a_common_one() -> None:
    # All short questions need the document's weight; 300 of the 1000 long ones suffer from it.
    short = [sample(n, 3, lexical=0.4, dense=0.4, document=0.5) for n in range(100)]
    long = [
        sample(n, 20, lexical=0.6, dense=0.6, rivals_document=1.0 if n % 10 < 3 else 0.0)
        for n in range(1000)
    ]
    assert fit([*short, *long], documents=[0.0, 0.2]).document_weight == 0.2
    assert fit(long, documents=[0.0, 0.2]).document_weight == 0.0


def test_questions_as_asked_count_as_much_as_all_that_were_made_of_them() -> None:
    asked = [
        sample(n, 20, lexical=0.6, dense=0.6, rivals_document=1.0 if n % 10 < 6 else 0.0)
        for n in range(100)
    ]
    made = [
        sample(n, 3, lexical=0.4, dense=0.4, kind="keywords", document=0.5 if n % 2 else 0.0)
        for n in range(300)
    ]
    # The made ones gain .5 of their half by the document weight, the asked ones lose .6 of theirs.
    assert fit([*asked, *made], documents=[0.0, 0.2]).document_weight == 0.0


def importance(asked: Sequence[int]) -> list[float]:
    """Return the shares of asked questions of given lengths."""
    shares = importance_of(np.array(asked), ["question"] * len(asked))
    return [round(float(share), 6) for share in shares]


def test_a_single_question_of_another_length_weighs_no_more_than_others() -> None:
    assert importance([9, *[20] * 99]) == [0.01] * 100
    assert importance([9, 3, 20]) == [0.333333] * 3


def test_lengths_of_enough_asked_questions_count_alike() -> None:
    assert importance([3] * 20 + [20] * 80) == [0.025] * 20 + [0.00625] * 80


def test_lengths_of_too_few_asked_questions_count_with_the_nearest_longer_one() -> None:
    found = importance([3] * 100 + [7] + [20] * 49)
    assert found == [0.005] * 100 + [0.01] * 50


def test_figures_come_from_questions_the_weights_were_not_fitted_to() -> None:
    # In one part gold is where no weight of the others finds it.
    samples = [
        sample(n, 20, lexical=1.0, dense=0.0, lexical_rivals=5)
        if fold_of(f"question {n}") == 0
        else sample(n, 20, lexical=0.0, dense=1.0, dense_rivals=5)
        for n in range(200)
    ]
    fitted = fit(samples)
    part = np.mean([fold_of(f"question {n}") == 0 for n in range(200)])
    assert overall(fitted).after.recall == pytest.approx(1 - part)


def test_parts_of_the_cross_validation_are_alike_and_independent_of_the_validation_fifth() -> None:
    folds = np.bincount([fold_of(f"question {n}") for n in range(5000)], minlength=FOLDS)
    assert folds == pytest.approx(np.full(FOLDS, 1000), abs=100)
    held_out = [f"question {n}" for n in range(5000) if is_validation(f"question {n}")]
    assert np.bincount([fold_of(one) for one in held_out]).min() > 150


def test_one_question_in_five_is_for_validation() -> None:
    assert [name for name in "abcdef" if is_validation(name)] == ["b", "d", "e"]
    fifth = sum(is_validation(f"question {n}") for n in range(5000))
    assert fifth == pytest.approx(1000, abs=100)


def test_report_reads_as_table_and_as_json() -> None:
    fitted = fit(short_and_long())
    rows = [line.split() for line in fitted.to_table().split("\n")]
    assert [row[:2] for row in rows[1:5]] == [
        ["1-4", "words"], ["5-9", "words"], ["10+", "words"], ["all,", "weighted"]
    ]  # fmt: skip
    assert "alpha            0.55 up to 4 words, 0.5 up to 9 words, 0.45 above" in fitted.to_table()
    form = json.loads(json.dumps(fitted.to_json()))
    assert form["rows"][0] == {"value": 0.55, "words": 4}
    assert form["parts"][OVERALL]["after"]["recall"] == pytest.approx(1.0)
    assert set(form["compared"]) == {"lexical"}


def test_quality_before_is_that_of_the_profile_named() -> None:
    fitted = fit(short_and_long(20))
    assert fitted.before == "even"
    for part in fitted.parts.values():
        assert part.before.recall == pytest.approx(1.0), "one half suits all of them"
    assert fitted.compared["lexical"].recall == 0.0
    assert overall(fitted).p_value == 1.0


def test_too_few_questions_are_refused() -> None:
    with pytest.raises(InputError, match="too few questions"):
        fit(short_and_long(5))
    with pytest.raises(InputError, match="too few questions"):
        fit([])


def test_few_questions_are_enough_for_one_weight() -> None:
    fitted = fit(short_and_long(8))
    assert [row.words for row in fitted.rows] == [None]


SMOOTH = replace(
    load_profile("even"),
    name="mine & ours",
    source='Fitted to "questions" \\ über\tall\x7f.',
    alpha=(AlphaStep(0.75, 2), AlphaStep(0.1, 30)),
    alpha_shape="smooth",
    encoder="e",
    encoder_revision="0f",
)


@pytest.mark.parametrize(
    "profile", [*read_profiles(PROFILES_FILE).values(), SMOOTH], ids=lambda one: one.name
)
def test_a_profile_survives_its_file(tmp_path: Path, profile: Profile) -> None:
    path = tmp_path / "written.toml"
    alone = replace(profile, learned="", relevance="", elsewhere="")
    path.write_text(profile_toml(alone), encoding="utf-8")
    assert load_profile(str(path)) == alone


def test_models_are_named_without_the_folder_they_share_with_the_file(tmp_path: Path) -> None:
    profile = replace(SMOOTH, learned=str(tmp_path / "trees.json"))
    assert 'learned = "trees.json"\n' in profile_toml(profile)
    path = tmp_path / "written.toml"
    path.write_text(profile_toml(profile), encoding="utf-8")
    assert load_profile(str(path)).learned == profile.learned
