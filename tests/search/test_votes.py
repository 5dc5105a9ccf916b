"""Votes of answered questions by hand: who is similar, who votes, what a vote adds to a score."""

from __future__ import annotations

from dataclasses import replace

import pytest
from candidates_by_name import by_name, candidate, name_of, retriever
from hypothesis import given
from hypothesis import strategies as st

from search.answered_questions.questions import AnsweredQuestion, folded
from search.answered_questions.retriever import (
    WORDS_SHARE,
    Neighbour,
    floor_for,
    similarities,
    votes,
)
from search.candidates import Candidates
from search.engines.protocol import RetrievalResults
from search.ranking.fusion import fuse, votes_weight
from search.ranking.profile_file import load_profile
from search.ranking.profiles import Profile
from search.records import RetrieverScore

FLOOR = 0.5


def neighbour(similarity: float, *passages: str) -> Neighbour:
    return Neighbour(AnsweredQuestion("q", "Why?", passages), similarity)


def weighing(memory: float) -> Profile:
    return replace(
        load_profile("even"), votes_weight=memory, document_weight=0.0, heading_weight=1.0
    )


def test_similarity_is_the_cosine_lowered_where_few_words_are_shared() -> None:
    found = similarities(
        RetrievalResults(lexical=retriever(a=10, b=5), dense=retriever(a=0.9, b=0.8, c=0.6))
    )
    assert {name_of(key): similarity for key, similarity in found.items()} == {
        "a": pytest.approx(0.9),
        "b": pytest.approx(0.8 * (1 - WORDS_SHARE / 2)),
        "c": pytest.approx(0.6 * (1 - WORDS_SHARE)),
    }


def test_a_question_that_only_shares_words_is_as_far_as_the_last_of_the_dense_retriever() -> None:
    found = similarities(RetrievalResults(lexical=retriever(x=4), dense=retriever(a=0.9, b=0.7)))
    assert found[retriever(x=4)[0].key] == pytest.approx(0.7)


def test_opposite_questions_are_not_similar() -> None:
    assert similarities(RetrievalResults(dense=retriever(a=-0.5))) == {}
    assert similarities(RetrievalResults()) == {}


def test_the_same_question_has_a_whole_vote_and_one_at_the_floor_none() -> None:
    assert votes([neighbour(1.0, "p")], FLOOR) == {"p": 1.0}
    assert votes([neighbour(FLOOR, "p")], FLOOR) == {"p": 0.0}
    assert votes([], FLOOR) == {}


def test_a_short_question_takes_less_resemblance_for_a_vote() -> None:
    assert [floor_for(words) for words in (1, 4, 5, 9, 10, 400)] == [0.3, 0.3, 0.35, 0.35, 0.5, 0.5]
    assert votes([neighbour(0.65, "p")], 0.3) == {"p": pytest.approx(0.5)}


def test_several_similar_questions_add_up_without_passing_one() -> None:
    middle = (1 + FLOOR) / 2  # half a vote
    assert votes([neighbour(middle, "p", "q"), neighbour(middle, "p")], FLOOR) == {
        "p": pytest.approx(0.75),
        "q": pytest.approx(0.5),
    }


@given(st.lists(st.floats(FLOOR, 1), max_size=60))
def test_votes_are_between_zero_and_one(found: list[float]) -> None:
    cast = votes([neighbour(similarity, "p") for similarity in found], FLOOR)
    assert all(0 <= vote <= 1 for vote in cast.values())


def test_a_certain_vote_weighs_what_the_profile_says() -> None:
    assert votes_weight(weighing(0.25), retriever(a=1.0, b=0.3)) == pytest.approx(0.25)
    assert votes_weight(weighing(1.0), retriever(a=0.2)) == 1.0


def test_a_faint_vote_weighs_little_and_none_nothing() -> None:
    assert votes_weight(weighing(0.25), retriever(a=0.1)) == pytest.approx(0.025 / 0.775)
    assert votes_weight(weighing(0.25), retriever()) == 0.0
    assert votes_weight(weighing(0.25), retriever(a=0.0)) == 0.0
    assert votes_weight(weighing(0.0), retriever(a=1.0)) == 0.0


