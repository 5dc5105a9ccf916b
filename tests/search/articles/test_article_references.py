"""Which articles a text names, and of which act."""

from __future__ import annotations

import pytest
from effort import no_runaway

from search.articles.references import article_references, with_articles
from search.provisions.act_mentions import OTHER, act_mentions

CRR = "575/2013"


def named(text: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.act, one.articles) for one in article_references(text, CRR)]


@pytest.mark.parametrize(
    ("text", "articles"),
    [
        ("Article 92", ("92",)),
        ("Article 129b (4-6) of CRR", ("129b",)),
        ("Articles 28(1)(g), 52(1)(d) and 63(c) of the CRR", ("28", "52", "63")),
        ("Articles 428k to 428m", ("428k", "428l", "428m")),
        ("Articles 48(1)(a) and 2(a) of the CRR", ("48",)),
        ("article 422.2 and 425.2(d) in CRR", ("422", "425")),
        ("Artikel 262 Absatz 3 Buchstabe b und 264 CRR", ("262", "264")),
        ("Article 428(j)(2) CRR", ("428j",)),
        ("CRR 266(3)", ("266",)),
        ("CRR.28.1.l", ("28",)),
        ("Art.178", ("178",)),
    ],
)
def test_articles_of_one_reference(text: str, articles: tuple[str, ...]) -> None:
    assert named(text) == [(CRR, articles)]


def test_short_range_names_every_member_and_a_long_one_its_ends() -> None:
    assert named("Articles 151 to 154") == [(CRR, ("151", "152", "153", "154"))]
    assert named("Articles 92 to 386") == [(CRR, ("92", "386"))]


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("Article 52(4) of Directive 2009/65/EC", "2009/65"),
        ("Article 7 of the LCR DA", "2015/61"),
        ("Article 104 of CRD IV", "2013/36"),
        ("Regulation (EU) No 575/2013 Article 429", CRR),
        ("2015/61, Article 28", "2015/61"),
        ("Article 28 of 2015/61", "2015/61"),
        ("Article 78(1), second subparagraph, of the CRR", CRR),
        ("Article 99 of this Regulation", CRR),
        ("Article 5 of the ITS", OTHER),
        ("Article 76 Mortgage Law", OTHER),
        ("Article 3 of the Delegated Act", OTHER),
        ("Article 30(6)(a) of Commission Delegated Regulation(EU) 2015/61", "2015/61"),
    ],
)
def test_act_stands_beside_the_article(text: str, act: str) -> None:
    assert [one.act for one in article_references(text, CRR)] == [act]


def test_act_behind_two_articles_is_that_of_both() -> None:
    assert named("Article 81 and Article 82 of the CRD") == [
        ("2013/36", ("81",)),
        ("2013/36", ("82",)),
    ]


def test_act_between_two_articles_belongs_to_the_first() -> None:
    text = "Article 36 of the CRR, Article 18 of Regulation (EU) No 241/2014"
    assert named(text) == [(CRR, ("36",)), ("241/2014", ("18",))]


def test_article_without_an_act_has_that_which_it_has_elsewhere() -> None:
    text = "EBA-ITS-2013-02 Article 18 (7) says so. In line with Article 18 (6), it must."
    assert named(text) == [(OTHER, ("18",)), (OTHER, ("18",))]


def test_that_regulation_is_the_one_named_before() -> None:
    text = "Regulation (EU) No 241/2014 applies. Under Article 28(2) of that Regulation it must."
    assert named(text) == [("241/2014", ("28",))]


@pytest.mark.parametrize(
    "text",
    [
        "in its Article",
        "CRR 2014 rules",
        "CRR 90 * 2",
        "10 % of its own funds",
        "the state of art",
        "",
    ],
)
def test_what_is_no_reference(text: str) -> None:
    assert named(text) == []


def test_reference_tells_its_words_and_place() -> None:
    text = "See Articles 62 and 63 for this."
    (found,) = article_references(text, CRR)
    assert (found.text, text[found.start : found.end]) == ("Articles 62 and 63",) * 2


def test_articles_that_an_act_lacks_are_of_another() -> None:
    found = article_references("Article 31a and Article 92", CRR)
    assert [one.articles for one in with_articles(found, {"31", "92"})] == [("92",)]


@pytest.mark.parametrize("text", ["regulation" + " " * 100_000, "regulation " * 50_000])
def test_long_nonsense_is_read_in_no_time(text: str) -> None:
    with no_runaway():
        act_mentions(text)


@pytest.mark.parametrize("behind", ["x CRR, Article 7", "x Article 7"])
def test_articles_far_apart_are_read_in_no_time(behind: str) -> None:
    text = f"Article 5{' ' * 200_000}{behind}"
    with no_runaway():
        assert named(text) == [(CRR, ("5",)), (CRR, ("7",))]
