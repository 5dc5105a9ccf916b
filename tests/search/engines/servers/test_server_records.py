"""Passages as a server keeps them: what goes in comes out, and terms mean one thing each."""

from __future__ import annotations

import json

import pytest
from engine_samples import passage, record

from search.engines.servers.records import (
    MAX_TERM,
    ROWS_A_DOCUMENT,
    facet,
    facets,
    passage_key,
    passage_of,
    passage_source,
)
from search.records import Passage

WHOLE = passage(
    "COBS",
    "3.4.2.(b)",
    "A Firm must not mislead.",
    kind="guidance",
    order=1,
    depth=4,
    parent="COBS/3.4.2",
    breadcrumb=("3 Promotions", "3.4 Content"),
    metadata={
        "topic": ("promotion", "conduct"),
        "year": 2023,
        "a.b.": 0.5,
        "": True,
        "status": "x",
    },
    source="cobs.json:7",
)
BARE = Passage("", "", "", "")


@pytest.mark.parametrize("one", [WHOLE, BARE], ids=["whole", "bare"])
def test_a_passage_comes_back_as_it_went_in(one: Passage) -> None:
    source = json.loads(json.dumps(passage_source(record(one), 5, [], None)))
    assert passage_of(source) == one


def test_the_terms_of_a_passage_are_searched_and_its_text_comes_back() -> None:
    one = record(passage("A", "1", "☎ The rules \u200e6.8.1\u200e(b)\u200e"))
    source = passage_source(one, 0, [], None)
    assert source["searched"] == "rule 6.8.1 b" == " ".join(one.tokens)
    assert passage_of(source) == one.passage


def test_rows_say_which_document() -> None:
    source = passage_source(record(WHOLE), 3 * ROWS_A_DOCUMENT + 7, ["COBS/3"], "packed")
    assert (source["row"], source["document"]) == (3 * ROWS_A_DOCUMENT + 7, 3)
    assert source["ancestors"] == ["COBS/3"]
    assert source["vector"] == "packed"
    assert source["key_of_parent"] == passage_key("COBS/3.4.2")


def test_metadata_that_people_look_for_has_a_field_of_its_own() -> None:
    source = passage_source(record(WHOLE), 0, [], None)
    assert source["status"] == ["x"]
    assert source["topic"] == ["promotion", "conduct"]
    assert "year" not in source


def test_an_empty_passage_has_no_vector_and_says_so() -> None:
    source = passage_source(record(BARE), 0, [], None)
    assert source["empty"] is True
    assert not {"vector", "vector_hash", "parent", "key_of_parent"} & set(source)


def test_facets_name_every_value_of_every_field() -> None:
    assert facets(WHOLE) == sorted(
        facet(*pair)
        for pair in [
            ("document_id", "COBS"), ("kind", "guidance"), ("topic", "promotion"),
            ("topic", "conduct"), ("year", "2023"), ("a.b.", "0.5"), ("", "true"), ("status", "x"),
        ]
    )  # fmt: skip


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("a", "b=c"), ("a=b", "c")),
        (("a", "=b=c"), ("a=b", "c")),
        (("a\\", "=b"), ("a\\=", "b")),
        (("a", "x" * MAX_TERM), ("a", "x" * MAX_TERM + "y")),
        (("a" * MAX_TERM, "x"), ("a" * MAX_TERM, "y")),
    ],
)
def test_no_two_conditions_share_a_term(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert facet(*one) != facet(*other)


def test_no_term_is_longer_than_a_server_takes() -> None:
    assert len(facet("é" * 90_000, "é" * 90_000).encode()) < 32_766
    assert len(passage_key("é" * 90_000)) == 64