def test_votes_join_the_fused_score_and_are_shown() -> None:
    results = RetrievalResults(lexical=retriever(a=10, b=5, c=0))
    fused = by_name(fuse(results, weighing(0.5), alpha=1.0, memory=retriever(c=0.8, b=0.4)))
    weight = 0.4 / 0.9
    assert fused["a"].score == pytest.approx(1 - weight)
    assert fused["b"].score == pytest.approx((1 - weight) * 0.5 + weight * 0.5)
    assert fused["c"].score == pytest.approx(weight)
    assert fused["c"].memory == RetrieverScore(0.8, 1.0, 1)
    assert fused["b"].memory == RetrieverScore(0.4, 0.5, 2)
    assert fused["a"].memory is None


def test_the_order_is_that_of_scores_and_votes_under_the_weight_of_the_profile() -> None:
    results = RetrievalResults(lexical=retriever(a=10, b=9, c=3, d=0))
    cast = {"c": 0.9, "d": 0.7, "b": 0.1}
    memory = retriever(**cast)
    plain = {"a": 1.0, "b": 0.9, "c": 0.3, "d": 0.0}
    for weight in (0.1, 0.3, 0.5, 0.8):
        order = list(by_name(fuse(results, weighing(weight), alpha=1.0, memory=memory)))
        wanted = sorted(
            plain, key=lambda key: -((1 - weight) * plain[key] + weight * cast.get(key, 0.0))
        )
        assert order == wanted


def test_a_passage_that_only_answered_questions_propose_joins_the_candidates() -> None:
    fused = fuse(
        RetrievalResults(lexical=retriever(a=1)), weighing(0.5), alpha=1.0, memory=retriever(z=1.0)
    )
    assert list(by_name(fused)) == ["a", "z"]
    assert (fused[1].lexical, fused[1].dense) == (None, None)


def test_without_votes_scores_are_what_they_are_without_a_memory() -> None:
    results = RetrievalResults(lexical=retriever(a=3, b=2, c=1), dense=retriever(b=0.9, a=0.1))
    with_memory, without = weighing(0.4), weighing(0.0)
    assert list(fuse(results, with_memory, 0.5)) == list(fuse(results, without, 0.5))


def test_a_heading_that_answered_a_question_keeps_its_whole_vote() -> None:
    heading = Candidates.of([candidate("a", 1.0, "heading")])
    profile = replace(weighing(1.0), heading_weight=0.1)
    (found,) = fuse(RetrievalResults(), profile, 0.5, memory=heading)
    assert found.score == 1.0


def test_case_space_and_punctuation_do_not_make_another_question() -> None:
    assert folded("May  a FIRM do\tthis?") == folded("may a firm do this")
    assert folded("May a firm do this?") != folded("May a firm do that?")


@pytest.mark.parametrize(
    "written",
    ["What is the firm’s \ufb01rst duty?", "What is the firm's fi\u00adrst duty?",
     "What is the firm`s first\u00a0duty?", "\ufeffWhat is the firm's ｆｉｒｓｔ duty？",
     "What is the 'firm's' fir\u200bst duty"],
)  # fmt: skip
def test_answered_questions_are_told_apart_by_no_character_that_looks_the_same(
    written: str,
) -> None:
    assert folded(written) == folded("What is the firm's first duty?")


@pytest.mark.parametrize(
    "written",
    ["What of a complaint.How soon is it told, director:or not?",
     "_What_ of a complaint; how·soon is it told? Director…or not?",
     "What of a com\u034fplaint - how soon is\ufe0f it told, direc\u3164tor/or not?",
     "What of a complaint?How soon is it told?Director_or_not",
     "What of a complaint【how soon】is it told, director\u2028or \U0001f600 not"],
)  # fmt: skip
def test_no_mark_between_words_and_nothing_invisible_makes_another_question(written: str) -> None:
    assert folded(written) == folded("What of a complaint? How soon is it told, director or not?")


def test_accents_and_vowel_signs_belong_to_their_words() -> None:
    assert folded("re\u0301sume\u0301") == folded("re\u034f\u0301sumé") != folded("resume")
    assert folded("शिकायत कब?") == "शिकायत कब"


def test_a_question_comes_back_from_its_passage() -> None:
    question = AnsweredQuestion("Q-1", "Who must report?", ("p-2", "p-1"))
    assert AnsweredQuestion.of(question.as_passage()) == question
    assert question.as_passage(3).order == 3
    assert question.group == question.as_passage().document_id
