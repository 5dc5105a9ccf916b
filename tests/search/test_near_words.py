"""Misspelled words of a question are searched as the nearest word that passages have."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sample import record

from search.index import Index

TEXTS = (
    "A keeper notifies the harbour of each suspicious lighthouse.",
    "A keeper prioritises the lesser lamps.",
    "Le gardien allume la lampe.",
)


@pytest.fixture
def lamps(index_of: Callable[..., Index]) -> Index:
    records = (record(str(number), text) for number, text in enumerate(TEXTS, start=1))
    return index_of(*records)


@pytest.mark.parametrize(
    ("question", "near"),
    [
        ("Who nottifies the harbour?", {"nottifies": "notifies"}),
        ("suspicous lighthosue", {"suspicous": "suspicious", "lighthosue": "lighthouse"}),
        ("Suspicous things", {"Suspicous": "suspicious"}),
        ("Who prioritizes lamps?", {"prioritizes": "prioritises"}),
        ("Who notifies the harbour?", {}),
        ("Must a lessor act?", {}),  # other words, a letter apart
        ("Who bnotifies, and is apprioritised?", {}),
        ("A tlamp?", {}),
        ("Does Mr Suspicous keep lamps?", {}),  # a name
        ("Who has cryptocurrencies?", {}),
        ("Qui doit allumer la lanpe ?", {}),
    ],
)
def test_a_word_that_no_passage_has_is_searched_as_the_nearest(
    lamps: Index, question: str, near: dict[str, str]
) -> None:
    trace = lamps.search(question).trace
    assert {one.word: one.near for one in trace.near_words} == near
    told = [f"no passage has {word!r}: searched for {other!r}" for word, other in near.items()]
    assert [note for note in trace.notes if "searched for" in note] == told
    assert [line for line in trace.describe().split("\n") if line.startswith("near word")] == [
        f"near word   {word} → {other}" for word, other in near.items()
    ]


def test_only_what_a_search_may_see_is_near(lamps: Index) -> None:
    found = lamps.search("Who nottifies it?", filters={"kind": "heading"})
    assert found.trace.near_words == ()


def test_the_hits_are_those_of_the_nearest_word(lamps: Index) -> None:
    first = lamps.search("priortises").hits[0]
    assert first.passage_id == "2"
    assert first.scores.lexical is not None
