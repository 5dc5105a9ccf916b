"""Calibration measured on predictions whose truth is known."""

from __future__ import annotations

import numpy as np
import pytest

from rirag_workbench.training.fitted.relevance_report import (
    Judged,
    NearnessReport,
    RelevanceReport,
    auroc,
    calibration_error,
    reliability,
    report_of,
)

NEARNESS = NearnessReport({"far": 0.9}, {"answerable": 0.01, "far": 0.75})


def test_auroc_is_the_share_of_pairs_in_the_right_order() -> None:
    assert auroc([0.9, 0.8], [0.1, 0.2]) == 1.0
    assert auroc([0.9, 0.1], [0.5]) == 0.5
    assert auroc([0.5], [0.5, 0.1]) == 0.75


def test_predictions_that_come_true_as_often_as_said_have_no_error() -> None:
    predicted = np.repeat([0.25, 0.75], 100)
    true = np.concatenate([np.arange(100) < 25, np.arange(100) < 75])
    bins = reliability(predicted, true, np.ones(200))
    assert [(one.predicted, one.observed, one.weight) for one in bins] == [
        pytest.approx((0.25, 0.25, 0.5)), pytest.approx((0.75, 0.75, 0.5)),
    ]  # fmt: skip
    assert calibration_error(bins) == pytest.approx(0.0)


def test_overconfidence_is_counted_by_its_distance_and_weight() -> None:
    bins = reliability([0.95, 0.95, 0.05], [True, False, False], np.array([1.0, 1.0, 2.0]))
    assert calibration_error(bins) == pytest.approx(0.5 * 0.45 + 0.5 * 0.05)


def test_a_certain_prediction_is_in_the_last_bin() -> None:
    assert reliability([1.0], [True], np.ones(1))[0].predicted == 1.0


def judged(source: str, answerable: float, words: int = 20) -> Judged:
    found = source == "answerable"
    return Judged(source, "question", words, answerable, np.array([answerable, 0.0]),
                  np.array([found, False]))  # fmt: skip


def test_every_source_of_unanswerable_questions_counts_alike() -> None:
    report = report_of(
        (),
        [judged("answerable", 0.8), judged("answerable", 0.4, words=3)]
        + [judged("far", 0.1)] * 8 + [judged("near", 0.6, words=3)],
    )  # fmt: skip
    assert report.auroc == {"far": 1.0, "near": 0.5, "all": 0.75}
    assert report.auroc_short == 0.0
    said = {one.predicted: (one.observed, one.weight) for one in report.bins_answerable}
    assert said[0.1] == (0.0, pytest.approx(0.25))
    assert said[0.8] == (1.0, pytest.approx(0.25))


def test_the_table_tells_how_questions_part_where_others_were_held_out() -> None:
    report = report_of((), [judged("answerable", 0.8), judged("far", 0.1)])
    rows = [line.split() for line in RelevanceReport((report,), NEARNESS).to_table().splitlines()]
    assert rows[1] == ["lexical", "+", "dense", "1.0000", "1.0000", "-", "0.1500", "0.0750"]
    assert rows[4:] == [["answerable", "-", "1.0%"], ["far", "0.9000", "75.0%"]]
    alone = report_of((), [judged("answerable", 0.8)])
    assert alone.auroc == {}
