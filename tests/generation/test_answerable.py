"""Relevance in the score filter, and questions that nothing here answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hits import make_hits, with_scores

import generation
from generation.filter import FilterSettings, filter_hits
from search.errors import InputError
from search.records import Hit, RetrieverScore

BY_RELEVANCE = FilterSettings(score="relevance")


def with_relevance(relevance: Sequence[float | None]) -> list[Hit]:
    """Hits whose score says that all are good."""
    hits = with_scores([0.9] * len(relevance))
    return [replace(hit, relevance=one) for hit, one in zip(hits, relevance, strict=True)]


@pytest.mark.parametrize(
    ("relevance", "kept", "reason"),
    [
        ([0.9, 0.8, 0.75], 3, "All passages"),
        ([0.9, 0.65], 1, "the relevance drops from 0.900 to 0.650"),
        ([0.4], 0, "its relevance of 0.400 is below the minimum of 0.7"),
        ([None, None], 2, "All passages"),
    ],
)
def test_the_filter_can_go_by_relevance(
    relevance: list[float | None], kept: int, reason: str
) -> None:
    result = filter_hits(with_relevance(relevance), BY_RELEVANCE)
    assert len(result.kept) == kept
    assert reason in result.reason
    assert result.to_json()["score"] == "relevance"


def test_by_default_relevance_changes_nothing() -> None:
    assert len(filter_hits(with_relevance([0.1, 0.0])).kept) == 2


def test_a_question_without_an_answer_here_is_told_so_and_why() -> None:
    answer = generation.answer("How long to boil an egg?", with_scores([1.0]), answerable=0.042)
    assert answer.insufficient_evidence
    assert "no passage seems to answer this question (the probability is 0.04" in answer.text
    assert "1.1" in answer.text, "the nearest passages are named"
    assert answer.filter.to_json()["answerable"] == 0.042
    assert answer.filter.reason.startswith("No passage answers this question:")


@pytest.mark.parametrize("answerable", [None, 0.5, 1.0])
def test_other_questions_are_answered(answerable: float | None) -> None:
    answer = generation.answer("Who must pay?", with_scores([1.0]), answerable=answerable)
    assert not answer.insufficient_evidence
    assert answer.filter.answerable == answerable


def test_the_floor_of_probability_can_be_set() -> None:
    never = FilterSettings(min_answerable=0.0)
    assert filter_hits(with_scores([1.0]), never, answerable=0.0).kept
    strict = FilterSettings(min_answerable=0.6)
    assert filter_hits(with_scores([1.0]), strict, answerable=0.59).is_unanswerable


@pytest.mark.parametrize(
    ("question", "unsure"),
    [("How much may I earn from teaching?", True), ("How long to boil an egg?", False)],
)
def test_an_estimate_does_not_hide_passages_that_speak_of_the_subject(
    question: str, unsure: bool
) -> None:
    hits = make_hits("Teaching is limited to EUR 6,000 a year.")
    estimated = FilterSettings(nearest_share=0.3)
    result = filter_hits(hits, estimated, answerable=0.02, question=question)
    assert result.is_unsure is unsure
    assert not filter_hits(hits, answerable=0.02, question=question).read


def test_an_estimate_refuses_only_what_is_far_and_speaks_of_something_else() -> None:
    hits, estimated = make_hits("Teaching is limited."), FilterSettings(nearest_share=0.3)
    assert filter_hits(hits, estimated, answerable=0.03, question="An egg?").is_unsure
    assert not filter_hits(hits, estimated, answerable=0.029, question="An egg?").read
    assert not filter_hits(hits, answerable=0.03, question="An egg?").read, "of a calibration"


@pytest.mark.parametrize(
    ("question", "cosine", "state"),
    [
        ("An egg?", 0.2, "nothing"),
        ("An egg?", 0.4, "unsure"),
        ("Is teaching an egg?", 0.2, "unsure"),
    ],
)
def test_what_shares_neither_word_nor_meaning_is_not_quoted(
    question: str, cosine: float, state: str
) -> None:
    (hit,) = make_hits("Teaching is limited.")
    hit = replace(hit, scores=replace(hit.scores, dense=RetrieverScore(cosine, 1.0, 1)))
    settings = generation.AnswerSettings(filter=FilterSettings(nearest_share=0.3))
    found = generation.answer(question, [hit], settings=settings, answerable=0.05)
    assert found.state == state


@pytest.mark.parametrize("settings", [{"score": "luck"}, {"min_answerable": 1.5}])
def test_settings_out_of_range_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(InputError, match="must be"):
        FilterSettings(**settings)  # type: ignore[arg-type]


async def test_the_same_holds_without_blocking() -> None:
    answer = await generation.answer_async("An egg?", with_scores([1.0]), answerable=0.0)
    assert answer.insufficient_evidence
