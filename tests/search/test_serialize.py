"""The JSON contract of hits, documents and results: names, types, nothing lost."""

from __future__ import annotations

import json
from collections.abc import Callable

from sample import record

from search.index import Index
from search.serialize import document_to_json, hit_to_json, passage_to_json, result_to_json

HIT = (
    "rank", "id", "document_id", "passage_id", "document_title", "breadcrumb", "passage", "kind",
    "parent", "metadata", "source", "score", "relevance", "definition", "scores",
)  # fmt: skip
SCORES = ("lexical", "dense", "document", "votes", "fused", "rerank", "learned", "number")


def test_a_result_is_question_plan_and_hits(rulebook: Index) -> None:
    data = result_to_json(rulebook.search("client money", 3))
    assert json.loads(json.dumps(data)) == data
    assert list(data) == ["question", "plan", "hits"]
    assert data["question"] == "client money"
    assert len(data["hits"]) == 3  # type: ignore[arg-type]


def test_a_hit_has_the_fields_of_the_contract(rulebook: Index) -> None:
    hit = rulebook.search("shortfall of client money", 1, filters={"kind": "rule"}).hits[0]
    data = hit_to_json(hit)
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
    scores = hit_to_json(rulebook.search("client money reconciliation", 1).hits[0])["scores"]
    assert tuple(scores) == SCORES
    for retriever in ("lexical", "dense", "document", "fused"):
        assert list(scores[retriever]) == ["raw", "normalised", "rank"]
        assert 0 <= scores[retriever]["normalised"] <= 1
        assert scores[retriever]["rank"] >= 1
    assert scores["lexical"]["raw"] > 1, "BM25, not normalised"
    assert (scores["rerank"], scores["learned"], scores["number"]) == (None, None, None)


def test_a_retriever_that_did_not_propose_the_passage_is_null(rulebook: Index) -> None:
    hits = result_to_json(rulebook.search("tipping off", 50))["hits"]
    assert any(hit["scores"]["lexical"] is None for hit in hits)  # type: ignore[attr-defined]


def test_a_named_rule_shows_why_it_is_first(rulebook: Index) -> None:
    assert hit_to_json(rulebook.search("COND 6.2.2", 1).hits[0])["scores"]["number"] == 1.0


def test_text_and_metadata_come_out_as_they_went_in(index_of: Callable[..., Index]) -> None:
    text = 'Sell "no" <b>widget</b>\n\t\u202eÜñí 🙂\u2028end.'
    fields = {"topics": ["sale", "safety"], "year": 2025, "draft": False, "weight": 1.5}
    index = index_of(record("1", text, **fields))
    data = hit_to_json(index.search("widget", 1).hits[0])
    assert data["passage"] == text
    assert data["metadata"] == fields
    assert data["parent"] is None
    assert json.loads(json.dumps(data)) == data


def test_a_passage_by_itself_has_the_fields_of_a_hit(rulebook: Index) -> None:
    passage = rulebook.passages({"document_id": "COND"})[5]
    without = ("rank", "score", "relevance", "definition", "scores")
    assert tuple(passage_to_json(passage)) == tuple(name for name in HIT if name not in without)


def test_a_document_has_id_title_size_and_what_its_passages_share(rulebook: Index) -> None:
    first = document_to_json(rulebook.documents()[0])
    assert first == {
        "document_id": "AMLR",
        "title": "Anti-Money Laundering Rulebook (AMLR)",
        "passages": len(rulebook.passages({"document_id": "AMLR"})),
        "metadata": {
            "effective": "2025-07-01",
            "jurisdiction": "Halmere Financial Centre",
            "regime": "common law",
            "status_in_time": "in-force",
            "version": "1.4",
        },
    }
