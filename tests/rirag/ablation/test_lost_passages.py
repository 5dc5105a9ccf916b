"""Right passages are followed through the real pipeline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from sample import ingest_rulebook

import search
from rirag.ablation.lost import lost_passages
from rirag.training.data.questions_to_fit import QuestionToFit
from search.index import Index
from search.ranking.profile_file import load_profile

PROFILE = replace(load_profile("even"), rerank_count=20, rerank_weight=1.0)
TEXT = "annual fee"


class Backwards:
    """A reranker that wants the fused order the other way round."""

    name = "backwards"

    def score(self, question: str, passages: Sequence[str]) -> list[float]:
        return list(range(len(passages)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ingest_rulebook(tmp_path_factory.mktemp("lost") / "index")


@pytest.fixture
def index(folder: Path) -> Iterator[Index]:
    with search.open(str(folder), reranker=None) as opened:
        yield opened


@pytest.fixture
def fused(index: Index) -> list[str]:
    """All candidates of legs 20 deep, best first."""
    hits = index.search(TEXT, 100, profile=replace(PROFILE, depth=20)).hits
    return [hit.id for hit in hits]


def question(*relevant: str) -> QuestionToFit:
    return QuestionToFit("q", TEXT, frozenset(relevant), "question")


def test_without_a_cross_encoder_passages_are_found_or_lost_in_legs_or_fusion(
    index: Index, fused: list[str]
) -> None:
    asked = [question(fused[0], fused[9], fused[10], "in no index")]
    (row,) = lost_passages(index, asked, PROFILE, {}, lambda: None, depths=[20])
    assert (row.depth, row.passages) == (20, 4)
    assert (row.found, row.in_fusion, row.in_rerank, row.in_no_leg) == (0.5, 0.25, 0.0, 0.25)


def test_a_cross_encoder_loses_what_it_puts_below_the_tenth_place(
    folder: Path, fused: list[str]
) -> None:
    with search.open(str(folder), reranker=Backwards()) as index:
        asked = [question(fused[0], fused[19], fused[20])]
        (row,) = lost_passages(index, asked, PROFILE, {}, lambda: None, depths=[20])
    assert row.in_rerank == pytest.approx(1 / 3), "the first of the fused order became the last"
    assert row.found == pytest.approx(1 / 3), "the twentieth became the first"
    assert row.in_fusion == pytest.approx(1 / 3), "the twenty-first was not read"


def test_the_fixed_weights_decide_at_every_depth(index: Index, fused: list[str]) -> None:
    asked = [question(*fused)]
    learned = replace(PROFILE, learned="/nowhere/trees.json")  # no search could use it
    expected = lost_passages(index, asked, PROFILE, {}, lambda: None, depths=[20, 60])
    assert lost_passages(index, asked, learned, {}, lambda: None, depths=[20, 60]) == expected


def test_deeper_legs_propose_more(index: Index, fused: list[str]) -> None:
    deeper = index.search(TEXT, 200, profile=replace(PROFILE, depth=60)).hits
    late = next(hit.id for hit in deeper if hit.id not in fused)
    told: list[None] = []
    rows = lost_passages(
        index, [question(late)], PROFILE, {}, lambda: told.append(None), depths=[20, 60]
    )
    assert [row.in_no_leg for row in rows] == [1.0, 0.0]
    assert [row.depth for row in rows] == [20, 60]
    assert len(told) == 2
