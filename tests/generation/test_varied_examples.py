"""Examples of the same topic that differ from one another."""

from __future__ import annotations

import pytest

from generation.modes.multi_step import heterogeneity, varied_examples
from generation.prompts.examples import Example


def examples(*questions: str, topic: str = "") -> list[Example]:
    return [Example(question, "answer", topic) for question in questions]


def test_second_example_is_not_a_copy_of_the_first() -> None:
    pool = examples("capital for a loan", "capital for a loan today", "capital for a bond")
    chosen, _ = varied_examples("capital for a loan?", "", pool, 2)
    assert [one.question for one in chosen] == ["capital for a loan today", "capital for a bond"]


def test_question_itself_is_no_example() -> None:
    chosen, _ = varied_examples("Who pays?", "", examples("who pays?", "who reports?"), 5)
    assert [one.question for one in chosen] == ["who reports?"]


def test_topic_of_one_example_alone_is_no_topic() -> None:
    pool = [*examples("who pays fees", topic="Fees"), *examples("who reports", topic="Reports")]
    assert len(varied_examples("who pays", "Fees", pool)[0]) == 2


def test_heterogeneity_is_one_minus_the_mean_cosine() -> None:
    same, other = {"loan": 1.0}, {"bond": 1.0}
    assert heterogeneity([same, same]) == 0
    assert heterogeneity([same, other]) == 1
    assert heterogeneity([same, same, other]) == pytest.approx(2 / 3)
    assert heterogeneity([same]) == 1


def test_no_examples_are_none() -> None:
    assert varied_examples("who", "Fees", []) == ([], 1.0)
