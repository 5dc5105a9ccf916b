"""Where the words of a question are in the text of a hit."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sample import record

from search.index import Index
from search.text.spans import locate_phrase, locate_words, merged


@pytest.mark.parametrize(
    ("question", "language", "text", "found"),
    [
        ("How must keepers keep it?", "en", "A keeper keeps the lamp.", ["keeper", "keeps"]),
        ("What is a lamp-keeper?", "en", "Lamp: no beacon.", ["Lamp"]),
        ("Wie lange gelten Lizenzen?", "de", "Die Lizenz gilt ein Jahr.", ["Lizenz"]),
        ("¿Cuánto duran los registros?", "es", "Los registros duran.", ["registros", "duran"]),
        ("beacons", "en", "A keeper keeps the lamp.", []),
    ],
)  # fmt: skip
def test_hits_tell_where_the_words_of_the_question_are(
    index_of: Callable[..., Index], question: str, language: str, text: str, found: list[str]
) -> None:
    other = record("2", "Nothing else.", language=language)
    hits = index_of(record("1", text, language=language), other).search(question).hits
    (hit,) = (one for one in hits if one.passage_id == "1")
    assert [hit.text[start:end] for start, end in hit.spans] == found


def test_a_phrase_is_its_words_in_order() -> None:
    text = "Lamp keepers keep a lamp. Others of a lamp sleep."
    (span,) = locate_phrase(["lamp", "keeper"], text)
    assert text[slice(*span)] == "Lamp keepers"
    assert locate_words({"sleep"}, text) == [(43, 48)]


def test_spans_that_touch_are_one() -> None:
    assert merged([(4, 6), (0, 3), (3, 5), (8, 9)]) == [(0, 6), (8, 9)]
