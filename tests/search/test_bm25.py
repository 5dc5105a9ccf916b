"""BM25 over more text than the writer keeps in memory at once."""

from __future__ import annotations

import pytest

from search.text import bm25

ROWS = 40_000


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> bm25.BM25Index:
    folder = tmp_path_factory.mktemp("bm25") / "lexical"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bm25, "_HEAP_BYTES", 15_000_000)  # the least that tantivy takes
        words = [f"w{i}" for i in range(997)]
        bm25.build(
            folder,
            (
                (
                    row,
                    f"same {' '.join(words[(row + k) % 997] for k in range(0, 400, 9))}",
                    ["f\x1fv"],
                )
                for row in range(ROWS)
            ),
        )
    assert len(list(folder.glob("*.idx"))) > 1, "the text fits in one segment"
    return bm25.BM25Index(folder)


def test_ties_are_in_row_order_over_all_segments(index: bm25.BM25Index) -> None:
    for facets in ([], [["f\x1fv"]]):
        rows, scores = index.search(["same"], 50, facets)
        assert rows.tolist() == list(range(50))
        assert len(set(scores)) == 1
