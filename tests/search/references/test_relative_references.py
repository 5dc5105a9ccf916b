"""Rules that a passage names from where it stands."""

from __future__ import annotations

import pytest

from search.provisions.links.relative import relative_references, rule_of
from search.records import Passage


def found(text: str, number: str, breadcrumb: tuple[str, ...] = ()) -> list[str]:
    """The first key of each reference."""
    place = Passage("p", "doc", number, text, breadcrumb=breadcrumb)
    return [
        one.keys[0] for line in text.split("\n") for one in relative_references(line, [], place)
    ]


@pytest.mark.parametrize(
    ("number", "rule"),
    [
        ("3.4.2.(b)", ("3", "4", "2")),
        ("3.4.2.Guidance.1", ("3", "4", "2")),
        ("Part 6.52.(1)", ("part 6", "52")),
        ("APP2.A2.1.2", ("app2", "a2", "1", "2")),
        ("Article 92(1)(a)", ("article 92",)),
        ("", ()),
    ],
)
def test_the_rule_of_a_passage_is_what_stands_before_the_first_bracket(
    number: str, rule: tuple[str, ...]
) -> None:
    assert rule_of(number) == rule


@pytest.mark.parametrize(
    ("text", "number", "key"),
    [
        ("this Rule", "3.4.2.(b)", "3/4/2"),
        ("this Section", "3.4.2.(b)", "3/4"),
        ("this Chapter", "3.4.2.(b)", "3"),
        ("this Section", "Part 6.52.(1)", "part 6/52"),
        ("this Part", "Part 6.52.(1)", "part 6"),
        ("this Schedule", "Schedule 1.Part 2.4.(1)", "schedule 1"),
        ("this Appendix", "APP2.A2.1.2", "app2"),
        ("this Article", "Article 92(1)(a)", "article 92"),
    ],
)
def test_this_unit_is_the_one_around_the_passage(text: str, number: str, key: str) -> None:
    assert found(f"For the purposes of {text}, a firm", number) == [key]


def test_this_chapter_of_an_act_is_told_by_the_breadcrumb() -> None:
    around = ("Part Three.Title II.Chapter 5 Securitisation", "Article 242 Definitions")
    assert found("in this Chapter", "Article 242(1)", around) == ["part 3/title ii/chapter 5"]
    assert found("in this Title", "Article 242(1)", around) == ["part 3/title ii"]


@pytest.mark.parametrize(
    ("text", "number"),
    [("this Rule", "3.4.2"), ("this Rule 6.4.2", "3.4.2.(b)"), ("this Chapter", "2) Paragraph")],
)
def test_what_is_the_passage_itself_or_has_a_number_is_left_out(text: str, number: str) -> None:
    assert found(text, number) == []


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("referred to in (2)", ["3/4/2/1/2"]),
        ("under paragraph (2)(a)", ["3/4/2/1/2/a"]),
        ("subject to subsections (2) and (3)", ["3/4/2/1/2", "3/4/2/1/3"]),
        ("paragraphs (3) to (5)", ["3/4/2/1/3", "3/4/2/1/4", "3/4/2/1/5"]),
    ],
)
def test_bracket_numbers_are_looked_for_below_the_passage_first(text: str, keys: list[str]) -> None:
    assert found(text, "3.4.2.(1)") == keys


def test_then_beside_it_and_never_above_its_rule() -> None:
    place = Passage("p", "doc", "3.4.2.(1).(a)", "see paragraph (2) and point (b)")
    second, b = relative_references(place.text, [], place)
    assert second.keys == ("3/4/2/1/a/2", "3/4/2/2")
    assert b.keys == ("3/4/2/1/a/b", "3/4/2/1/b")


def test_what_the_passage_lists_itself_is_no_reference() -> None:
    assert found("A firm under (a) must:\n(a)\treport;\n(b)\tpay.", "3.4.2") == []


def test_a_paragraph_of_another_rule_is_left_to_the_grammar_of_numbers() -> None:
    assert found("paragraph (b) of section 92(4)", "3.4.2.(1)") == []
    place = Passage("p", "doc", "3.4.2.(1)", "Rule 3.5.1 or (b)")
    assert list(relative_references(place.text, [(0, len(place.text))], place)) == []


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("nach den Absätzen (1) und (2)", ["article 5/4/1", "article 5/4/2"]),
        ("aux paragraphes (1) à (3)", ["article 5/4/1", "article 5/4/2", "article 5/4/3"]),
        ("alle lettere (a) e (b)", ["article 5/4/a", "article 5/4/b"]),
    ],
)
def test_lists_of_brackets_are_read_in_other_languages(text: str, keys: list[str]) -> None:
    assert found(text, "Article 5(4)") == keys
