"""The features of articles, what answered questions teach, and the ranker."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from small_act import NUMBER, answered, small_act

from search.articles.features import NAMES, AskedQuestion, FeatureTables
from search.articles.known import Known, learn
from search.articles.lexical import ArticleTexts, question_terms
from search.articles.ranker import (
    SHIPPED,
    ArticleFinder,
    ArticleRanker,
    article_finder,
    load_ranker,
    ranked,
)
from search.errors import ModelError
from search.ranking.learned.decision_trees import DecisionTrees

ACT = small_act()
TAUGHT = [
    answered("Which capital for a loan in Article 3?", "3a", named=("3",)),
    answered("Which buffer beside Article 3 for a loan?", "3a", named=("3",)),
    answered("When are deposits reported?", "4"),
    answered("When are templates reported?", "4"),
]


def table(
    question: str, known: Known | None = None, background: str = ""
) -> dict[str, dict[str, float]]:
    """Feature → article → value."""
    tables = FeatureTables(ACT, ArticleTexts(ACT))
    rows = tables.table(AskedQuestion(question, background), known or Known())
    return {
        name: dict(zip(ACT.articles, rows[:, column].tolist(), strict=True))
        for column, name in enumerate(NAMES)
    }


def trees_on(feature: str) -> DecisionTrees:
    """One tree: 1 where a feature is above 0, else -1."""
    column = NAMES.index(feature)
    return DecisionTrees(np.array([[column]]), np.array([[0.0]]), np.array([[0.0, -1.0, 1.0]]))


def ranker_on(feature: str, act: str = NUMBER, left_out: tuple[str, ...] = ()) -> ArticleRanker:
    return ArticleRanker(act, left_out, trees_on(feature), 0.5, learn(TAUGHT))


def test_named_articles_and_those_around_them() -> None:
    found = table(
        "What follows from Article 3a?", background="Article 3a and Article 5 bear on it."
    )
    assert found["named"]["3a"] == pytest.approx(np.log1p(2))
    assert found["named share"]["5"] == pytest.approx(1 / 3)
    assert found["named in question"]["5"] == 0
    assert (found["named place"]["3a"], found["named place"]["5"]) == (0, 1)
    assert found["named by named"] == {"1": 0, "2": 0, "3": 1, "3a": 0, "4": 1, "5": 0}
    assert found["distance"]["4"] == pytest.approx(np.log1p(1))
    assert found["place beside"]["1"] == -3
    assert found["divisions"]["1"] == 0
    assert found["divisions"]["3"] == 1


def test_references_of_another_act_name_nothing() -> None:
    assert set(table("Article 3 of Directive 2013/36/EU")["named"].values()) == {0}


def test_bm25_is_a_share_of_the_best_article() -> None:
    window = table("How is a deposit reported every quarter?")["window"]
    assert max(window, key=window.__getitem__) == "4"
    assert window["4"] == 1
    assert window["1"] < window["2"] < 1


def test_word_counts_three_times_at_most() -> None:
    assert question_terms("bank bank bank bank loan") == ["bank", "bank", "bank", "loan"]


def test_questions_teach_counts_pairs_and_words() -> None:
    known = learn(TAUGHT)
    assert known.about == {"3a": 2, "4": 2}
    assert known.named == {"3": 2}
    assert known.named_and_about == {"3": {"3a": 2 / (2 + 2)}}
    likeness = known.likeness("When is it reported?")
    assert max(likeness, key=likeness.__getitem__) == "4"
    assert 0 < likeness["4"] < 1.001


def test_what_was_taught_reaches_the_features() -> None:
    found = table("Which capital for a loan in Article 3?", learn(TAUGHT))
    assert found["about when named"]["3a"] == 0.5
    assert found["about when itself named"]["3a"] == 0
    assert found["about before"]["4"] == pytest.approx(np.log1p(2))
    assert found["likeness"]["3a"] > found["likeness"]["4"]
    assert found["likeness rank"]["1"] > found["likeness rank"]["3a"]


def test_known_survives_its_json() -> None:
    known = learn(TAUGHT)
    again = Known.from_json(json.loads(json.dumps(known.to_json())))
    assert again.likeness("When reported?") == pytest.approx(
        known.likeness("When reported?"), abs=0.002
    )


def test_finder_ranks_by_the_trees_of_its_act_and_by_references_elsewhere() -> None:
    asked = AskedQuestion("Who reports deposits under Article 1?")
    trained = ArticleFinder(ACT, ranker_on("about before")).rank(asked)
    assert [(one.number, one.score) for one in trained[:2]] == [("3a", 1.5), ("4", 1.5)]
    elsewhere = ArticleFinder(ACT, ranker_on("about before", act="575/2013"))
    assert elsewhere.ranker is None
    assert [one.number for one in elsewhere.rank(asked, 2)] == ["1", "4"]


def test_articles_left_out_are_never_proposed() -> None:
    finder = ArticleFinder(ACT, ranker_on("about before", left_out=("4", "99")))
    assert "4" not in [one.number for one in finder.rank(AskedQuestion("deposits"))]


def test_ties_keep_the_order_of_the_act_and_nothing_known_is_no_rank() -> None:
    scores = np.array([0.0, 2.0, 1.0, 2.0, -np.inf, 0.0])
    assert [one.number for one in ranked(ACT, scores)] == ["2", "3a", "3"]


def test_ranker_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    ranker_on("about before").save(path)
    asked = AskedQuestion("Who reports?")
    tables = FeatureTables(ACT, ArticleTexts(ACT))
    again = load_ranker(path).scores(tables, asked)
    assert again.tolist() == ranker_on("about before").scores(tables, asked).tolist()


def test_altered_or_missing_ranker_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    with pytest.raises(ModelError, match=r"own\.json cannot be read"):
        load_ranker(path)
    ranker_on("about before").save(path)
    path.write_text(path.read_text().replace('"bias": 0.5', '"bias": 0.6'))
    with pytest.raises(ModelError, match="was changed after it was fitted"):
        load_ranker(path)


def test_shipped_ranker_is_that_of_the_crr() -> None:
    ranker = load_ranker(SHIPPED)
    assert ranker.act == "575/2013"
    assert ranker.left_out == ("99",)
    assert "430" in ranker.known.about


def test_finder_of_the_same_text_is_made_once() -> None:
    ranker = ranker_on("about before")
    assert article_finder(ACT, ranker) is article_finder(small_act(), ranker)
    assert article_finder(ACT, None) is not article_finder(ACT, ranker)


def test_finder_of_a_ranker_that_is_gone_is_not_taken_for_that_of_the_next() -> None:
    for _ in range(20):  # the next one often gets the memory, and with it the `id`, of the last
        article_finder(ACT, ranker_on("about before", act="575/2013"))
    ranker = ranker_on("about before")
    assert article_finder(ACT, ranker).ranker is ranker
