"""Gold passages are found in the index, and those that are not there still count."""

from __future__ import annotations

import pytest

from rirag.inputs.gold import resolve_gold, resolver
from rirag.inputs.questions import GoldReference, Question
from search.errors import InputError
from search.records import Passage

RESOLVE = resolver(
    [
        Passage("a", "1", "1.1", "first"),
        Passage("b", "1", "1.1", "the same number again"),
        Passage("c", "2", "1.1", "other document"),
    ]
)


def question(name: str, *gold: GoldReference) -> Question:
    return Question(name, f"{name}?", gold)


def test_repeated_number_means_its_first_occurrence() -> None:
    judged = resolve_gold(
        [question("q", GoldReference(document_id="1", passage_id="1.1"))], RESOLVE
    )
    assert judged.relevant == {"q": frozenset({"a"})}
    assert judged.texts == {"q": "q?"}
    assert (judged.references, judged.missing) == (1, 0)


def test_id_and_number_of_one_passage_are_one_passage() -> None:
    judged = resolve_gold(
        [question("q", GoldReference("c"), GoldReference(document_id="2", passage_id="1.1"))],
        RESOLVE,
    )
    assert judged.relevant == {"q": frozenset({"c"})}


def test_gold_outside_the_index_is_counted_and_stays_relevant() -> None:
    judged = resolve_gold(
        [
            question("q1", GoldReference("a"), GoldReference("gone")),
            question("q2", GoldReference(document_id="9", passage_id="1.1")),
        ],
        RESOLVE,
    )
    assert (judged.references, judged.missing) == (3, 2)
    assert judged.relevant["q1"] == {"a", "gone"}
    assert len(judged.relevant["q2"]) == 1


def test_questions_of_another_corpus_are_refused() -> None:
    with pytest.raises(InputError, match=r"questions\.json: the index has none of "):
        resolve_gold([question("q", GoldReference("gone"))], RESOLVE, "questions.json")
