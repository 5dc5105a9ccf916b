"""Analysis of questions: what is kept, cut, noted and refused."""

from __future__ import annotations

import re
from typing import Any

import pytest

from search.errors import InputError
from search.lookup.question import MAX_WORDS, Question, analyse, resolve_filters
from search.provisions.documents.names import DocumentNames
from search.records import DocumentSummary

NAMES = DocumentNames(
    [
        DocumentSummary("COND", "Conduct Rulebook (COND)", 10),
        DocumentSummary("7", "Governance and Prudential Rulebook", 10),
    ]
)


def read(text: str, **filters: object) -> Question:
    return analyse(text, filters, NAMES)


def test_words_are_counted_as_written_and_terms_as_indexed() -> None:
    question = read("What is the firm's   duty\tto Clients?")
    assert question.text == "What is the firm's duty to Clients?"
    assert question.words == 7
    assert question.tokens == ("what", "firm", "duti", "client")
    assert question.notes == ()


@pytest.mark.parametrize(
    "text",
    [
        "tipping\x00off",
        "tipping\noff",
        "\x1b\x07tipping\x9boff",
        "\u202etipping\u202c \u200foff\u2069",
        "\ufefftipping \u200b off",
    ],
)
def test_control_characters_and_direction_marks_are_dropped(text: str) -> None:
    assert read(text).text == "tipping off"


@pytest.mark.parametrize(
    "text", ["", "   ", "\n\t", "?!.", "\x00\x1b", "\u200b\u202e", '* ? ~ " ( ) [ ]', "§ — …"]
)
def test_a_question_without_letter_or_digit_is_refused(text: str) -> None:
    with pytest.raises(
        InputError, match=r"^the question has no words: ask in words, or name a rule"
    ):
        read(text)


@pytest.mark.parametrize("text", ["the of and to", "AND OR NOT", "It is"])
def test_only_stop_words_are_noted_and_leave_no_terms(text: str) -> None:
    question = read(text)
    assert question.tokens == ()
    assert question.notes == (
        "the question has only stop words, so the lexical retriever finds nothing",
    )


def test_ten_thousand_words_are_cut_and_that_is_noted() -> None:
    question = read("fee " * 10_000)
    assert (question.words, len(question.tokens)) == (MAX_WORDS, MAX_WORDS)
    assert question.notes == (
        f"the question has 10000 words; only the first {MAX_WORDS} were used",
    )


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("title:fees AND client", ("titl", "fee", "client")),
        ("fees* OR ~client^4", ("fee", "client", "4")),
        ('"client money"~3 -fees +[1 TO 5]', ("client", "monei", "3", "fee", "1", "5")),
        ("fees'; DROP TABLE passage; --", ("fee", "drop", "tabl", "passag")),
        ("<b onload=alert(1)>fees</b>", ("b", "onload", "alert", "1", "fee", "b")),
        ("{{fees}} ${client} %d \\", ("fee", "client", "d")),
    ],
)
def test_query_syntax_and_markup_are_only_words(text: str, tokens: tuple[str, ...]) -> None:
    assert read(text).tokens == tokens


def test_named_rules_are_found() -> None:
    (number,) = read("What does COND 3.2.1(2) say?").numbers
    assert (number.keys[0], number.document_ids) == ("3/2/1/2", ("COND",))


def test_a_rule_of_an_unknown_document_is_noted() -> None:
    assert read("Article 92 of the CRR").notes == (
        "Article 92: no document of the index is named CRR",
    )


def test_filters_take_one_value_or_several() -> None:
    fields = read("fees", kind="rule", version=["1.4", "2.1"], year=[2025]).filters.fields
    assert fields == {"kind": ("rule",), "version": ("1.4", "2.1"), "year": ("2025",)}


@pytest.mark.parametrize("name", ["COND", "cond", "Conduct Rulebook (COND)", "Conduct Rulebook"])
def test_a_document_is_filtered_by_any_of_its_names(name: str) -> None:
    assert read("fees", document=name).filters.fields == {"document_id": ("COND",)}


def test_several_documents_are_alternatives() -> None:
    filters = read("fees", document=["COND", "Governance and Prudential Rulebook"]).filters
    assert filters.fields == {"document_id": ("COND", "7")}


def test_both_ways_to_name_a_document_hold_together() -> None:
    both = read("fees", document=["COND", "7"], document_id="7").filters
    assert both.fields == {"document_id": ("7",)}
    assert read("fees", document_id="7", document=["COND", "7"]).filters == both


def test_an_unknown_document_and_a_filter_without_value_are_refused() -> None:
    with pytest.raises(InputError, match="no document is named 'MIFID'; list them with: rirag"):
        read("fees", document="MIFID")
    with pytest.raises(InputError, match="the filter 'kind' has no value: write kind=VALUE"):
        read("fees", kind=[])


def test_an_unknown_document_is_to_be_looked_up_in_the_index_that_was_asked() -> None:
    names = DocumentNames([], "opensearch+http://localhost:9200/rules")
    listing = "rirag documents list --index opensearch+http://localhost:9200/rules"
    with pytest.raises(InputError, match=re.escape(f"list them with: {listing}")):
        analyse("fees", {"document": "MIFID"}, names)


@pytest.mark.parametrize(
    ("given", "values"),
    [(1.4, ("1.4",)), (5, ("5",)), (True, ("true",)), (["a", 2], ("a", "2")), ({"x"}, ("x",))],
)
def test_filter_values_of_any_scalar_type_compare_as_text(given: Any, values: Any) -> None:
    assert resolve_filters({"field": given}, DocumentNames([])).fields == {"field": values}


@pytest.mark.parametrize("given", [None, [], {"a": 1}, [None], "\ud800"])
def test_filter_values_that_are_none_are_refused(given: Any) -> None:
    with pytest.raises(InputError, match="the filter 'field' has"):
        resolve_filters({"field": given}, DocumentNames([]))
