"""Checks of questions: leaked numbers, and what NLI leaves."""

from __future__ import annotations

import numpy as np
import pytest

from rirag_workbench.datasets.build import supported
from rirag_workbench.datasets.checks import Duplicates, leaks_a_number
from rirag_workbench.datasets.records import Question, SourcePassage


class Nli:
    name = "recorded"

    def __init__(self, *rows: tuple[float, float, float]) -> None:
        self.rows = np.array(rows)

    def probabilities(self, pairs):
        return self.rows[: len(pairs)]


def question(text: str = "Who must report?", passages: int = 1) -> Question:
    sources = tuple(SourcePassage(f"p{n}", "D", str(n), "text") for n in range(passages))
    return Question("q", text, "group", sources)


@pytest.mark.parametrize(
    ("text", "leaks"),
    [
        ("What does Rule 4.2.1 ask of a firm?", True),
        ("What does section 12 ask of a firm?", True),
        ("What follows from 3.5.8.(b) for a firm?", True),
        ("What does Part IV say?", True),
        ("Is a fee of $1.5 or 2.5 % to be disclosed?", False),
        ("May 20 clients share one account?", False),
        ("Which part of the report is public?", False),
    ],
)
def test_rule_numbers_leak_and_amounts_do_not(text: str, leaks: bool) -> None:
    assert leaks_a_number(text) is leaks


@pytest.mark.parametrize(
    ("row", "stays"),
    [
        ((0.6, 0.3, 0.1), True),
        ((0.1, 0.3, 0.6), False),
        ((0.3, 0.5, 0.2), True),
        ((0.2, 0.5, 0.3), False),
        ((0.25, 0.5, 0.25), False),
    ],
    ids=["entailed", "contradicted", "neutral near entailed", "neutral near other", "between"],
)
def test_validation_is_that_of_the_paper(row: tuple[float, float, float], stays: bool) -> None:
    assert (supported(question(), Nli(row)) is not None) is stays


def test_a_question_keeps_the_passages_that_support_it() -> None:
    left = supported(question(passages=2), Nli((0.1, 0.2, 0.7), (0.8, 0.1, 0.1)))
    assert left is not None
    assert [one.id for one in left.passages] == ["p1"]


def test_the_same_in_other_words_is_found_by_the_encoder() -> None:
    vectors = {"Who must report?": [1.0, 0.0], "Whose duty is the report?": [0.99, 0.141]}

    def encode(texts):
        return np.array([vectors[one] for one in texts])

    seen = Duplicates([], encode)
    assert seen.reason(question()) is None
    assert seen.reason(question("Whose duty is the report?")) == "repeated"
    given = Duplicates([("e", "Who must report?")], encode)
    assert given.reason(question("Whose duty is the report?")) == "given"
    by_words = Duplicates([], None)
    by_words.reason(question())
    assert by_words.reason(question("Whose duty is the report?")) is None
