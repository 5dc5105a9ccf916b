"""Recitals of EU acts come after articles that are as good; guidance of others does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import search
from search.ranking.steps.ordering.recitals import RECITAL

WORDS = "A controller shall keep the records of its customers for six years."
OTHER = "Fees are paid in May."


def records(law: str, number: str) -> list[dict[str, Any]]:
    texts = {number: WORDS, "7": WORDS, "8": OTHER, "9": "Boards meet in June."}
    return [
        {"ID": key, "DocumentID": "act", "PassageID": key, "Passage": text, "jurisdiction": law}
        for key, text in texts.items()
    ]


@pytest.mark.parametrize(
    ("law", "number", "behind"),
    [("EU", "Recital 3", True), ("UK", "Recital 3", False), ("EU", "3.Guidance", True),
     ("UK", "3.Guidance", False), ("EU", "3", False)],
)  # fmt: skip
def test_a_recital_is_behind_an_article_that_says_the_same(
    index_of: Callable[..., search.Index], law: str, number: str, behind: bool
) -> None:
    index = index_of(*records(law, number))
    scores = {hit.id: hit.score for hit in index.search("How long are records kept?").hits}
    assert (scores[number] < scores["7"]) is behind
    if behind:
        assert scores[number] == pytest.approx(RECITAL * scores["7"], abs=0.05)


def test_a_recital_that_is_named_comes_first(index_of: Callable[..., search.Index]) -> None:
    index = index_of(*records("EU", "Recital 3"))
    assert index.search("What does recital 3 say of records?").hits[0].id == "Recital 3"
