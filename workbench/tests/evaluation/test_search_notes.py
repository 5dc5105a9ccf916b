"""Notes of many searches are told once, with how many said them."""

from __future__ import annotations

from rirag_workbench.evaluation.retrieval.search_notes import MOST_TOLD, told


def test_the_most_frequent_note_comes_first() -> None:
    assert told({}, 3) == ()
    assert told({"one": 1, "all": 3}, 3) == ("3 of 3 searches: all", "1 of 3 searches: one")
    assert told({"all": 1}, 1) == ("1 of 1 search: all",)


def test_of_very_many_notes_the_others_are_counted() -> None:
    sentences = told({str(number): 1 for number in range(MOST_TOLD + 2)}, 9)
    assert len(sentences) == MOST_TOLD + 1
    assert sentences[-1] == "and 2 more notes of single searches"
