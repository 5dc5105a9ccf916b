"""The bodies of searches, as plain dicts."""

from __future__ import annotations

import pytest

from search.engines.servers.records import facet, passage_key
from search.engines.servers.searching import queries
from search.engines.servers.searching.queries import MAX_QUERY_TERMS, MAX_TERMS
from search.errors import InputError
from search.records import Filters

KNOWN = ("document_id", "kind", "topic")


def test_each_word_is_a_clause_that_counts_as_often_as_it_is_asked_by_its_weight() -> None:
    assert queries.words_query({"report": 2, "firm": 0.5}, [], "searched") == {
        "query": {
            "bool": {
                "should": [
                    {"term": {"searched": {"value": "report", "boost": 2}}},
                    {"term": {"searched": {"value": "firm", "boost": 0.5}}},
                ],
                "minimum_should_match": 1,
            }
        }
    }


def test_a_filter_goes_beside_the_words_and_one_word_must_still_match() -> None:
    clause = {"terms": {"facets": ["kind=rule"]}}
    body = queries.words_query(["firm"], [clause], "searched")["query"]["bool"]
    assert body["filter"] == [clause]
    assert body["minimum_should_match"] == 1


def test_the_first_words_of_a_very_long_question_count() -> None:
    words = [f"w{i}" for i in range(MAX_QUERY_TERMS + 5)]
    clauses = queries.words_query(words, [], "searched")["query"]["bool"]["should"]
    asked = [clause["term"]["searched"]["value"] for clause in clauses]
    assert asked == words[:MAX_QUERY_TERMS]


def test_a_retriever_reads_nothing_but_the_numbers_that_it_is_sorted_by() -> None:
    body = queries.best_hits({"query": {"match_all": {}}}, 110, ["row", "kind_code"])
    assert body == {
        "query": {"match_all": {}}, "size": 110, "_source": False, "stored_fields": "_none_",
        "sort": ["_score", {"row": "asc"}, {"kind_code": "asc"}], "track_total_hits": False,
    }  # fmt: skip


def test_part_of_an_answer_is_never_taken_for_the_whole() -> None:
    assert queries.header("rules-1")["allow_partial_search_results"] is False


def test_filters_are_exact_terms() -> None:
    clauses = queries.filter_clauses(Filters({"topic": ("aml", "funds"), "kind": ("rule",)}), KNOWN)
    assert clauses == [
        {"terms": {"facets": [facet("topic", "aml"), facet("topic", "funds")]}},
        {"terms": {"facets": [facet("kind", "rule")]}},
    ]


def test_lookups_have_fields_of_their_own() -> None:
    filters = Filters({"id": ("A/1",), "parent": ("A/0",), "number": ("1.2",)})
    assert queries.filter_clauses(filters, ()) == [
        {"terms": {"_id": [passage_key("A/1")]}},
        {"terms": {"key_of_parent": [passage_key("A/0")]}},
        {"terms": {"numbers": ["1.2"]}},
    ]


def test_of_no_value_nothing_has_one() -> None:
    assert queries.filter_clauses(Filters({"kind": ()}), KNOWN) == [{"match_none": {}}]


def test_an_unknown_field_is_refused_with_the_known_ones() -> None:
    told = "unknown filter field 'colour'; this index has: document_id, kind, topic"
    with pytest.raises(InputError, match=told):
        queries.filter_clauses(Filters({"colour": ("red",)}), KNOWN)


def test_more_values_than_a_clause_takes_are_several_clauses() -> None:
    clause = queries.any_of("row", list(range(MAX_TERMS + 1)))["bool"]
    assert [len(part["terms"]["row"]) for part in clause["should"]] == [MAX_TERMS, 1]
    assert clause["minimum_should_match"] == 1


def test_pages_go_on_behind_the_last_row() -> None:
    first = queries.in_order([], 10, ("row", "text"))
    assert first["query"] == {"match_all": {}}
    assert "search_after" not in first
    assert queries.in_order([], 10, ("row",), after=7)["search_after"] == [7]


def test_documents_of_passages_are_counted_page_by_page() -> None:
    clause = {"terms": {"facets": ["kind=rule"]}}
    body = queries.documents_of([clause], 50, after=None)
    assert body["size"] == 0
    assert body["query"] == {"bool": {"filter": [clause]}}
    assert "after" not in body["aggs"]["documents"]["composite"]
    composite = queries.documents_of([], 50, after=9)["aggs"]["documents"]["composite"]
    assert composite["after"] == {"document": 9}
