"""What reading from a server has beside the conformance suite: graphs, pages, lost generations."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from engine_samples import DIMENSION, IndexUnderTest, ids, question, texts, vector
from fault_support import ServerIndex, at
from server_processes import TestServer

from search.engines.protocol import RetrievalRequest
from search.engines.servers.searching import queries
from search.engines.servers.searching.engine import ServerEngine
from search.engines.servers.searching.retrievers import READ_AHEAD
from search.errors import IndexUnavailableError, ModelError
from search.records import Filters

COPIES = 40


@pytest.fixture
def index(index_url: str) -> ServerIndex:
    return at(index_url)


@pytest.fixture
def graph(index_url: str) -> ServerIndex:
    """An index whose vectors are found by a graph, however few they are."""
    return at(index_url, exact_up_to=0)


def rules(count: int) -> list[str]:
    return [f"rule {i} binds {i % 7} firms and {i % 5} funds" for i in range(count)]


@contextmanager
def opened(index: IndexUnderTest) -> Iterator[ServerEngine]:
    with index.opened() as engine:
        assert isinstance(engine, ServerEngine)
        yield engine


def test_the_description_names_server_and_way_of_search(
    server: TestServer, index: ServerIndex
) -> None:
    index.write(texts("A", "a rule"))
    with opened(index) as engine:
        told = engine.describe()
    assert told.engine.lower().startswith(f"{server.product} ")
    assert told.engine.rpartition(" ")[2][0].isdigit()
    assert told.vector_search == "exact"


def test_the_best_passages_need_no_second_request(
    index: ServerIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.write(texts("A", *rules(60)))
    with opened(index) as engine:
        found = engine.run(question("rule 7 binds firms", depth=60))
        monkeypatch.setattr(engine._client, "request", None)
        best = [retriever.keys[:READ_AHEAD].tolist() for retriever in (found.lexical, found.dense)]
        keys = [key for keys in best for key in keys]
        assert [passage.text for passage in engine.passages(keys[:1])] == [
            "rule 7 binds 0 firms and 2 funds"
        ]
        assert len(engine.passages(keys)) == 2 * READ_AHEAD


def test_a_graph_finds_what_an_exact_comparison_finds(graph: ServerIndex) -> None:
    graph.write(texts("A", *rules(300)), texts("B", *rules(200)))
    with opened(graph) as engine:
        assert "HNSW" in engine.describe().vector_search
        every = [passage.text for _, passage in engine.find(Filters())]
        vectors = np.stack([vector(text) for text in every])
        shares = []
        for asked in vectors[::25]:
            found = engine.run(RetrievalRequest(vector=asked, depth=20)).dense
            nearest = np.sort(vectors @ asked)[-20]
            cosines = [vector(one.text) @ asked for one in engine.passages(found.keys.tolist())]
            shares.append(np.mean(np.array(cosines) >= nearest - 1e-5))
    assert len(shares) == 20
    assert np.mean(shares) > 0.95


def test_a_graph_gives_cosines(graph: ServerIndex) -> None:
    graph.write(texts("A", *rules(50)))
    with opened(graph) as engine:
        best = engine.run(question(rules(50)[7])).dense[0]
        assert ids(engine, [best]) == ["A/8"]
    assert best.score == pytest.approx(1, abs=2e-3)


def test_a_graph_of_equal_vectors_loses_nothing_else(graph: ServerIndex) -> None:
    graph.write(texts("A", *["Deleted."] * COPIES, *rules(60)))
    with opened(graph) as engine:
        assert len(engine.run(question("Deleted.", depth=100)).dense) == COPIES + 60


def test_filters_hold_within_a_graph(graph: ServerIndex) -> None:
    graph.write(texts("A", *rules(200)), texts("B", *rules(3)))
    with opened(graph) as engine:
        found = engine.run(question(rules(9)[8], depth=10, document_id="B")).dense
        assert sorted(ids(engine, found)) == ["B/1", "B/2", "B/3"]


def test_any_number_of_passages_comes_page_by_page(
    index: ServerIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "PAGE", 7)
    monkeypatch.setattr(queries, "MAX_BUCKETS", 2)
    books = [texts(name, *rules(9)) for name in "ABCDE"]
    index.write(*books)
    everything = [passage for book in books for passage in book]
    with opened(index) as engine:
        found = engine.find(Filters())
        assert [passage for _, passage in found] == everything
        assert [passage for _, passage in engine.find(Filters(), limit=14)] == everything[:14]
        assert engine.passages([one.key for one, _ in reversed(found)]) == everything[::-1]
        of_rules = engine.run(question("rule", kind="rule"))
        assert [name for name, _ in of_rules.documents] == list("ABCDE")
        assert engine.verify() == []


def test_what_is_missing_on_the_server_is_found(server: TestServer, index: ServerIndex) -> None:
    index.write(texts("A", *rules(5)), texts("B", *rules(3), ""))
    name = index.url.rpartition("/")[2]
    with opened(index) as engine:
        assert engine.verify() == []
        lose(server, name, engine.run(question("rule 4 binds", document_id="A")).lexical[0].key)
        problems = engine.verify()
    assert any("should hold 9 passages and holds 8" in one for one in problems)
    assert any("should hold 8 vectors and holds 7" in one for one in problems)
    assert any("the document 'A' should have 5 passages and has 4" in one for one in problems)
    assert len(problems) == 3
    back = f"or go back with: rirag reindex --rollback --index {index.url}"
    assert all(one.endswith(back) for one in problems)


def lose(server: TestServer, name: str, row: object) -> None:
    """Delete one passage behind rirag's back."""
    found = server.call("POST", f"/{name}/_search", {"query": {"term": {"row": row}}})
    (hit,) = found["hits"]["hits"]
    server.call("PUT", f"/{hit['_index']}/_settings", {"index.blocks.write": None})
    server.call("DELETE", f"/{hit['_index']}/_doc/{hit['_id']}?refresh=true")


def test_a_generation_that_is_gone_is_told(server: TestServer, index: ServerIndex) -> None:
    index.write(texts("A", *rules(3)))
    with opened(index) as engine:
        server.wipe(index.url.rpartition("/")[2])
        for work in (
            lambda: engine.run(question("rule")),
            lambda: engine.passages([0]),
            lambda: engine.find(Filters()),
            engine.verify,
        ):
            with pytest.raises(IndexUnavailableError, match="open the index again"):
                work()


def test_fetched_passages_are_not_fetched_again(server: TestServer, index: ServerIndex) -> None:
    index.write(texts("A", *rules(3)))
    with opened(index) as engine:
        keys = [one.key for one in engine.run(question("rule")).lexical]
        first = engine.passages(keys)
        server.wipe(index.url.rpartition("/")[2])
        assert engine.passages(keys[::-1]) == first[::-1]


def test_a_vector_of_another_encoder_is_refused(index: ServerIndex) -> None:
    index.write(texts("A", "a rule"))
    vector = np.ones(DIMENSION + 1, np.float32)
    with opened(index) as engine, pytest.raises(ModelError, match="of dimension"):
        engine.run(RetrievalRequest(vector=vector))


def test_half_a_character_is_only_a_word_that_nobody_wrote(index: ServerIndex) -> None:
    index.write(texts("A", "a rule"))
    request = RetrievalRequest(tokens=("rule", "caf\udce9"))
    with opened(index) as engine:
        assert ids(engine, engine.run(request).lexical) == ["A/1"]
        assert engine.find(Filters({"id": ("\ud800",), "document_id": ("\ud800",)})) == []
