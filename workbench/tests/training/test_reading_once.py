"""A reranker that is asked for the same passages under several rankings."""

from __future__ import annotations

import numpy as np

from rirag_workbench.training.fitted.candidate_samples import ReadingOnce


class Lengths:
    name = "lengths"

    def __init__(self):
        self.read = []

    def score(self, question, passages):
        self.read.append((question, *passages))
        return np.array([len(question) + len(text) for text in passages], np.float32)


def test_each_passage_is_read_once_for_a_question():
    lengths = Lengths()
    once = ReadingOnce(lengths)
    assert once.name == "lengths"
    assert once.score("q", ["a", "bb"]).tolist() == [2, 3]
    assert once.score("q", ["ccc", "bb", "a", "ccc"]).tolist() == [4, 3, 2, 4]
    assert lengths.read == [("q", "a", "bb"), ("q", "ccc")]


def test_another_question_has_scores_of_its_own():
    once = ReadingOnce(Lengths())
    assert once.score("q", ["a"]).tolist() == [2]
    assert once.score("long", ["a"]).tolist() == [5]
    assert once.score("q", ["a"]).tolist() == [2]
