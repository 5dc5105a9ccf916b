"""Where a passage was at each step of a search, and what kept it back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sample import record

from search import Index, InputError
from search.why import Why


@pytest.fixture
def index(index_of: Callable[..., Index]) -> Index:
    widgets = [record(f"1.{n}", f"Report broken widget {n}.") for n in range(1, 9)]
    return index_of(
        *widgets, record("2.1", "Feed zebras daily.", DocumentID="B"), record("2.2", "")
    )


def why(index: Index, question: str, number: str, k: int = 3, **options: object) -> Why:
    return index.why(question, f"id-{number}", k, answered_questions=False, **options)  # type: ignore[arg-type]


def test_a_passage_that_is_shown_has_its_places_and_no_reason(index: Index) -> None:
    found = why(index, "report a broken widget", "1.1", k=9)
    assert found.reasons == ()
    assert [place.step for place in found.places][:2] == ["lexical", "dense"]
    hits = index.search("report a broken widget", 9, answered_questions=False).hits
    assert found.places[-1].rank == next(hit.rank for hit in hits if hit.id == "id-1.1")


def test_words_that_it_lacks_are_named(index: Index) -> None:
    found = why(index, "must zebras report a broken widget", "1.8", profile="lexical")
    assert set(found.shared) == {"report", "broken", "widget"}
    assert found.missing == ("must", "zebras")


def test_a_passage_that_no_retriever_proposes_is_said_to_be_out_of_reach(index: Index) -> None:
    found = why(index, "report a broken one", "2.1", profile="lexical")
    assert found.places == ()
    assert "nor among their first 1000" in found.reasons[0]
    assert found.to_json()["reasons"] == list(found.reasons)


def test_a_filter_or_a_passage_without_text_is_the_reason(index: Index) -> None:
    filtered = why(index, "report zebras", "2.1", filters={"document_id": "ACT"})
    assert filtered.reasons == ("a filter leaves it out",)
    assert "no text" in why(index, "report zebras", "2.2").reasons[0]


def test_a_rule_that_the_question_names_comes_before_it(index: Index) -> None:
    found = why(index, "broken widget of rule 1.7", "1.1", k=1)
    assert any("names" in reason for reason in found.reasons)
    assert "final" in found.describe()


def test_a_passage_that_is_not_there_is_refused(index: Index) -> None:
    with pytest.raises(InputError) as refused:
        why(index, "widget", "9")
    assert refused.value.code == "passage.unknown"
