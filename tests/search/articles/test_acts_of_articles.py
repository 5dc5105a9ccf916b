"""An act as its articles."""

from __future__ import annotations

from small_act import NUMBER, small_act

from search.articles.act import act_of


def test_passages_of_an_article_come_together() -> None:
    act = small_act()
    assert list(act.articles) == ["1", "2", "3", "3a", "4", "5"]
    assert [p.passage_id for p in act.articles["2"].passages] == [
        "Article 2",
        "Article 2(1)",
        "Article 2(2)",
    ]
    assert act.articles["2"].heading == "Definitions"
    assert act.articles["3"].divisions == ("Part Two DUTIES",)
    assert (act.number, act.version) == (NUMBER, "2021-01-01")


def test_links_are_the_articles_that_an_article_names() -> None:
    links = small_act().links
    assert links["3a"] == {"3"}
    assert links["5"] == {"3", "4"}
    assert links["1"] == frozenset()


def test_windows_are_whole_passages_up_to_a_length() -> None:
    article = small_act().articles["2"]
    assert article.windows(8) == [
        "Definitions. Definitions ‘loan’ means money lent to a customer;",
        "Definitions. ‘deposit’ means money taken from a customer;",
    ]
    assert len(article.windows(100)) == 1
    assert len(article.windows(1)) == 3


def test_document_without_articles_is_an_empty_act() -> None:
    assert act_of([]).articles == {}
