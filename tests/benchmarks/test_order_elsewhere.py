"""Trees for other documents: grown over several rulebooks, measured on those left out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sample import record, write_lines

import indexer
import search
from benchmarks.order_elsewhere import EXPONENT, SETTINGS, USED, WEIGHT, asked, grown, held_out
from rirag_workbench.training.fitted.candidate_samples import CandidateSample
from search.ranking.learned.features import NAMES
from search.ranking.profile_file import load_profile

CANDIDATES = 20
FEW = replace(SETTINGS, trees=10)


def sample(number: int, act: str) -> CandidateSample:
    """Return candidates of which the one with the highest cosine answers, and stands last."""
    rows = np.random.default_rng(number).random((CANDIDATES, len(NAMES)))
    rows[:, NAMES.index("dense")] = np.linspace(0, 1, CANDIDATES)
    rows[:, NAMES.index("words")] = 8
    answers = np.zeros(CANDIDATES, bool)
    answers[-1] = True
    before = np.linspace(1, 0, CANDIDATES)
    name = f"{act}{number}"
    return CandidateSample(name, "question", 8, rows, before, answers, 1, act, frozenset({name}))


@pytest.fixture(scope="module")
def samples() -> list[tuple[str, CandidateSample]]:
    acts = [f"act {letter}" for letter in "ABCDEF"]
    return [("questions", sample(number, act)) for number in range(15) for act in acts]


@pytest.mark.torch
def test_what_holds_in_other_acts_is_learned(samples: list[tuple[str, CandidateSample]]) -> None:
    found = held_out(samples, FEW)
    (one,) = found.values()
    assert (one.questions, one.before.recall) == (len(samples), 0)
    assert one.after.recall == 1, "the trees of other acts know that the nearest vector answers"


@pytest.mark.torch
def test_the_step_looks_at_no_answered_question(samples: list[tuple[str, CandidateSample]]) -> None:
    variant = grown(samples, FEW)
    assert (variant.retrievers, variant.weight, variant.exponent) == (frozenset(), WEIGHT, EXPONENT)
    assert {NAMES[place] for place in variant.trees.looked_at} <= set(USED)
    assert not {"votes", "together share", "logit"} & set(USED)


def test_questions_are_asked_as_search_asks_them(tmp_path: Path) -> None:
    rules = [record(str(n), f"Report every broken widget of kind {n}.") for n in range(1, 5)]
    indexer.ingest([write_lines(tmp_path / "acts.jsonl", *rules)], tmp_path / "index")
    questions = write_lines(
        tmp_path / "questions.jsonl",
        {"question_id": "a", "question": "broken widget of kind 3", "relevant": ["id-3"]},
        {"question_id": "b", "question": "who reports?", "relevant": ["gone"]},
    )
    with search.open(tmp_path / "index") as index:
        ((name, found),) = asked(index, questions, load_profile("even"), None)
    assert (name, found.question_id, found.words) == ("questions", "a", 5)
    assert found.answers.sum() == 1
