"""What all engines take from passages: facets to filter by, and what those of a document share."""

from __future__ import annotations

from engine_samples import passage

from search.engines.stored_rows import CommonMetadata, facets_of


def test_each_value_of_a_field_is_a_facet_as_filters_write_it() -> None:
    metadata = {"topic": ("fees", "funds"), "year": 2024, "draft": True}
    found = facets_of(passage("COND", "1", "A rule.", kind="rule", metadata=metadata))
    assert sorted(found) == [
        ("document_id", "COND"), ("draft", "true"), ("kind", "rule"), ("topic", "fees"),
        ("topic", "funds"), ("year", "2024"),
    ]  # fmt: skip


def test_document_and_kind_are_those_of_the_passage() -> None:
    odd = passage("COND", "1", "A rule.", metadata={"document_id": "AMLR", "kind": "odd"})
    assert dict(facets_of(odd)) == {"document_id": "COND", "kind": odd.kind}


def test_a_document_has_the_metadata_that_all_its_passages_have() -> None:
    common = CommonMetadata()
    assert (common.title, common.passages, common.metadata()) == ("", 0, {})
    untitled = {"version": "2", "topic": ("a", "b"), "page": 1}
    common.add(passage("A", "1", "one", document_title="", metadata=untitled))
    titled = {"version": "2", "topic": ("a", "b"), "page": 2}
    common.add(passage("A", "2", "two", document_title="Act", metadata=titled))
    common.add(passage("A", "3", "three", document_title="Other", metadata=titled))
    assert (common.title, common.passages) == ("Act", 3)
    assert common.metadata() == {"topic": ("a", "b"), "version": "2"}
