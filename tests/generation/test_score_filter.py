"""Which hits are good enough to answer from."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hits import make_hit, with_scores
from scripted_modes import ScriptedLLM

from generation import AnswerSettings, FilterSettings, answer, filter_hits
from search.errors import InputError
from search.trace import DOUBTFUL


@pytest.mark.parametrize(
    ("scores", "kept", "reason"),
    [
        ([], 0, "No passage with text"),
        ([0.95, 0.9, 0.85], 3, "All passages"),
        ([0.69], 0, "below the minimum"),
        ([0.7], 1, "All passages"),
        ([0.9, 0.7], 2, "All passages"),
        ([1.0, 0.8], 2, "All passages"),
        ([1.0, 0.79], 1, "drops from 1.000 to 0.790"),
        ([1.0, 0.79, 0.78], 1, "before rank 2"),
        ([0.9, 0.71, 0.69, 0.68], 2, "before rank 3"),
        ([0.75, 0.5], 1, "drops"),
        ([0.75, 0.6], 1, "below the minimum"),
        ([0.8] * 12, 10, "10 passages, the maximum"),
        ([0.8] * 10, 10, "All passages"),
        ([0.72, 0.99], 2, "All passages"),
        ([math.nan], 0, "below the minimum"),
    ],
)
def test_walk_stops_where_the_paper_says(scores: list[float], kept: int, reason: str) -> None:
    result = filter_hits(with_scores(scores))
    assert [hit.score for hit in result.kept] == scores[:kept]
    assert reason in result.reason


def test_borders_hold_against_floating_point_noise() -> None:
    assert 0.9 - 0.7 > 0.2  # what a naive comparison would call too large a drop
    assert len(filter_hits(with_scores([0.9, 0.7])).kept) == 2
    floor = float(np.float32(0.7)) - 6e-8
    assert floor < 0.7
    assert len(filter_hits(with_scores([floor])).kept) == 1
    assert len(filter_hits(with_scores([0.69999])).kept) == 0


def test_all_three_numbers_can_be_set() -> None:
    scores = [0.9, 0.6, 0.5, 0.45]
    loose = FilterSettings(max_passages=3, max_drop=0.3, min_score=0.4)
    assert len(filter_hits(with_scores(scores), loose).kept) == 3
    assert len(filter_hits(with_scores(scores), FilterSettings(max_drop=1, min_score=0)).kept) == 4


def test_hits_without_text_neither_count_nor_break_the_walk() -> None:
    heading = make_hit(" \n", "8.3", 1.0, 1)
    rules = [make_hit("A Person must pay.", f"8.3.{n}", 0.75, n) for n in range(2, 12)]
    result = filter_hits([heading, *rules])
    assert list(result.kept) == rules


@pytest.mark.parametrize(
    "numbers",
    [{"max_passages": 0}, {"max_drop": -0.1}, {"max_drop": math.nan}, {"min_score": 1.1}],
)
def test_impossible_numbers_are_refused_by_name(numbers: dict[str, float]) -> None:
    with pytest.raises(InputError, match=next(iter(numbers))):
        FilterSettings(**numbers)  # type: ignore[arg-type]


def test_result_says_how_it_came_about() -> None:
    assert filter_hits(with_scores([0.9, 0.6])).to_json() == {
        "max_passages": 10,
        "max_drop": 0.2,
        "min_score": 0.7,
        "score": "score",
        "min_answerable": DOUBTFUL,
        "margin": 5.0,
        "answerable": None,
        "considered": 2,
        "kept": 1,
        "found": ["3/1.1", "3/1.2"],
        "reason": "Stopped before rank 2: the score drops from 0.900 to 0.600, by more than 0.2.",
    }


FIVE_YEARS = "An Authorised Person must keep records of each transaction for five years."
SIX_YEARS = "Records of transactions with retail clients must be kept for six years."
FEES = "The annual fee of a Trust Company is due in January."


@pytest.mark.parametrize("mode", ["rag", "advisor"])
@pytest.mark.parametrize(("margin", "read"), [(5.0, 2), (0, 1)])
def test_a_model_also_reads_what_may_answer_behind_the_drop(
    mode: str, margin: float, read: int
) -> None:
    texts, scores = (FIVE_YEARS, SIX_YEARS, FEES), (0.95, 0.4, 0.3)
    hits = [
        make_hit(text, f"1.{rank}", score, rank)
        for rank, (text, score) in enumerate(zip(texts, scores, strict=True), start=1)
    ]
    llm = ScriptedLLM(lambda _: "Five years [1].")
    settings = AnswerSettings(filter=FilterSettings(margin=margin))
    made = answer("How long must records be kept?", hits, mode=mode, llm=llm, settings=settings)
    prompt = llm.asked[-1].messages[1].content
    assert [text in prompt for text in texts] == [True, read == 2, False]
    assert [hit.rank for hit in made.filter.read] == list(range(1, read + 1))


def test_mode_extractive_reads_no_further_without_a_margin() -> None:
    hits = [make_hit(FEES, "1.1", 0.95, 1), make_hit(FIVE_YEARS, "1.2", 0.4, 2)]
    question = "How long must records of a transaction of an Authorised Person be kept?"
    quoted = {
        margin: FIVE_YEARS in answer(
            question, hits, settings=AnswerSettings(filter=FilterSettings(margin=margin))
        ).text
        for margin in (5.0, 0)
    }  # fmt: skip
    assert quoted == {5.0: True, 0: False}
