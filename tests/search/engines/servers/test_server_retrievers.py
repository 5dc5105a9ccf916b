"""The retrievers of a question: what is asked, when it is asked again, what comes out."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from fault_support import unconnected

from search.candidates import Candidate, Candidates
from search.engines.protocol import SCHEMA_VERSION, RetrievalRequest, RetrievalResults
from search.engines.servers.manifest import Generation, Manifest
from search.engines.servers.mapping import WINDOW
from search.engines.servers.records import ROWS_A_DOCUMENT, SEARCHED
from search.engines.servers.searching.queries import MAX_QUERY_TERMS
from search.engines.servers.searching.retrievers import READ_AHEAD, TIES, Retrievers
from search.errors import InputError, ModelError
from search.records import KINDS, Filters

MANIFEST = Manifest(
    state="complete", generation="20260101t000000000000z", encoder_name="e", encoder_dimension=2,
    encoder_revision="1", exact=True, filter_fields=("document_id", "kind"),
)  # fmt: skip
VECTOR = np.array([1, 0], np.float32)
NOTHING: dict[str, Any] = {"hits": {"hits": []}}


@pytest.fixture
def results() -> Retrievers:
    generation = Generation(MANIFEST, "rules-1", "rules-documents-1")
    return Retrievers(unconnected("elasticsearch"), generation, {0: "A", 1: "B"}, lambda _: None)


def hits(*scored: tuple[int, float], kind: int = 0) -> dict[str, Any]:
    """The answer of a retriever, sorted as the server would sort it."""
    best_first = sorted(scored, key=lambda one: (-one[1], one[0]))
    found = [{"sort": [score, row, kind]} for row, score in best_first]
    return {"hits": {"hits": found}}


class Talk:
    """Runs retrievers with prepared answers and keeps what was asked."""

    def __init__(
        self, results: Retrievers, request: RetrievalRequest, *answers: Sequence[dict[str, Any]]
    ) -> None:
        self.asked: list[list[Any]] = []
        self.results = RetrievalResults()
        waiting = iter(answers)

        def ask(lines: list[Any]) -> list[dict[str, Any]]:
            self.asked.append(lines)
            return list(next(waiting))

        with suppress(StopIteration):  # what comes afterwards is not looked at
            results._client.multi_search = ask  # type: ignore[method-assign]
            self.results = results.run(request)

    def indices(self, turn: int = 0) -> list[str]:
        return [line["index"] for line in self.asked[turn][::2]]

    def bodies(self, turn: int = 0) -> list[dict[str, Any]]:
        return self.asked[turn][1::2]


def test_all_retrievers_go_in_one_request(results: Retrievers) -> None:
    request = RetrievalRequest(("firm",), VECTOR, depth=5, documents=True)
    second = ROWS_A_DOCUMENT + 3
    talk = Talk(results, request, [hits((second, 9.5), kind=1), hits((4, 0.75)), hits((1, 2.5))])
    assert len(talk.asked) == 1
    assert talk.indices() == ["rules-1", "rules-1", "rules-documents-1"]
    assert talk.results == RetrievalResults(
        lexical=Candidates.of([Candidate(second, "B", 9.5, KINDS[1])]),
        dense=Candidates.of([Candidate(4, "A", 0.5)]),
        documents=(("B", 2.5),),
    )


def test_a_small_index_sends_the_passages_of_the_best_hits_along() -> None:
    kept: list[Any] = []
    generation = Generation(MANIFEST, "rules-1", "rules-documents-1")
    results = Retrievers(unconnected("elasticsearch"), generation, {0: "A"}, kept.extend)
    best = {"best": {"hits": {"hits": [{"_source": {"row": 4}}]}}}
    request = RetrievalRequest(("firm",), VECTOR, documents=True)
    talk = Talk(results, request, [NOTHING, {**hits((4, 0.7)), "aggregations": best}, NOTHING])
    lexical, dense, documents = talk.bodies()
    assert lexical["aggs"]["best"]["top_hits"]["size"] == READ_AHEAD
    assert "aggs" in dense
    assert "aggs" not in documents
    assert kept == [{"row": 4}]


def test_a_large_index_sends_none() -> None:
    manifest = MANIFEST.model_copy(update={"exact": False})
    generation = Generation(manifest, "rules-1", "rules-documents-1")
    results = Retrievers(unconnected("elasticsearch"), generation, {0: "A"}, lambda _: None)
    talk = Talk(results, RetrievalRequest(("firm",), VECTOR, depth=5), [NOTHING, NOTHING])
    assert all("aggs" not in body for body in talk.bodies())


@pytest.mark.parametrize(
    ("request_", "indices"),
    [
        (RetrievalRequest((), VECTOR, documents=True), ["rules-1"]),
        (RetrievalRequest(("firm",), None), ["rules-1"]),
        (RetrievalRequest(("firm",), None, documents=True), ["rules-1", "rules-documents-1"]),
    ],
)
def test_only_the_wanted_retrievers_are_run(
    results: Retrievers, request_: RetrievalRequest, indices: list[str]
) -> None:
    assert Talk(results, request_, [NOTHING] * len(indices)).indices() == indices


@pytest.mark.parametrize("vector", [None, np.zeros(2, np.float32)], ids=["none", "zero"])
def test_with_neither_words_nor_direction_nothing_is_asked(
    results: Retrievers, vector: np.ndarray | None
) -> None:
    talk = Talk(results, RetrievalRequest((), vector, documents=True))
    assert talk.asked == []
    assert talk.results == RetrievalResults(notes=talk.results.notes)


def test_ties_come_in_the_order_of_the_index(results: Retrievers) -> None:
    request = RetrievalRequest(("firm",), depth=3)
    talk = Talk(results, request, [hits((9, 1.0), (5, 2.0), (7, 1.0), (2, 1.0))])
    assert [one.key for one in talk.results.lexical] == [5, 2, 7]


def test_a_retriever_whose_last_wanted_hit_ties_with_all_that_follow_is_asked_for_more(
    results: Retrievers,
) -> None:
    depth = 3
    tied = [(row, 1.0) for row in range(100, 100 + depth + TIES)]
    more = [*tied, (1, 1.0), (500, 0.5)]
    request = RetrievalRequest(("firm",), VECTOR, depth=depth)
    talk = Talk(results, request, [hits(*tied), hits((3, 0.9))], [hits(*more)])
    assert [body["size"] for body in talk.bodies(0)] == [depth + TIES] * 2
    assert [body["size"] for body in talk.bodies(1)] == [(depth + TIES) * 4]
    assert [one.key for one in talk.results.lexical] == [1, 100, 101]
    assert [one.key for one in talk.results.dense] == [3]


def test_no_retriever_is_deeper_than_a_server_allows_and_the_plan_says_so(
    results: Retrievers,
) -> None:
    request = RetrievalRequest(("firm",), VECTOR, depth=WINDOW + 1)
    talk = Talk(results, request, [NOTHING, NOTHING])
    assert [body["size"] for body in talk.bodies()] == [WINDOW, WINDOW]
    assert talk.results.notes == (
        "each retriever returned at most 10,000 of the 10,001 requested candidates",
    )


def test_words_that_were_left_out_are_told(results: Retrievers) -> None:
    words = tuple(f"w{i}" for i in range(MAX_QUERY_TERMS + 500))
    talk = Talk(results, RetrievalRequest(words), [NOTHING])
    assert talk.results.notes == (
        "the search used only the first 1,000 of the question's 1,500 different words",
    )


def test_a_filter_on_documents_needs_no_question_of_its_own(results: Retrievers) -> None:
    filters = Filters({"document_id": ("A",)})
    talk = Talk(
        results, RetrievalRequest(("firm",), documents=True, filters=filters), [NOTHING, NOTHING]
    )
    assert len(talk.asked) == 1
    on_passages, on_documents = (body["query"]["bool"]["filter"] for body in talk.bodies())
    assert on_passages == [{"terms": {"facets": ["document_id=A"]}}]
    assert on_documents == [{"terms": {"key": ["document_id=A"]}}]


def documents(*positions: int, after: int | None = None) -> dict[str, Any]:
    buckets = [{"key": {"document": position}, "doc_count": 1} for position in positions]
    page: dict[str, Any] = {"buckets": buckets}
    if after is not None:
        page["after_key"] = {"document": after}
    return {"aggregations": {"documents": page}}


def test_documents_that_have_such_passages_are_found_first_and_remembered(
    results: Retrievers,
) -> None:
    filters = Filters({"kind": ("rule",)})
    request = RetrievalRequest(("firm",), documents=True, filters=filters)
    pages = [[documents(0, after=0)], [documents(1)]]
    talk = Talk(results, request, *pages, [NOTHING, NOTHING])
    assert [len(turn) for turn in talk.asked] == [2, 2, 4]
    assert talk.bodies(2)[1]["query"]["bool"]["filter"] == [{"terms": {"row": [0, 1]}}]
    again = Talk(results, request, [NOTHING, NOTHING])
    assert again.asked == talk.asked[2:]


def test_a_filter_field_that_nobody_knows_is_refused_before_anything_is_asked(
    results: Retrievers,
) -> None:
    request = RetrievalRequest(("firm",), filters=Filters({"colour": ("red",)}))
    with pytest.raises(InputError, match="'colour'"):
        Talk(results, request)


def test_a_vector_of_another_length_names_the_encoder(results: Retrievers) -> None:
    request = RetrievalRequest((), np.ones(3, np.float32))
    with pytest.raises(ModelError, match=r"shape \(3,\), .* dimension 2; .* e$"):
        Talk(results, request)


@pytest.mark.parametrize(("version", "field"), [(2, "text"), (SCHEMA_VERSION, SEARCHED)])
def test_an_older_index_is_searched_without_context(version: int, field: str) -> None:
    manifest = MANIFEST.model_copy(update={"schema_version": version})
    generation = Generation(manifest, "rules-1", "rules-documents-1")
    results = Retrievers(unconnected("elasticsearch"), generation, {0: "A"}, lambda _: None)
    asked = Talk(results, RetrievalRequest(tokens=("firm",)), [NOTHING]).asked[0]
    (clause,) = asked[1]["query"]["bool"]["should"]
    assert list(clause["term"]) == [field]
