"""Keyword versions, titles and terms that a profile is fitted to."""

from __future__ import annotations

import math
from collections import Counter

from rirag_workbench.training.data.keywords import (
    FUNCTION_WORDS,
    LENGTHS,
    KeywordVersion,
    Rarity,
    keyword_versions,
)
from rirag_workbench.training.data.questions_to_fit import (
    QuestionToFit,
    own_answered_questions,
    with_keyword_versions,
)
from search.answered_questions.questions import AnsweredQuestion
from search.text.analyzer import words

CORPUS = [
    "A Fund Manager must notify the Regulator of a material change.",
    "The Regulator may impose a fine on a Fund Manager.",
    "A Prospectus must describe the Public Fund.",
    "The Regulator may withdraw a Prospectus.",
]
RARITY = Rarity.of(CORPUS)
QUESTION = (
    "When must a Fund Manager notify the Regulator of a material change to the Prospectus of a "
    "Public Fund, and what happens if the urgent written notification arrives late?"
)


def versions(question: str = QUESTION, count: int = 60) -> list[KeywordVersion]:
    """All that is made of a question under many IDs, so that many lengths are drawn."""
    return [one for n in range(count) for one in keyword_versions(f"q{n}", question, RARITY)]


def of_method(method: str) -> set[str]:
    return {version.text for version in versions() if version.method == method}


def test_rarity_is_bm25s_inverse_document_frequency() -> None:
    assert RARITY("fund") == math.log(1 + (4 - 3 + 0.5) / (3 + 0.5))
    assert RARITY("Regulator") == RARITY("regulator")
    assert RARITY("unheard-of") > RARITY("fine") > RARITY("fund")


def test_versions_have_one_to_four_or_five_to_nine_words() -> None:
    lengths = {version.words for version in versions()}
    assert lengths == set(range(1, 10))
    for version in versions():
        assert version.words == len(words(version.text))


def test_all_methods_give_versions_of_both_lengths() -> None:
    for method in ("rarest", "phrases", "defined-terms", "leading"):
        lengths = {version.words for version in versions() if version.method == method}
        for least, most in LENGTHS:
            assert lengths & set(range(least, most + 1)), (method, least)


def test_versions_hold_words_of_the_question_in_its_order_and_no_grammar() -> None:
    asked = words(QUESTION)
    for version in versions():
        place = 0
        for word in words(version.text):
            assert word not in FUNCTION_WORDS
            place = asked.index(word, place) + 1


def test_rarest_words_are_those_the_corpus_hardly_has() -> None:
    assert "happens urgent" in of_method("rarest")
    assert not any("Regulator" in text.split() and len(text.split()) < 5
                   for text in of_method("rarest"))  # fmt: skip


def test_phrases_are_the_longest_runs_cut_to_their_head() -> None:
    question = "Are fines owed for every urgent written late notification?"
    texts = {v.text for v in versions(question) if v.method == "phrases"}
    assert {"notification", "late notification", "written late notification"} <= texts
    assert "fines owed urgent written late notification" in texts


def test_longer_phrase_comes_before_rarer_one() -> None:
    single = {
        version.text
        for version in versions("Is xenon for the fund manager?")
        if version.method == "phrases" and version.words == 1
    }
    assert single == {"manager"}


def test_defined_terms_start_with_the_first_one() -> None:
    assert {"Fund Manager", "Fund Manager Regulator"} <= of_method("defined-terms")
    assert all(text[0].isupper() for text in of_method("defined-terms"))


def test_leading_words_are_the_first_with_content() -> None:
    assert {"Fund", "Fund Manager", "Fund Manager notify"} <= of_method("leading")


def test_sentence_start_is_no_defined_term_but_an_abbreviation_is() -> None:
    def terms(question: str) -> set[str]:
        return {v.text for v in versions(question) if v.method == "defined-terms"}

    assert terms("Describe late notices. Explain fines.") == set()
    assert terms("AML officers report where?") == {"AML"}


def test_punctuation_and_possessives_are_left_out() -> None:
    texts = {version.text for version in versions("Is the (Manager's) fine, in law, refundable?")}
    assert "fine law refundable" in texts
    assert not any(set(text) & set("(),?'") for text in texts)


def test_versions_are_the_same_on_every_run_and_differ_between_questions() -> None:
    assert keyword_versions("q1", QUESTION, RARITY) == keyword_versions("q1", QUESTION, RARITY)
    assert len({tuple(v.text for v in keyword_versions(f"q{n}", QUESTION, RARITY))
                for n in range(20)}) > 10  # fmt: skip


def test_versions_of_a_question_are_all_different() -> None:
    for n in range(30):
        texts = [version.text for version in keyword_versions(f"q{n}", QUESTION, RARITY)]
        assert len(texts) == len(set(texts))


def test_question_without_content_gives_nothing() -> None:
    assert keyword_versions("q", "What is it?", RARITY) == []
    assert keyword_versions("q", "?!", RARITY) == []


TEXT = "When must a Fund Manager notify the Regulator of a material change to the Prospectus?"


def test_each_question_also_stands_in_as_short_ones_with_its_passages() -> None:
    made = list(with_keyword_versions({"q": TEXT}, {"q": frozenset({"p"})}))
    assert made[0] == QuestionToFit("q", TEXT, frozenset({"p"}), "question")
    assert Counter(one.kind for one in made) == {"question": 1, "keywords": 3}
    for version in made[1:]:
        assert (version.question_id, version.relevant) == ("q", {"p"})
        assert set(words(version.text)) < set(words(TEXT))
    assert {len(words(one.text)) < 5 for one in made[1:]} == {True, False}, "of both lengths"


def test_answered_questions_that_are_asked_ones_are_found_by_id_and_by_words() -> None:
    known = [
        AnsweredQuestion("q1", "Something else?", ("p",)),
        AnsweredQuestion("k2", TEXT.upper() + "  ", ("p",)),
        AnsweredQuestion("k3", "Who pays the fee?", ("p",)),
    ]
    asked = [
        QuestionToFit("q1", "Who reports?", frozenset("p"), "question"),
        QuestionToFit("q2", TEXT, frozenset("p"), "question"),
        QuestionToFit("q2", "Who pays the fee?", frozenset("p"), "keywords"),
    ]
    assert own_answered_questions(asked, known) == {"q1": {"q1"}, "q2": {"k2"}}
