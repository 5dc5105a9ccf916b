"""The JSON contract of hits, documents and results: names, types, nothing lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import pytest
from sample import record

from search.index import Index
from search.json_form import Record, to_json


class Size(NamedTuple):
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Box(Record):
    name: str
    size: Size = field(default_factory=lambda: Size(1, 2))

    json_form = "called=name"

    def label(self) -> str:
        return f"box {self.name}"


@dataclass(frozen=True, slots=True)
class Shelf(Record):
    boxes: tuple[Box, ...] = (Box("a"), Box("b"))
    first: Box | None = field(default_factory=lambda: Box("a"))
    empty: None = None


FORMS = [
    ("", {"boxes": [{"called": "a"}, {"called": "b"}], "first": {"called": "a"}, "empty": None}),
    ("first.name", {"name": "a"}),
    ("names=boxes.name labels=boxes.label", {"names": ["a", "b"], "labels": ["box a", "box b"]}),
    ("second=boxes.1 width=first.size.width", {"second": {"called": "b"}, "width": 1}),
    ("first.* empty", {"called": "a", "empty": None}),
    ("first.*(name size) empty", {"name": "a", "size": {"width": 1, "height": 2}, "empty": None}),
    ("boxes(size(height)) empty(name)", {"boxes": [{"size": {"height": 2}}] * 2, "empty": None}),
    (
        "* first=first.name",
        {"boxes": [{"called": "a"}, {"called": "b"}], "first": "a", "empty": None},
    ),
    ("both=(first.* size=first.size.height)", {"both": {"called": "a", "size": 2}}),
]


@pytest.mark.parametrize(("form", "written"), FORMS)
def test_a_form_says_what_is_written(form: str, written: dict[str, object]) -> None:
    assert to_json(Shelf(), form) == written
    assert list(to_json(Shelf(), form)) == list(written)


def test_collections_and_plain_values_are_written_as_they_are() -> None:
    mixed = {"one": (Box("a"), {"b": [1, None, "c", True, 0.5]}), "two": frozenset({3})}
    assert to_json(mixed) == {
        "one": [{"called": "a"}, {"b": [1, None, "c", True, 0.5]}], "two": [3],
    }  # fmt: skip
    assert to_json((Box("a"), None), "name") == [{"name": "a"}, None]


IN_TIME = ("version_id", "valid_from", "valid_to", "status", "standing", "names_days")
HIT = (
    "rank", "id", "document_id", "passage_id", "document_title", "breadcrumb", "passage", "kind",
    "parent", "metadata", "source", *IN_TIME,
    "score", "relevance", "definition", "spans", "scores",
)  # fmt: skip
SCORES = (
    "lexical", "dense", "document", "votes", "help", "fused", "rerank", "learned", "number",
)  # fmt: skip


def test_a_result_is_question_plan_and_hits(rulebook: Index) -> None:
    data = to_json(rulebook.search("client money", 3))
    assert json.loads(json.dumps(data)) == data
    assert list(data) == ["question", "plan", "total", "hits"]
    assert data["question"] == "client money"
    assert len(data["hits"]) == 3  # type: ignore[arg-type]


def test_a_hit_has_the_fields_of_the_contract(rulebook: Index) -> None:
    hit = rulebook.search("shortfall of client money", 1, filters={"kind": "rule"}).hits[0]
    data = to_json(hit)
    assert tuple(data) == HIT
    assert data["rank"] == 1
    assert (data["id"], data["document_id"], data["passage_id"]) == (
        hit.id, "COND", "5.2.2",
    )  # fmt: skip
    assert data["document_title"] == "Conduct Rulebook (COND)"
    assert data["breadcrumb"][0].startswith("5 ")
    assert data["passage"] == hit.text
    assert data["kind"] == "rule"
    assert data["metadata"]["version"] == "2.1"
    assert data["source"].startswith("conduct.txt:")
    assert data["score"] == hit.score


def test_each_retriever_shows_raw_and_normalised_score_and_rank(rulebook: Index) -> None:
    scores = to_json(rulebook.search("client money reconciliation", 1).hits[0])["scores"]
    assert tuple(scores) == SCORES
    for retriever in ("lexical", "dense", "document", "fused"):
        assert list(scores[retriever]) == ["raw", "normalised", "rank"]
        assert 0 <= scores[retriever]["normalised"] <= 1
        assert scores[retriever]["rank"] >= 1
    assert scores["lexical"]["raw"] > 1, "BM25, not normalised"
    assert (scores["rerank"], scores["learned"], scores["number"]) == (None, None, None)


def test_a_retriever_that_did_not_propose_the_passage_is_null(rulebook: Index) -> None:
    hits = to_json(rulebook.search("tipping off", 50))["hits"]
    assert any(hit["scores"]["lexical"] is None for hit in hits)  # type: ignore[attr-defined]


def test_a_named_rule_shows_why_it_is_first(rulebook: Index) -> None:
    assert to_json(rulebook.search("COND 6.2.2", 1).hits[0])["scores"]["number"] == 1.0


def test_text_and_metadata_come_out_as_they_went_in(index_of: Callable[..., Index]) -> None:
    text = 'Sell "no" <b>widget</b>\n\t\u202eÜñí 🙂\u2028end.'
    fields = {"topics": ["sale", "safety"], "year": 2025, "draft": False, "weight": 1.5}
    index = index_of(record("1", text, **fields))
    data = to_json(index.search("widget", 1).hits[0])
    assert data["passage"] == text
    assert data["metadata"] == fields
    assert data["parent"] is None
    assert json.loads(json.dumps(data)) == data


def test_a_passage_by_itself_has_the_fields_of_a_hit(rulebook: Index) -> None:
    passage = rulebook.passages({"document_id": "COND"})[5]
    without = ("rank", "score", "relevance", "definition", "spans", "scores", *IN_TIME)
    assert tuple(to_json(passage)) == tuple(name for name in HIT if name not in without)


def test_a_document_has_id_title_size_and_what_its_passages_share(rulebook: Index) -> None:
    first = to_json(rulebook.documents()[0])
    assert first == {
        "document_id": "AMLR",
        "title": "Anti-Money Laundering Rulebook (AMLR)",
        "passages": len(rulebook.passages({"document_id": "AMLR"})),
        "metadata": {
            "effective": "2025-07-01",
            "jurisdiction": "Halmere Financial Centre",
            "regime": "common law",
            "status_in_time": "2025-07-01/..",
            "version": "1.4",
        },
    }
