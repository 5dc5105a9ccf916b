"""What a profile is fitted to: questions, keyword versions, titles and terms."""

from __future__ import annotations

from collections import Counter

from rirag_workbench.training.data.questions_to_fit import (
    QuestionToFit,
    own_answered_questions,
    titles_and_terms,
    with_keyword_versions,
)
from search.answered_questions.questions import AnsweredQuestion
from search.records import Passage
from search.text.analyzer import words

TEXT = "When must a Fund Manager notify the Regulator of a material change to the Prospectus?"
RULE = "A Fund Manager must notify the Regulator of any such change within two days."


def passage(number: str, text: str = RULE, *headings: str) -> Passage:
    return Passage(f"id-{number}", "d", number, text, breadcrumb=headings)


def test_each_question_also_stands_in_as_short_ones_with_its_passages() -> None:
    made = list(with_keyword_versions({"q": TEXT}, {"q": frozenset({"p"})}))
    assert made[0] == QuestionToFit("q", TEXT, frozenset({"p"}), "question")
    assert Counter(one.kind for one in made) == {"question": 1, "keywords": 3}
    for version in made[1:]:
        assert (version.question_id, version.relevant) == ("q", {"p"})
        assert set(words(version.text)) < set(words(TEXT))
    assert {len(words(one.text)) < 5 for one in made[1:]} == {True, False}, "of both lengths"


def test_a_title_is_answered_by_all_passages_below_it_wherever_it_stands() -> None:
    passages = [
        passage("1.1", RULE, "1 Material changes"),
        passage("1.2", RULE, "1 Material changes"),
        passage("7.1", RULE, "7 Material changes"),
    ]
    (title,) = titles_and_terms(passages, 10)
    assert (title.kind, title.text) == ("title", "Material changes")
    assert title.relevant == {"id-1.1", "id-1.2", "id-7.1"}


def test_a_term_is_answered_by_its_definitions() -> None:
    meaning = "“Public Fund” means a fund whose units are offered to the public in a Prospectus."
    (term,) = titles_and_terms([passage("1", meaning), passage("2")], 10)
    assert (term.kind, term.text, term.relevant) == ("term", "Public Fund", {"id-1"})


def test_titles_that_nobody_types_or_that_ten_hits_cannot_answer_are_left_out() -> None:
    long = "1 " + " ".join(["change"] * 10)
    passages = [
        *(passage(f"1.{n}", RULE, "1 Many rules") for n in range(11)),
        passage("2.1", RULE, long),
        passage("3.1", RULE, "3 Changes [Deleted]"),
        passage("4.1", RULE, "Part 4 Form 7 changes"),
    ]
    assert list(titles_and_terms(passages, 10)) == []


def test_so_many_titles_are_taken_from_all_over_the_rulebook() -> None:
    names = ["apple", "pear", "plum", "fig", "lime", "mango", "kiwi", "quince", "melon", "cherry"]
    passages = [passage(f"{n}.1", RULE, f"{n} Rules on {name}") for n, name in enumerate(names)]
    titles = [one.text for one in titles_and_terms(passages, 5)]
    assert titles == [f"Rules on {name}" for name in names[::2]]


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
