"""Fitting the learned step and the calibration on candidates whose truth is known."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from extras import require
from hand_made_models import learned, relevance

from rirag_workbench.training.data.held_out import FOLDS, fold_of
from rirag_workbench.training.fitted.candidate_samples import (
    CandidateSample,
    Origin,
    Retrievers,
    held_out_profile,
)
from rirag_workbench.training.fitted.learned_fusion import FEWEST_QUESTIONS, fit_learned_fusion
from rirag_workbench.training.fitted.models import FittedModels, unanswerable_questions
from rirag_workbench.training.fitted.relevance import (
    Question,
    balanced,
    fit_nearness,
    fit_relevance,
)
from rirag_workbench.training.fitted.trees import BoostingSettings, exported
from search.errors import InputError
from search.ranking.learned.features import NAMES
from search.ranking.learned.learned_fusion import load_learned_fusion
from search.ranking.learned.relevance import signals
from search.ranking.profile_file import load_profile

ENCODER = SimpleNamespace(name="/models/small", revision="abc", dimension=4)
ORIGIN = Origin(ENCODER)
PROFILE = load_profile("default")
QUICK = BoostingSettings(trees=20, least_in_leaf=5)


def sample(
    number: int, *, answerable: bool = True, words: int = 20
) -> dict[Retrievers, CandidateSample]:
    """Twelve candidates; what answers has a passage beside it, and the fused score says nothing."""
    random = np.random.default_rng(number)
    rows = np.zeros((12, len(NAMES)))
    right = number % 12 if answerable else 99
    answers = np.arange(12) == right
    columns = {
        "fused": np.linspace(0.9, 0.1, 12), "fused rank": np.arange(1, 13),
        "fused near": np.where(answers, 0.9, 0.3) + random.normal(scale=0.05, size=12),
        "cosine": np.where(answers, 0.8, 0.4) + random.normal(scale=0.05, size=12),
        "best cosine": np.full(12, 0.8 if answerable else 0.4),
        "lexical per term": np.full(12, 2.0), "words": np.full(12, words),
    }  # fmt: skip
    for name, values in columns.items():
        rows[:, NAMES.index(name)] = values
    one = CandidateSample(
        question_id=f"{answerable}-{number}", kind="question" if words > 9 else "keywords",
        words=words, rows=rows, before=np.linspace(0.9, 0.1, 12), answers=answers,
        total=int(answerable), document=f"D{number % 7}", answered_by=frozenset({f"p{right}"}),
    )  # fmt: skip
    return {frozenset(): one}


def samples(count: int, **rest: object) -> list[Mapping[Retrievers, CandidateSample]]:
    return [sample(number, **rest) for number in range(count)]  # type: ignore[arg-type]


@pytest.mark.torch
def test_trees_learn_what_the_fixed_weights_do_not_see(tmp_path: Path) -> None:
    require("sklearn")
    fit = fit_learned_fusion(samples(80), PROFILE, ORIGIN, settings=QUICK)
    model, (report,) = fit.model, fit.report
    found = report.parts["questions"]
    assert found.before.average_precision < 0.4
    assert found.after.average_precision > 0.9
    assert report.other_rulebooks["questions"].after.average_precision > 0.9
    assert (model.fitted_for.encoder, model.fitted_for.encoder_revision) == ("small", "abc")
    model.save(tmp_path / "model.json")
    assert load_learned_fusion(tmp_path / "model.json").record["questions"] == 80


def test_models_are_named_after_the_file_of_their_profile(tmp_path: Path) -> None:
    named = [
        FittedModels(learned(revision), (), relevance(revision)).save(
            PROFILE, tmp_path / f"{revision}.toml"
        )
        for revision in ("first", "second.2")
    ]
    assert [(one.learned, one.relevance) for one in named] == [
        ("first.learned.json", "first.relevance.json"),
        ("second.2.learned.json", "second.2.relevance.json"),
    ]
    trees = load_learned_fusion(tmp_path / "first.learned.json")
    assert trees.fitted_for.encoder_revision == "first"


@pytest.mark.torch
def test_of_one_rulebook_no_figures_of_other_rulebooks_are_told() -> None:
    require("sklearn")
    asked = [
        {retrievers: replace(one, document="D") for retrievers, one in made.items()}
        for made in samples(80)
    ]
    (variant,) = fit_learned_fusion(asked, PROFILE, ORIGIN, settings=QUICK).report
    assert variant.parts["questions"].after.average_precision > 0.9
    assert variant.other_rulebooks == {}


@pytest.mark.torch
def test_two_fits_to_the_same_questions_are_the_same() -> None:
    require("sklearn")
    first, second = (
        fit_learned_fusion(samples(60), PROFILE, ORIGIN, settings=QUICK).model for _ in range(2)
    )
    assert first.to_json() == second.to_json()


@pytest.mark.torch
def test_each_fold_has_trees_that_have_not_seen_its_questions(tmp_path: Path) -> None:
    require("sklearn")
    asked = samples(80)
    mistaken = [_mistaken(one) if fold_of(_question(one)) == 2 else one for one in asked]
    right = fit_learned_fusion(asked, PROFILE, ORIGIN, settings=QUICK)
    misled = fit_learned_fusion(mistaken, PROFILE, ORIGIN, settings=QUICK)
    same = [
        one.variants[0].trees.to_json() == other.variants[0].trees.to_json()
        for one, other in zip(right.held_out, misled.held_out, strict=True)
    ]
    assert same == [fold == 2 for fold in range(FOLDS)]
    assert {one.variants[0].weight for one in right.held_out} == {right.model.variants[0].weight}
    ask = held_out_profile(PROFILE, right.held_out, tmp_path)
    chosen = load_learned_fusion(Path(ask(_question(asked[7])).learned)).variants[0]
    fold = fold_of(_question(asked[7]))
    assert chosen.trees.to_json() == right.held_out[fold].variants[0].trees.to_json()
    assert held_out_profile(PROFILE, (), tmp_path)("any question") is PROFILE


def _question(sample: Mapping[Retrievers, CandidateSample]) -> str:
    return sample[frozenset()].question_id


def _mistaken(sample: Mapping[Retrievers, CandidateSample]) -> dict[Retrievers, CandidateSample]:
    """Return a sample of which the answer is another candidate."""
    one = sample[frozenset()]
    return {frozenset(): replace(one, answers=np.roll(one.answers, 3))}


@pytest.mark.torch
def test_lengths_at_which_the_step_loses_are_left_out() -> None:
    require("sklearn")
    short = []
    for number in range(40):
        one = sample(number, words=3)[frozenset()]
        # Short questions: the first candidate answers, whatever stands beside it.
        answers = np.arange(12) == 0
        short.append({frozenset(): replace(one, answers=answers)})
    fit = fit_learned_fusion([*samples(200), *short], PROFILE, ORIGIN, settings=QUICK)
    least = fit.model.variants[0].least_words
    assert least > 4


@pytest.mark.torch
def test_too_few_questions_are_refused() -> None:
    require("sklearn")
    with pytest.raises(InputError, match=f"needs {FEWEST_QUESTIONS} questions .* there are"):
        fit_learned_fusion(samples(20), PROFILE, ORIGIN)
    with pytest.raises(InputError, match="there are no questions"):
        fit_learned_fusion([], PROFILE, ORIGIN)


@pytest.mark.torch
def test_the_calibration_parts_questions_with_an_answer_from_others() -> None:
    require("sklearn")
    without = [("elsewhere", one) for one in samples(60, answerable=False)]
    model, report = fit_relevance(samples(80), without, without, PROFILE, ORIGIN)
    assert report.calibrations[0].auroc["elsewhere"] == 1.0
    calibration = model.calibration(frozenset())
    assert calibration is not None
    good = sample(200)[frozenset()]
    relevance = calibration.relevance(signals(good.rows))
    assert relevance[good.answers].min() > 0.5 > relevance[~good.answers].max()
    assert calibration.answerable(signals(good.rows)) > 0.9
    assert calibration.answerable(signals(sample(3, answerable=False)[frozenset()].rows)) < 0.1


def nearest(source: str, cosine: float) -> Question:
    one = sample(1)[frozenset()]
    rows = one.rows.copy()
    rows[:, NAMES.index("best cosine")] = cosine
    return Question(source, replace(one, rows=rows))


@pytest.mark.torch
def test_the_nearest_vector_parts_questions_with_an_answer_from_others() -> None:
    require("sklearn")
    asked = [nearest("answerable", 0.5 + one / 100) for one in range(40)]
    cooking = [nearest("cooking", 0.2 + one / 200) for one in range(40)]
    near = [nearest("tax", 0.7), nearest("tax", 0.1)]
    model, report = fit_nearness([*asked, *cooking], near)
    weight, *more = model.weights
    assert weight > 0
    assert more == []
    assert 0.3 < -model.intercept / weight < 0.6
    assert report.auroc == {"tax": pytest.approx((19.5 + 40) / 80)}
    assert report.declined == {"answerable": 0.0, "tax": 0.5}


@pytest.mark.torch
def test_a_calibration_needs_questions_of_both_sorts() -> None:
    require("sklearn")
    with pytest.raises(InputError, match="there are 80 and 0"):
        fit_relevance(samples(80), [], [], PROFILE, ORIGIN)


def test_every_length_is_half_answerable() -> None:
    words = [3] * 10 + [30] * 10
    sources = ["answerable"] * 8 + ["a"] * 2 + ["answerable"] * 2 + ["a"] * 4 + ["b"] * 4
    weights = balanced(words, sources)
    names = np.array(sources)
    for length in (3, 30):
        there = np.array(words) == length
        assert weights[there & (names == "answerable")].sum() == pytest.approx(5.0)
    assert weights[10:][names[10:] == "b"].sum() == pytest.approx(2.5)


def test_only_short_unanswerable_questions_get_keyword_versions(tmp_path: Path) -> None:
    path = tmp_path / "others.jsonl"
    path.write_text(
        '{"question_id": "a", "question": "How do I remove red wine from a carpet?"}\n'
        '{"question_id": "b", "question": "' + "Where does the wine come from? " * 6 + '"}\n'
    )
    found = unanswerable_questions(path)
    assert {one.question_id for one in found if one.kind == "keywords"} == {"a"}
    assert {one.question_id for one in found if one.kind == "question"} == {"a", "b"}
    assert not any(one.relevant for one in found)


DEPTH = 3


def grown(rows: np.ndarray, answers: np.ndarray, **settings: Any) -> Any:
    boosting = require("sklearn.ensemble").HistGradientBoostingClassifier
    return boosting(max_iter=25, max_depth=DEPTH, early_stopping=False, **settings).fit(
        rows, answers
    )


@pytest.fixture(scope="module")
def data() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(5)
    rows = random.random((600, 4))
    rows[:, 3] = np.round(rows[:, 3] * 3)
    noisy = rows[:, 0] + rows[:, 1] * rows[:, 2] + random.normal(scale=0.2, size=600)
    return rows, noisy > 0.8


@pytest.mark.torch
def test_the_trees_give_the_decision_function(data: tuple[np.ndarray, np.ndarray]) -> None:
    rows, answers = data
    model = grown(rows, answers)
    trees, bias = exported(model, range(4), DEPTH)
    assert bias + trees.output(rows) == pytest.approx(model.decision_function(rows), abs=1e-9)


@pytest.mark.torch
def test_features_are_found_in_the_whole_table(data: tuple[np.ndarray, np.ndarray]) -> None:
    rows, answers = data
    model = grown(rows, answers)
    wide = np.zeros((600, 9))
    wide[:, [7, 2, 0, 5]] = rows
    trees, bias = exported(model, [7, 2, 0, 5], DEPTH)
    assert bias + trees.output(wide) == pytest.approx(model.decision_function(rows), abs=1e-9)
    assert set(np.flatnonzero(trees.contributions(wide).any(axis=0))) <= {0, 2, 5, 7}


@pytest.mark.torch
def test_inner_nodes_hold_the_mean_of_what_passed_through(
    data: tuple[np.ndarray, np.ndarray],
) -> None:
    rows, answers = data
    trees, _ = exported(grown(rows, answers), range(4), DEPTH)
    assert trees.base == pytest.approx(trees.output(rows).mean(), abs=1e-9)


@pytest.mark.torch
def test_written_and_read_they_say_the_same(data: tuple[np.ndarray, np.ndarray]) -> None:
    rows, answers = data
    trees, _ = exported(grown(rows, answers), range(4), DEPTH)
    again = type(trees).from_json(json.loads(json.dumps(trees.to_json())), 4)
    assert again.output(rows).tolist() == trees.output(rows).tolist()
