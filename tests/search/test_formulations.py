"""Other formulations of a question as a retriever beside the others."""

from __future__ import annotations

import numpy as np
import pytest
from sample import record, write_lines

import search
from indexer import ingest
from search.ranking.steps.finding.formulations import MOST
from search.ranking.steps.ordering.other_words import ALIKE, weight_of

RULE = "A firm must notify the authority of a suspicious transaction without delay."


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("formulations")
    texts = [RULE, *(f"Rule {n} is about cheques and cards of a bank." for n in range(30))]
    rules = [record(str(number), text) for number, text in enumerate(texts, start=1)]
    ingest([write_lines(folder / "act.jsonl", *rules)], folder / "index")
    return str(folder / "index")


def test_a_formulation_brings_what_the_question_does_not_find(index: str) -> None:
    question = "Do cards smell?"
    with search.open(index) as opened:
        alone = opened.search(question, 3)
        other = "Do suspicious card transactions smell, and must a firm notify the authority?"
        helped = opened.search(question, 3, formulations=[other])
    assert RULE not in [hit.passage.text for hit in alone.hits[:1]]
    assert helped.hits[0].passage.text == RULE
    assert alone.hits[0].scores.help is None


def test_nothing_changes_without_formulations_of_use(index: str) -> None:
    question = "Which cards does a bank have?"
    with search.open(index) as opened:
        alone = opened.search(question, 5)
        for useless in ([], [""], ["?!"], ["the and of"]):
            assert opened.search(question, 5, formulations=useless).hits == alone.hits


def test_at_most_so_many_are_searched(index: str) -> None:
    texts = [f"cards and cheques of bank {n}" for n in range(50)]
    with search.open(index) as opened:
        found = opened.search("Which cards does a bank have?", 5, formulations=texts)
    assert found.plan.formulations == tuple(texts[:MOST])


@pytest.mark.parametrize(
    ("alike", "expected"),
    [
        ([], 0.0),
        ([1.0], 0.6),
        ([ALIKE], 0.6),
        ([ALIKE / 2], 0.3),
        ([1.0, ALIKE / 2], 0.45),
    ],
)
def test_what_is_less_like_the_question_weighs_less(alike: list[float], expected: float) -> None:
    assert np.isclose(weight_of(alike, 0.6), expected)
