"""The words for units: each means one thing, in whatever language and form it is written."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

from search.language import vocabulary

LANGUAGES = (
    "en", "ar", "bg", "cs", "da", "de", "el", "es", "et", "fi", "fr", "hr", "hu", "it", "lt", "lv",
    "nl", "no", "pl", "pt", "ro", "ru", "sl", "sv", "th", "tr", "uk",
)  # fmt: skip


@pytest.mark.parametrize(
    ("word", "unit"),
    [
        ("Article", "article"),
        ("Arts.", "article"),
        ("§§", "section"),
        ("Abs.", "paragraph"),
        ("Unterabsatz", "subparagraph"),
        ("articolo", "article"),
        ("comma", "paragraph"),
        ("alinéa", "subparagraph"),
        ("apartado", "paragraph"),
        ("artigo", "article"),
        ("lid", "paragraph"),
        ("Appendices", "app"),
        ("sub-paragraphs", "subparagraph"),
        ("cl", "clause"),
        ("reg.", "regulation"),
    ],
)
def test_a_word_means_its_unit_in_any_case_with_or_without_a_full_stop(
    word: str, unit: str
) -> None:
    assert vocabulary.unit_of(word) == unit


@pytest.mark.parametrize("word", ["", "banana", "chapters3", "."])
def test_other_words_mean_no_unit(word: str) -> None:
    assert vocabulary.unit_of(word) is None


def test_there_is_a_file_for_each_language_and_english_comes_first() -> None:
    assert tuple(vocabulary.languages()) == LANGUAGES


def test_no_word_means_two_units() -> None:
    meant = defaultdict(set)
    for language in vocabulary.languages().values():
        for one in language.spellings:
            meant[one.word].add(one.unit)
    assert {word: found for word, found in meant.items() if len(found) > 1} == {}


def test_every_unit_that_a_language_writes_is_one_of_the_units() -> None:
    written = {
        one.unit for language in vocabulary.languages().values() for one in language.spellings
    }
    assert written == set(vocabulary.units())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_a_word_for_what_its_laws_number_through(language: str) -> None:
    own = {one.unit for one in vocabulary.languages()[language].spellings}
    assert own & {"article", "section"}


@pytest.mark.parametrize("language", ["en", "de", "es", "fr", "it", "nl", "pt"])
def test_the_languages_of_questions_have_words_for_what_all_laws_have(language: str) -> None:
    own = {one.unit for one in vocabulary.languages()[language].spellings}
    assert own >= {"annex", "chapter", "part", "title", "article", "paragraph", "point", "sentence"}


def test_units_are_ordered_from_the_outermost_to_the_innermost() -> None:
    ranks = [one.rank for one in vocabulary.units().values()]
    assert ranks == sorted(ranks)
    assert vocabulary.units_of("attachment") >= {"schedule", "annex", "app"}


def test_a_pattern_takes_every_form_of_a_unit_and_the_full_stop_of_an_abbreviation() -> None:
    pattern = re.compile(rf"{vocabulary.pattern(['article', 'section'])}\s?\d+", re.IGNORECASE)
    for text in ("Article 5", "Arts. 5", "Artikel 5", "artículo 5", "§ 5", "ss. 5"):
        assert pattern.fullmatch(text), text
    assert not pattern.fullmatch("Chapter 5")


def test_a_pattern_of_one_language_leaves_out_the_words_of_others() -> None:
    german = re.compile(vocabulary.pattern(["article"], "de"), re.IGNORECASE)
    assert german.fullmatch("Artikel")
    assert not german.fullmatch("Article")


def test_numbers_and_ordinals_are_read_in_all_languages() -> None:
    assert vocabulary.number_words()["three"] == "3"
    assert vocabulary.number_words("it")["tre"] == "3"
    assert vocabulary.ordinals()["premier"] == "1"
    assert vocabulary.ordinals()["zweiten"] == "2"
    assert "premier" not in vocabulary.ordinals("en")


def test_link_words_of_all_languages_are_together() -> None:
    assert {"and", "und", "et"} <= set(vocabulary.link_words("and"))
    assert {"through", "thru", "bis"} <= set(vocabulary.link_words("to"))


@pytest.mark.parametrize(
    ("key", "language", "word"),
    [
        ("months", "en", "May"),
        ("months", "", "März"),
        ("measures.time", "en", "day"),
        ("measures", "en", "working"),
        ("modals.duty", "", "muss"),
        ("money.codes", "common", "EUR"),
        ("money.codes", "", "EUR"),
    ],
)
def test_lists_are_found_by_their_keys(key: str, language: str, word: str) -> None:
    assert word in vocabulary.words(key, language)


@pytest.mark.parametrize(("key", "language"), [("modal", "en"), ("months", "common"), ("", "en")])
def test_an_unknown_key_is_an_error(key: str, language: str) -> None:
    with pytest.raises(KeyError, match="no words under"):
        vocabulary.words(key, language)


def test_months_have_their_numbers_in_every_language() -> None:
    assert vocabulary.months()["märz"] == vocabulary.months("en")["march"] == 3
    assert sorted(vocabulary.months("fr").values()) == [*range(1, 13)]


def test_alternatives_take_the_longest_word_and_any_white_space() -> None:
    found = re.match(vocabulary.any_of("measures.share", "en"), "per  cent")
    assert found is not None and found[0] == "per  cent"
