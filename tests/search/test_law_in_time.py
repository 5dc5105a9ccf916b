"""Searches find what is in force today, and the rest only where it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sample import record

import generation
import indexer
import search
from generation.verify import verify
from search.engines.embedded.engine import EmbeddedEngine
from search.law_in_time import as_of, day_asked_in
from search.text.days import bounds_in

TODAY = "2026-06-30"


@pytest.fixture(autouse=True)
def on(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """A function that changes the day."""

    def change(day: str) -> None:
        monkeypatch.setattr("search.law_in_time.today", lambda: day)
        monkeypatch.setattr("indexer.load.in_force.today", lambda: day)

    change(TODAY)
    return change


@pytest.fixture
def acts(index_of: Callable[..., search.Index]) -> search.Index:
    """Four rules on lamps, of which one is in force for good, and a repealed definition."""
    return index_of(
        record("1", "A shop must switch off every lamp at night."),
        record("2", "A shop must switch off every lamp at noon.", status="repealed"),
        record("3", "A shop must switch off every lamp at dawn.", valid_from="2027-01-01"),
        record("4", "A shop must switch off every lamp at dusk.", valid_to="2026-12-31"),
        record("5", "“Lamp” means anything that gives light.", status="repealed"),
        record("6", "Lamps of the old kind.", status="repealed", DocumentID="OLD", id="old"),
    )


def found(index: search.Index, question: str = "switch off lamp", **more: object) -> set[str]:
    return {hit.passage_id for hit in index.search(question, **more).hits}  # type: ignore[arg-type]


def test_what_is_not_in_force_is_in_no_search(acts: search.Index) -> None:
    assert found(acts) == {"1", "4"}
    assert found(acts, filters={"document": "ACT"}) == {"1", "4"}


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        (["past"], {"2", "5", "6"}),
        (["future"], {"3"}),
        (["in-force"], {"4"}),
        (["unknown"], {"1"}),
        (["past", "future"], {"2", "3", "5", "6"}),
        (["in-force", "unknown"], {"1", "4"}),
        (["past", "unknown"], {"1", "2", "5", "6"}),
        (["repealed"], {"2", "5", "6"}),
    ],
)
def test_a_filter_asks_for_a_status(
    acts: search.Index, statuses: list[str], expected: set[str]
) -> None:
    assert found(acts, filters={"status": statuses}) == expected
    assert {one.passage_id for one in acts.passages({"status": statuses})} == expected


@pytest.mark.parametrize(
    ("day", "expected"),
    [("2026-12-31", {"1", "4"}), ("2027-01-01", {"1", "3"}), ("2030-01-01", {"1", "3"})],
)
def test_the_day_of_the_search_decides(
    acts: search.Index, on: Callable[[str], None], day: str, expected: set[str]
) -> None:
    on(day)
    assert found(acts) == expected


@pytest.mark.parametrize(
    ("question", "note"),
    [
        (
            "What does section 2 say?",
            "section 2: Widget Act 2 is not in force: past (status repealed)",
        ),
        ("What does section 3 say?", "not in force: future (valid_from 2027-01-01)"),
    ],
)
def test_a_rule_that_is_not_in_force_is_named_in_a_note(
    acts: search.Index, question: str, note: str
) -> None:
    result = acts.search(question)
    assert note in "; ".join(result.trace.notes)
    way = "as of 2027-01-01" if "2027" in note else "with the filter status=past"
    assert f"find it {way}" in "; ".join(result.trace.unfound)
    assert not any(hit.scores.number for hit in result.hits)


def test_a_repealed_definition_is_not_the_meaning(acts: search.Index) -> None:
    assert acts.search("What does lamp mean?").trace.term is None
    asked = acts.search("What does lamp mean?", filters={"status": "past"})
    assert asked.trace.term is not None


def test_a_filter_that_leaves_only_past_law_says_so(acts: search.Index) -> None:
    result = acts.search("old kind", filters={"document_id": "OLD"})
    assert not result.hits
    assert "OLD" in result.trace.notes[-1] or "not in force: past" in result.trace.notes[-1]


@pytest.mark.parametrize(
    ("question", "noted"),
    [
        ("Who oils a lighthouse lamp?", "KEEP 1 is not in force: past (status repealed)"),
        ("lighthouse lamp oil under KEEP", "the question names KEEP, which is not in force: past"),
        ("Which shop must switch off every lamp at night?", ""),
        ("oiled lighthouse lamps", "find it with the filter status=past; it is nearer to the"),
    ],
)
def test_a_rule_of_the_past_that_is_nearer_is_named(
    index_of: Callable[..., search.Index], question: str, noted: str
) -> None:
    oil = "A keeper must oil a lighthouse lamp twice."
    index = index_of(
        record("1", "A shop must switch off every lamp at night."),
        record("2", "A shop must switch off every lamp at noon.", status="repealed"),
        record("1", oil, status="repealed", DocumentID="KEEP", DocumentTitle="KEEP", ID="k"),
    )
    notes = "; ".join(index.search(question).trace.notes)
    assert noted in notes
    assert ("not in force" in notes) == bool(noted)
    assert "nearer" not in "; ".join(
        index.search(question, filters={"status": ["past", "unknown"]}).trace.notes
    )
    asked = index.search(question, filters={"status": "repeal"}).trace.notes
    assert "no passage of the index has status 'repeal'; did you mean 'repealed'?" in asked
    asked = index.search(question, filters={"status": "gone"}).trace.notes
    assert "'gone'; rirag knows in-force, past, future, unknown" in "; ".join(asked)


def test_an_answer_from_past_law_says_so_before_it_quotes(acts: search.Index) -> None:
    hits = acts.search("Must a shop switch off lamps at noon?", filters={"status": "past"}).hits
    told = "[1] Widget Act 2 is not in force: past (status repealed)."
    made = generation.answer("Must a shop switch off lamps at noon?", hits)
    assert made.text.startswith(f"### {told}\n\n**")
    assert [(one.kind, one.message) for one in made.warnings] == [("not-in-force", told)]
    assert made.to_json()["citations"][0]["status"] == "past"
    assert made.verification is not None and made.verification.score == 1
    assert verify(made.text, made.sources()).score == 1
    shown = generation.answer_text(made)
    assert "[1] Widget Act 2, past" in shown and shown.count(told) == 1


def test_hits_and_plan_say_the_status(acts: search.Index) -> None:
    past = acts.search("switch off lamp", filters={"status": "past"})
    assert past.trace.notes == (
        "Widget Act 2 is not in force: past (status repealed); 3 of 3 hits are not in force",
    )
    assert past.hits[0].passage.metadata["status"] == "repealed"
    assert acts.search("lamp").plan.filters.fields == {"status": ("in-force", "unknown")}
    assert acts.why("lamp", "id-2").reasons == ("not in force: past (status repealed)",)


def test_the_reader_has_every_passage(acts: search.Index) -> None:
    assert len(acts.passages()) == 6
    assert acts.passage("id-2").text.endswith("noon.")


def test_answers_read_and_cite_only_what_is_in_force(acts: search.Index) -> None:
    library = generation.IndexLibrary(acts)
    assert [one.passage_id for one in library.passages("ACT")] == ["1", "4"]
    citing = acts.passage("id-1")
    citing = type(citing)("x", "ACT", "9", "See section 2 and section 4.")
    assert [one.passage_id for one in acts.cited([citing])] == ["2", "4"]
    assert [one.passage_id for one in library.cited([citing])] == ["4"]


def test_answered_questions_do_not_vote_for_past_law(acts: search.Index, tmp_path: Path) -> None:
    asked = "When are shops dark?"
    questions = [search.AnsweredQuestion("q", asked, ("id-2", "id-1"))]
    indexer.add_questions(questions, str(tmp_path / "index"))
    acts.refresh()
    result = acts.search(asked)
    assert result.trace.similar_questions
    assert {hit.passage_id for hit in result.hits} == {"1", "4"}


def test_a_limited_view_leaves_out_the_same(acts: search.Index) -> None:
    from search.limited import LimitedIndex

    view = LimitedIndex(acts, {"document_id": "ACT"})
    assert found(view) == {"1", "4"}
    assert found(view, filters={"status": "past"}) == {"2", "5"}


@pytest.fixture
def plain(index_of: Callable[..., search.Index]) -> Iterator[search.Index]:
    yield index_of(record("1", "A shop must switch off every lamp."))


def test_an_index_without_status_is_searched_without_conditions(
    plain: search.Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    run = EmbeddedEngine.run
    monkeypatch.setattr(
        EmbeddedEngine, "run", lambda self, request: (asked.append(request), run(self, request))[1]
    )
    result = plain.search("switch off lamp")
    assert not any(request.filters for request in asked)
    assert not result.plan.filters
    assert found(plain, filters={"status": "past"}) == set()
    assert found(plain, filters={"status": "unknown"}) == {"1"}


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("Which fee was in force on 1 March 2020?", "2020-03-01"),
        ("What applied as of 2020-03-01?", "2020-03-01"),
        ("Which rules applied on March 1st, 2020?", "2020-03-01"),
        ("Was galt am 1. März 2020?", "2020-03-01"),
        ("die am 1. März 2020 geltende Fassung", "2020-03-01"),
        ("le tarif en vigueur le 1er mars 2020", "2020-03-01"),
        ("la ley vigente el 1 de marzo de 2020", "2020-03-01"),
        ("What was due by 1 March 2020?", None),
        ("Which law was in force in 2020?", None),
        ("in force on 31 February 2020", None),
        ("What applied on 1 March 2020 and on 1 March 2021?", None),
        ("in force on 01/03/2020", None),
    ],
)
def test_a_full_day_beside_a_word_of_validity_is_asked_for(question: str, day: str | None) -> None:
    assert day_asked_in(question) == day


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("From 10 January 2028, it is published.", [("2028-01-10", "From 10 January 2028", False)]),
        ("It shall no longer apply from 1 July 2026.",
         [("2026-07-01", "no longer apply from 1 July 2026", True)]),
        ("It applies until 31 December 2025 and from\n1 May 2030.",
         [("2025-12-31", "until 31 December 2025", True),
          ("2030-05-01", "from 1 May 2030", False)]),
        ("Bis zum 31. Dezember 2025 gilt er.", [("2025-12-31", "Bis zum 31. Dezember 2025", True)]),
        ("à compter du 1er janvier 2026", [("2026-01-01", "à compter du 1er janvier 2026", False)]),
        ("The Act of 1 March 1999 is repealed; from 2028 it is not.", []),
    ],
)  # fmt: skip
def test_a_text_names_the_days_on_which_something_begins_or_ends(
    text: str, bounds: list[tuple[str, str, bool]]
) -> None:
    assert [tuple(one) for one in bounds_in(text)] == bounds


@pytest.mark.parametrize(("day", "warned"), [("2027-12-31", True), ("2028-01-10", False)])
def test_an_answer_says_that_its_rule_begins_on_a_later_day(
    index_of: Callable[..., search.Index], day: str, warned: bool
) -> None:
    index = index_of(record("1", "From 10 January 2028, a keeper must publish the fees."))
    with as_of(day):
        found = index.search("Who must publish the fees?")
        answer = generation.answer(found.plan.question, found.hits)
    (cited,) = answer.to_json()["citations"]
    assert cited["names_days"] == [{"day": "2028-01-10", "words": "From 10 January 2028"}]
    assert [one.kind for one in answer.warnings] == ["names-day"] * warned
