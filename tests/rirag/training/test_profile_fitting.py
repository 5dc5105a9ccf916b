"""Fitting finds the weights that synthetic questions were made for."""

from __future__ import annotations

import json

import pytest

from rirag.training.grid import is_validation
from rirag.training.legs import LegSample
from rirag.training.profile import fit_profile, quality_of
from search.errors import InputError


def sample(
    number: int, words: int, *, lexical: float, dense: float, document: float = 0.0,
    rivals_document: float = 0.0, lexical_rivals: int = 10, dense_rivals: int = 10,
) -> LegSample:  # fmt: skip
    """A question whose gold has given normalised scores.

    Some rivals have all of the lexical leg and nothing of the dense one, others the other way
    round: ten of a kind keep gold from the best ten wherever weights favour them.
    """
    wrong = [f"wrong{n}" for n in range(20)]
    lowest = {"lowest": 0.0}
    return LegSample(
        question_id=f"question {number}",
        words=words,
        relevant={"gold"},
        lexical={"gold": lexical, **dict.fromkeys(wrong[:lexical_rivals], 1.0), **lowest},
        dense={"gold": dense, **dict.fromkeys(wrong[-dense_rivals:], 1.0), **lowest},
        documents={"gold's": document, "rivals": rivals_document, "top": 1.0, "last": 0.0},
        document_of={"gold": "gold's", "lowest": "last", **dict.fromkeys(wrong, "rivals")},
    )


def short_and_long(count: int = 100) -> list[LegSample]:
    """Gold is found at α in (3/7, 2/3) for short, (1/3, 4/7) for long questions."""
    short = [sample(n, 3, lexical=0.8, dense=0.4) for n in range(count)]
    middle = [sample(n, 7, lexical=0.6, dense=0.6) for n in range(count)]
    long = [sample(n, 20, lexical=0.4, dense=0.8) for n in range(count)]
    return [*short, *middle, *long]


def test_weight_of_each_length_is_the_middle_of_its_optimum() -> None:
    profile = fit_profile(short_and_long(), document_weights=[0.0], boundaries=[(5, 10)])
    assert [(length.least, length.below) for length in profile.lengths] == [
        (1, 5), (5, 10), (10, None)
    ]  # fmt: skip
    assert [length.alpha for length in profile.lengths] == [0.55, 0.5, 0.45]
    for quality in (profile.training, profile.validation):
        assert quality.recall == pytest.approx(1.0)
        assert quality.average_precision == pytest.approx(1.0)


def test_document_weight_is_found() -> None:
    # At every α ten passages are at least .1 above gold; its document lifts it from w > 1/6.
    samples = [sample(n, 20, lexical=0.4, dense=0.4, document=0.5) for n in range(100)]
    profile = fit_profile(samples, boundaries=[()], document_weights=[0.0, 0.1, 0.15, 0.2])
    assert profile.document_weight == 0.2
    assert profile.lengths[0].alpha == 0.5


def test_division_that_does_not_gain_on_validation_is_not_taken() -> None:
    profile = fit_profile(short_and_long(), boundaries=[(5, 10), (), (5,), (5, 10, 15)])
    assert [length.least for length in profile.lengths] == [1, 5, 10]
    tried = dict(profile.divisions)
    assert set(tried) == {(5, 10), (), (5,)}  # no question has 10 to 14 words
    assert tried[()] <= tried[5, 10]


def test_division_that_gains_is_taken() -> None:
    longer = [sample(n, 30, lexical=0.5, dense=0.0, lexical_rivals=5) for n in range(100)]
    longest = [sample(n, 40, lexical=0.0, dense=0.5, dense_rivals=5) for n in range(100)]
    samples = [*short_and_long(), *longer, *longest]  # the last two need α > 2/3 and α < 1/3
    profile = fit_profile(samples, document_weights=[0.0], boundaries=[(5, 10), (5, 10, 35)])
    assert [length.least for length in profile.lengths] == [1, 5, 10, 35]
    assert profile.lengths[-1].alpha == pytest.approx(0.15)
    assert dict(profile.divisions)[5, 10, 35] > dict(profile.divisions)[5, 10] + 0.001


def test_rare_length_counts_as_much_as_a_common_one() -> None:
    # All short questions need the document's weight; 300 of the 1000 long ones suffer from it.
    short = [sample(n, 3, lexical=0.4, dense=0.4, document=0.5) for n in range(100)]
    long = [
        sample(n, 20, lexical=0.6, dense=0.6, rivals_document=1.0 if n % 10 < 3 else 0.0)
        for n in range(1000)
    ]
    weights = {"boundaries": [(10,)], "document_weights": [0.0, 0.2], "min_questions": 5}
    assert fit_profile([*short, *long], **weights).document_weight == 0.2
    assert fit_profile(long, boundaries=[()], document_weights=[0.0, 0.2]).document_weight == 0.0


def test_no_weight_is_fitted_on_validation_questions() -> None:
    samples = short_and_long()
    misleading = [
        sample(int(one.question_id.split()[1]), one.words, lexical=1.0, dense=0.1)
        if is_validation(one.question_id)
        else one
        for one in samples
    ]
    honest = fit_profile(samples, boundaries=[(5, 10)])
    misled = fit_profile(misleading, boundaries=[(5, 10)])
    assert [one.alpha for one in honest.lengths] == [one.alpha for one in misled.lengths]
    assert honest.training == misled.training
    assert misled.validation != honest.validation


def test_one_question_in_five_is_for_validation() -> None:
    assert [name for name in "abcdef" if is_validation(name)] == ["b", "d", "e"]
    fifth = sum(is_validation(f"question {n}") for n in range(5000))
    assert fifth == pytest.approx(1000, abs=100)


def test_grid_is_reported_for_every_pair_of_weights() -> None:
    profile = fit_profile(
        short_and_long(), alphas=[0.1, 0.5, 0.9], document_weights=[0.0, 0.1], boundaries=[(5, 10)]
    )
    assert len(profile.grid) == 3 * 3 * 2
    recall = {
        (point.least, point.alpha): point.quality.recall
        for point in profile.grid
        if point.document_weight == 0
    }
    assert recall[1, 0.1] == recall[1, 0.9] == 0.0
    assert recall[1, 0.5] == pytest.approx(1.0)


def test_report_reads_as_table_and_as_json() -> None:
    profile = fit_profile(short_and_long(), document_weights=[0.1], boundaries=[(5, 10)])
    rows = [line.split() for line in profile.to_table().split("\n")]
    assert [row[0] for row in rows[1:5]] == ["1-4", "5-9", "10+", "all"]
    assert rows[1][1:3] == ["0.55", "1.0000"]
    assert rows[-1] == ["document", "weight", "0.1"]
    form = json.loads(json.dumps(profile.to_json()))
    assert form["lengths"][0]["alpha"] == 0.55
    assert form["validation"]["recall"] == pytest.approx(1.0)


def test_quality_of_another_profile_can_be_compared() -> None:
    samples = short_and_long(10)
    assert quality_of(samples, lambda words: 0.5, 0.0).recall == 1.0
    fixed = quality_of(samples, lambda words: 0.6 if words < 5 else 0.3, 0.0)
    assert fixed.questions == 30
    assert fixed.recall == pytest.approx(1 / 3)  # 0.6 suits short ones, 0.3 suits none


def test_too_few_questions_are_refused() -> None:
    with pytest.raises(InputError, match="too few questions"):
        fit_profile(short_and_long(5))
    with pytest.raises(InputError, match="too few questions"):
        fit_profile([])
