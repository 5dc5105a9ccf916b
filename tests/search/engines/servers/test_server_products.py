"""What Elasticsearch and OpenSearch do differently: their vectors."""

from __future__ import annotations

import base64

import numpy as np
import pytest
from fault_support import unconnected

VECTOR = np.array([0.6, -0.8], np.float32)
CLAUSE = {"terms": {"facets": ["kind=rule"]}}


def test_elasticsearch_takes_vectors_packed_from_the_version_that_knows_them() -> None:
    packed = unconnected("elasticsearch", 9, 5, 3).vector_value(VECTOR)
    assert np.frombuffer(base64.b64decode(packed), ">f4").tolist() == VECTOR.tolist()
    for version in ((8, 19, 0), (9, 2, 8), ()):
        assert unconnected("elasticsearch", *version).vector_value(VECTOR) == VECTOR.tolist()


def test_elasticsearch_compares_all_vectors_of_an_exact_index() -> None:
    assert unconnected("elasticsearch").dense_query(VECTOR, 10, [], exact=True) == {
        "knn": {
            "field": "vector", "query_vector": VECTOR.tolist(), "k": 10, "num_candidates": 10,
        }
    }  # fmt: skip


def test_elasticsearch_looks_further_and_scores_again_where_there_is_a_graph() -> None:
    knn = unconnected("elasticsearch").dense_query(VECTOR, 10, [CLAUSE], exact=False)["knn"]
    assert knn["num_candidates"] > knn["k"] == 10
    assert knn["rescore_vector"]["oversample"] > 1
    assert knn["filter"] == [CLAUSE]


def test_elasticsearch_is_not_asked_for_more_candidates_than_it_gives() -> None:
    knn = unconnected("elasticsearch").dense_query(VECTOR, 10_000, [], exact=False)["knn"]
    assert knn["num_candidates"] == 10_000


def test_opensearch_scores_every_vector_that_meets_the_filters() -> None:
    query = unconnected("opensearch").dense_query(VECTOR, 10, [CLAUSE], exact=True)["query"]
    scored = query["script_score"]
    assert scored["query"]["bool"]["filter"] == [{"exists": {"field": "vector"}}, CLAUSE]
    assert scored["script"]["source"] == "knn_score"
    assert scored["script"]["params"]["query_value"] == pytest.approx([0.6, -0.8], abs=1e-7)


def test_opensearch_filters_within_its_graph() -> None:
    client = unconnected("opensearch")
    knn = client.dense_query(VECTOR, 10, [CLAUSE], exact=False)["query"]["knn"]["vector"]
    assert knn["k"] > 10
    assert knn["filter"] == {"bool": {"filter": [CLAUSE]}}
    far = client.dense_query(VECTOR, 9000, [], exact=False)["query"]["knn"]["vector"]
    assert far["k"] == 10_000


@pytest.mark.parametrize("cosine", [1.0, 0.3, 0.0, -0.7, -1.0])
def test_scores_are_turned_into_cosines(cosine: float) -> None:
    half = np.array([(1 + cosine) / 2])
    squared_distance = 2 - 2 * cosine
    elasticsearch, opensearch = unconnected("elasticsearch"), unconnected("opensearch")
    assert elasticsearch.cosines(half, exact=True) == pytest.approx(cosine)
    assert elasticsearch.cosines(half, exact=False) == pytest.approx(cosine)
    assert opensearch.cosines(half, exact=False) == pytest.approx(cosine)
    by_distance = np.array([1 / (1 + squared_distance)])
    assert opensearch.cosines(by_distance, exact=True) == pytest.approx(cosine)


@pytest.mark.parametrize(
    ("product", "version", "factor"),
    [
        ("opensearch", (2, 19, 0), 1.0),
        ("opensearch", (3, 6, 0), 2.2),
        ("opensearch", (), 2.2),
        ("elasticsearch", (9, 5, 3), 1.0),
    ],
)
def test_bm25_is_that_of_the_embedded_engine_in_all_versions(
    product: str, version: tuple[int, ...], factor: float
) -> None:
    assert unconnected(product, *version).bm25_factor() == factor
