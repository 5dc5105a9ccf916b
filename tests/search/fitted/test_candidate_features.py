"""The features of candidates, worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from search.answered_questions.co_answers import Answered
from search.ranking.candidate_set import UNRANKED, Fused, FusedCandidates, RetrieverColumns
from search.ranking.learned.features import GROUPS, HEADS, NAMES, candidate_features, with_reranker
from search.records import RetrieverScore


def retriever(raw: float, normalised: float, rank: int) -> RetrieverScore:
    return RetrieverScore(raw, normalised, rank)


def columns(said: Sequence[RetrieverScore | None]) -> RetrieverColumns:
    there = [(place, one) for place, one in enumerate(said) if one is not None]
    raw, normalised, ranks = zip(*(one for _, one in there), strict=True) if there else ((), (), ())
    return RetrieverColumns.of(len(said), [place for place, _ in there], raw, normalised, ranks)


def candidates(*fused: Fused, headings: Sequence[int] = ()) -> FusedCandidates:
    names = [one.document_id for one in fused]
    return FusedCandidates(
        keys=np.array([one.key for one in fused], dtype=np.int64),
        document_ids=np.array(names, dtype=np.object_),
        documents=np.array([names.index(name) for name in names], dtype=np.intp),
        headings=np.array([one.key in headings for one in fused], dtype=bool),
        guidance=np.zeros(len(fused), dtype=bool),
        scores=np.array([one.score for one in fused]),
        lexical=columns([one.lexical for one in fused]),
        dense=columns([one.dense for one in fused]),
        document=columns([one.document for one in fused]),
        memory=columns([one.memory for one in fused]),
        help=columns([one.help for one in fused]),
    )


# Four candidates of two documents; 10, 11 and 13 stand near each other in document A.
FUSED = candidates(
    Fused(
        11,
        "A",
        0.9,
        retriever(8.0, 1.0, 1),
        retriever(0.7, 1.0, 1),
        retriever(5.0, 1.0, 1),
        retriever(0.5, 1.0, 1),
    ),
    Fused(40, "B", 0.6, retriever(4.0, 0.5, 2), None, retriever(2.0, 0.0, 2), None),
    Fused(13, "A", 0.5, None, retriever(0.4, 0.4, 2), retriever(5.0, 1.0, 1), None),
    Fused(
        10, "A", 0.2, retriever(2.0, 0.0, 3), retriever(0.1, 0.0, 3), retriever(5.0, 1.0, 1), None
    ),
    headings=[40],
)


def column(name: str, fused: FusedCandidates = FUSED, **rest: object) -> list[float]:
    rows = candidate_features(fused, 7, 4, **rest)  # type: ignore[arg-type]
    return [float(value) for value in rows[:, NAMES.index(name)]]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("lexical", [1.0, 0.5, 0.0, 0.0]),
        ("lexical share", [1.0, 0.5, 0.0, 0.25]),
        ("lexical per term", [2.0, 1.0, 0.0, 0.5]),
        ("lexical rank", [1, 2, UNRANKED, 3]),
        ("cosine", [0.7, 0.1, 0.4, 0.1]),
        ("cosine below best", [0.0, 0.6, 0.3, 0.6]),
        ("votes", [0.5, 0, 0, 0]),
        ("memory rank", [1, UNRANKED, UNRANKED, UNRANKED]),
        ("document", [1, 0, 1, 1]),
        ("document's share", [0.75, 0.25, 0.75, 0.75]),
        ("fused", [0.9, 0.6, 0.5, 0.2]),
        ("fused rank", [1, 2, 3, 4]),
        ("fused below best", [0.0, 0.3, 0.4, 0.7]),
        ("heading", [0, 1, 0, 0]),
        ("words", [7] * 4),
        ("best lexical per term", [2.0] * 4),
        ("best cosine", [0.7] * 4),
        ("cosine spread", [0.6] * 4),
        ("lexical lead", [0.5] * 4),
        ("dense lead", [0.3] * 4),
        ("best votes", [0.5] * 4),
        ("agreement", [0.2] * 4),
    ],
)
def test_features_follow_from_what_the_retrievers_said(name: str, values: list[float]) -> None:
    assert column(name) == pytest.approx(values)


def test_neighbours_are_at_most_two_passages_away_and_in_the_same_document() -> None:
    # 11 has 10 beside it and 13 two further on; nothing is near 40.
    assert column("fused beside") == pytest.approx([0.2, 0.0, 0.0, 0.9])
    assert column("fused near") == pytest.approx([0.5, 0.0, 0.9, 0.9])
    assert column("dense near") == pytest.approx([0.4, 0.0, 1.0, 1.0])
    assert column("memory near") == pytest.approx([0.0, 0.0, 1.0, 1.0])


def test_a_neighbour_in_another_document_is_none() -> None:
    first = Fused(5, "A", 0.9, None, retriever(1, 1, 1), None, None)
    fused = candidates(first, Fused(6, "B", 0.4, None, None, None, None))
    assert column("fused near", fused) == [0.0, 0.0]


def test_the_best_speak_for_those_that_answered_questions_with_them() -> None:
    answered = Answered.of([0.8, 0.6], [(11, 40), (11, 40, 10)])
    assert column("together similar", answered=answered) == pytest.approx(
        [0.6 * 0.8, 0.9 * 0.8, 0.0, 0.9 * 0.6]
    )
    assert column("together share", answered=answered) == pytest.approx([0.6, 0.9, 0.0, 0.9 / 2])
    assert column("together share") == [0.0] * 4


def test_only_the_first_five_speak() -> None:
    six = candidates(
        *(Fused(key, "A", 0.9 - key / 10, None, None, None, None) for key in range(HEADS + 1))
    )
    last = Answered.of([1.0], [(HEADS, HEADS - 1)])
    assert column("together share", six, answered=last) == [0.0] * HEADS + [0.5]


def test_what_the_cross_encoder_did_not_read_has_its_lowest_logit_and_the_last_rank() -> None:
    unread = candidate_features(FUSED, 7, 4)
    rows = with_reranker(unread, {0: retriever(2.5, 1.0, 1), 1: retriever(-1.0, 0.0, 2)})
    assert rows[:, NAMES.index("logit")].tolist() == [2.5, -1.0, -1.0, -1.0]
    assert rows[:, NAMES.index("rerank rank")].tolist() == [1, 2, UNRANKED, UNRANKED]
    others = [place for place, name in enumerate(NAMES) if name not in GROUPS["rerank"]]
    assert (rows[:, others] == unread[:, others]).all()
    assert column("logit") == [0.0] * 4


def test_every_feature_is_in_one_group_and_a_number() -> None:
    assert len(set(NAMES)) == len(NAMES) == sum(map(len, GROUPS.values()))
    rows = candidate_features(FUSED, 7, 4)
    assert rows.shape == (4, len(NAMES))
    assert np.isfinite(rows).all()


def test_retrievers_that_proposed_nothing_give_zeros() -> None:
    bare = candidates(Fused(1, "A", 0.0, None, None, None, None))
    rows = candidate_features(bare, 0, 0)
    assert all(math.isfinite(value) for value in rows[0])
    assert candidate_features(candidates(), 3, 3).shape == (0, len(NAMES))
