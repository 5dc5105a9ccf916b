"""`rirag train ranker`: trees on folds, and the pairs of the cross-encoder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from article_sample import WordCounts, act, questions

from rirag_workbench.evaluation.articles import ArticleQuestion
from rirag_workbench.training.data.held_out import fold_by_words
from rirag_workbench.training.fitted.article_ranker import (
    RankerSettings,
    fit_article_ranker,
)
from rirag_workbench.training.runs.article_cross_encoder import (
    CrossEncoderSettings,
    article_pairs,
)
from search.articles.features import AskedQuestion
from search.articles.ranker import ArticleFinder, load_ranker
from search.errors import InputError

SETTINGS = RankerSettings(trees=20, least_in_leaf=2, negatives=8, hard_negatives=4)


@pytest.mark.torch
def test_fitted_ranker_finds_what_the_words_say_and_not_what_is_named(tmp_path: Path) -> None:
    told: list[str] = []
    fitted = fit_article_ranker(act(), questions(), SETTINGS, told.append)
    assert fitted.questions == 60
    assert fitted.recall[5] > 0.9
    assert told[-1].startswith("recall on folds: ")
    fitted.ranker.save(tmp_path / "own.json")
    finder = ArticleFinder(act(), load_ranker(tmp_path / "own.json"))
    asked = AskedQuestion("What about the swap, with Article 1 in mind?")
    assert finder.rank(asked)[0].number == "10"


@pytest.mark.torch
def test_same_data_give_the_same_ranker() -> None:
    one, other = (fit_article_ranker(act(), questions(), SETTINGS, lambda _: None) for _ in "ab")
    assert one.ranker.trees.to_json() == other.ranker.trees.to_json()


@pytest.mark.parametrize(
    ("asked", "count"),
    [(questions(1), 1), (questions(19), 19), ([replace(questions(1)[0], qa_id=f"{n}")
     for n in range(60)], 1), ([replace(one, articles=("99",)) for one in questions()], 0)],
    ids=["one", "few", "alike", "of another act"],
)  # fmt: skip
def test_too_few_different_questions_are_refused(asked: list[ArticleQuestion], count: int) -> None:
    message = rf"qa\.jsonl: a ranker needs 20 different .* but there are {count}; give more"
    with pytest.raises(InputError, match=message):
        fit_article_ranker(act(), asked, SETTINGS, lambda _: None, source=Path("qa.jsonl"))


def test_questions_with_the_same_words_are_in_one_fold() -> None:
    first = ArticleQuestion("a", AskedQuestion("Who  pays?"), ("1",))
    other = ArticleQuestion("b", AskedQuestion("who pays?"), ("2",))
    assert fold_by_words(first.asked.question) == fold_by_words(other.asked.question)


@pytest.mark.torch
def test_article_left_out_is_no_target_and_never_proposed() -> None:
    fitted = fit_article_ranker(act(), questions(), SETTINGS, lambda _: None, left_out=("1",))
    assert fitted.questions == 55
    finder = ArticleFinder(act(), fitted.ranker)
    assert "1" not in [one.number for one in finder.rank(AskedQuestion("capital"))]


BAND = CrossEncoderSettings(first_rank=6, last_rank=10, negatives=3)


def test_positives_are_those_of_the_qa_or_named_and_negatives_come_from_the_band() -> None:
    number_of = {one.text: number for number, one in act().articles.items()}
    pairs = list(article_pairs(questions()[:2], act(), WordCounts(), BAND))
    first = [pair for pair in pairs if pair.qa_id == "q0"]
    assert [number_of[pair.article] for pair in first if pair.relevant] == ["1", "2"]
    negatives = [number_of[pair.article] for pair in first if not pair.relevant]
    assert len(set(negatives)) == 3
    assert set(negatives) <= {"6", "7", "8", "9", "10"}
    second = [pair for pair in pairs if pair.qa_id == "q1"]
    assert {number_of[pair.article] for pair in second if pair.relevant} == {"2", "5"}


def test_question_about_an_article_left_out_has_no_pairs() -> None:
    one = ArticleQuestion("q", AskedQuestion("On Article 3?"), ("99",))
    assert list(article_pairs([one], act(), WordCounts(), BAND)) == []


def test_act_with_too_few_articles_for_the_band_is_refused() -> None:
    with pytest.raises(InputError, match="has 12 articles, but negatives come from the ranks 250"):
        list(article_pairs(questions(), act(), WordCounts(), CrossEncoderSettings()))
