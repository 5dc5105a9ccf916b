"""Versions of a work in one index: what is stored, encoded, found on a day and refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import indexer
import search
from search.answered_questions.questions import AnsweredQuestion
from search.errors import InputError
from search.limited import LimitedIndex
from tests.lamp_act import FIRST, SECOND, THIRD, Load


@pytest.fixture
def loaded(load: Load, place: Path) -> search.Index:
    load(FIRST, "2020-01-01")
    load(SECOND, "2022-07-01")
    load(THIRD, "2024-01-01")
    return search.open(place)


def fees(index: search.Index, day: str | None) -> list[str]:
    found = index.search("What is the fee for a lamp?", as_of=day)
    return sorted({hit.text.split()[-2] for hit in found if "crowns" in hit.text})


@pytest.mark.parametrize(
    ("day", "fee"),
    [("2019-12-31", []), ("2020-01-01", ["50"]), ("2022-06-30", ["50"]), ("2022-07-01", ["60"]),
     (None, ["60"]), ("all", ["50", "60", "60"][:2])],
)  # fmt: skip
def test_a_search_finds_the_wording_of_its_day(
    loaded: search.Index, day: str | None, fee: list[str]
) -> None:
    assert fees(loaded, day) == fee


@pytest.mark.parametrize("filters", [{}, {"document_id": "lamp-act"}])
@pytest.mark.parametrize("question", ["fee for a lamp", "owner must pay 50 crowns"])
def test_a_day_is_searched_as_in_an_index_of_its_text_alone(
    loaded: search.Index, load: Load, tmp_path: Path, filters: dict[str, str], question: str
) -> None:
    alone = tmp_path / "alone"
    load(SECOND, "2022-07-01", index=alone)
    index = LimitedIndex(loaded, filters) if filters else loaded
    found = index.search(question, as_of="2023-01-01")
    expected = search.open(alone).search(question, as_of="2023-01-01")
    assert [one.text for one in found] == [one.text for one in expected]
    assert [one.score for one in found] == pytest.approx([one.score for one in expected])


def test_a_question_may_ask_for_a_day_itself(loaded: search.Index) -> None:
    found = loaded.search("What was the fee for a lamp in force on 1 March 2021?")
    assert "50 crowns" in found.hits[0].text
    assert "the question asks for the law of 2021-03-01" in found.trace.notes
    given = loaded.search("What was the fee in force on 1 March 2021?", as_of="2023-01-01")
    assert not any("50 crowns" in hit.text for hit in given)


@pytest.mark.parametrize(("day", "fee"), [("2021-01-01", "50"), (None, "60")])
def test_an_answered_question_votes_for_the_wording_of_the_day(
    load: Load, place: Path, day: str | None, fee: str
) -> None:
    load(FIRST, "2020-01-01")
    first = next(one.id for one in search.open(place).passages() if "50 crowns" in one.text)
    indexer.add_questions([AnsweredQuestion("q", "How dear is light?", (first,))], place)
    load(SECOND, "2022-07-01")
    hit = search.open(place).search("How dear is light?", as_of=day).hits[0]
    assert fee in hit.text and hit.scores.votes


def test_a_hit_says_when_it_is_law(loaded: search.Index) -> None:
    (hit,) = [
        one for one in loaded.search("fee for a lamp", as_of="2023-01-01") if "60" in one.text
    ]
    assert (hit.in_time.version_id, hit.in_time.status) == ("2022-07-01", "in-force")
    assert (hit.in_time.valid_from, hit.in_time.valid_to) == ("2022-07-01", "2023-12-31")


def test_only_new_wordings_are_stored_and_encoded(load: Load) -> None:
    first, second = load(FIRST, "2020-01-01"), load(SECOND, "2022-07-01")
    assert (second.encoded, second.index.passages) == (1, first.index.passages + 1)
    (told,) = second.versions
    assert str(told) == (
        "lamp-act 2022-07-01: 0 rules added, 1 changed, 0 repealed, 0 moved; "
        f"1 text encoded, {first.encoded - 1} reused"
    )


def test_the_same_version_again_is_nothing_and_another_text_a_correction(load: Load) -> None:
    load(FIRST, "2020-01-01")
    assert load(FIRST, "2020-01-01").unchanged == ("lamp-act",)
    corrected = load(FIRST.replace("sunrise", "dawn"), "2020-01-01")
    assert (corrected.changed, len(corrected.versions)) == (("lamp-act",), 1)


def test_what_a_file_without_a_day_replaces_ends_yesterday(load: Load, place: Path) -> None:
    load(FIRST)
    assert not search.open(place).pipeline.stored_statuses
    report = load(SECOND)
    assert (report.changed, [one.changed for one in report.versions]) == (("lamp-act",), [1])
    index = search.open(place)
    assert (fees(index, None), fees(index, "2020-01-01")) == (["60"], ["50"])
    old, new = (one.version for one in index.versions("lamp-act"))
    assert (old.valid_from, new.valid_from, new.date_means) == (None, None, "observed")
    assert load(SECOND).unchanged == ("lamp-act",)


@pytest.mark.parametrize(
    ("text", "given"), [(FIRST, {}), (SECOND, {"no_history": True}), (THIRD, {"no_history": True})]
)
def test_a_text_that_comes_back_or_has_no_history_is_as_without_versions(
    load: Load, place: Path, tmp_path: Path, text: str, given: dict[str, bool]
) -> None:
    load(FIRST)
    load(SECOND + "\n")
    load(text, **given)
    load(text, index=tmp_path / "alone")
    index, alone = (search.open(one) for one in (place, tmp_path / "alone"))
    assert index.passages() == alone.passages()
    assert fees(index, "2020-01-01") == fees(alone, "2020-01-01")


def test_a_file_without_a_day_ends_versions_with_days(load: Load, place: Path) -> None:
    load(FIRST, "2020-01-01")
    load(SECOND)
    index = search.open(place)
    assert [fees(index, day) for day in ("2019-12-31", "2020-01-01", None)] == [[], ["50"], ["60"]]


def test_an_older_version_may_come_last(load: Load, place: Path) -> None:
    for text, day in ((THIRD, "2024-01-01"), (FIRST, "2020-01-01"), (SECOND, "2022-07-01")):
        load(text, day)
    index = search.open(place)
    assert [one.version.version_id for one in index.versions("lamp-act")] == [
        "2020-01-01", "2022-07-01", "2024-01-01",
    ]  # fmt: skip
    assert fees(index, "2021-05-05") == ["50"]
    assert fees(index, None) == ["60"]


def test_a_document_is_read_as_on_a_day(loaded: search.Index) -> None:
    def read() -> list[str]:
        found = loaded.passages({"document_id": "lamp-act"})
        return [one.passage_id for one in found if "Section" in one.passage_id]

    assert read() == ["Section 1", "Section 2", "Section 3"]
    with search.as_of("2021-01-01"):
        assert read() == ["Section 1", "Section 2"]
    with search.as_of("1999-01-01"):
        assert read() == []


def test_what_moved_is_told_as_moved(loaded: search.Index) -> None:
    added, moved = loaded.compare("lamp-act").changes
    assert (added.change, added.number) == ("added", "Section 2")
    assert (moved.change, moved.old_number, moved.number) == ("moved", "Section 2", "Section 3")
    assert loaded.compare("lamp-act", "2020-01-01", "2022-07-01", rule="Section 1").changes == ()


def test_a_rule_has_its_wordings_with_their_days(loaded: search.Index) -> None:
    told = loaded.rule_history("lamp-act", "section 2")
    assert [(one.in_force, one.versions) for one in told] == [
        ((("2020-01-01", "2022-06-30"),), ("2020-01-01",)),
        ((("2022-07-01", "2023-12-31"),), ("2022-07-01",)),
        ((("2024-01-01", None),), ("2024-01-01",)),
    ]
    assert {one.rule_id for one in told} == {told[0].id}


def test_a_wording_that_comes_back_is_one(load: Load, place: Path) -> None:
    for text, day in ((FIRST, "2020-01-01"), (SECOND, "2022-07-01"), (FIRST, "2025-01-01")):
        load(text, day)
    assert [one.in_force for one in search.open(place).rule_history("lamp-act", "Section 2")] == [
        (("2020-01-01", "2022-06-30"), ("2025-01-01", None)),
        (("2022-07-01", "2024-12-31"),),
    ]


def test_a_version_without_a_day_is_found_by_its_name(load: Load, place: Path) -> None:
    load(FIRST, "2020-01-01")
    load(SECOND, version="draft")
    index = search.open(place)
    assert fees(index, None) == ["50"]
    assert fees(index, "=draft") == ["60"]
    assert index.versions("lamp-act")[-1].status == "unknown"
    with pytest.raises(InputError, match=r"no version is called 'nine'; .*: draft") as refused:
        fees(index, "=nine")
    assert refused.value.code == "version.unknown"


def test_the_only_version_is_found_with_and_without_its_name(load: Load, place: Path) -> None:
    load(FIRST, version="draft")
    index = search.open(place)
    assert fees(index, None) == fees(index, "=draft") == ["50"]
    assert index.versions("lamp-act")[-1].status == "unknown"


def test_a_version_of_the_future_is_found_on_its_day(load: Load, place: Path) -> None:
    load(FIRST, "2020-01-01")
    load(SECOND, "2999-01-01")
    index = search.open(place)
    assert (fees(index, None), fees(index, "2999-01-02")) == (["50"], ["60"])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"day": "1 May 2020"}, "must be a day such as 2026-12-31"),
        ({"day": "2021-02-29"}, "must be a day"),
        ({"day": "2020-02-01", "valid_to": "2020-01-31"}, "before it begins"),
        ({"version": "the draft"}, "no blanks"),
    ],
)
def test_what_is_no_interval_is_refused(load: Load, given: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message) as refused:
        load(FIRST, **given)
    assert refused.value.code == "version.interval"


def test_a_version_that_is_not_there_is_refused_with_those_that_are(loaded: search.Index) -> None:
    with pytest.raises(InputError, match="2020-01-01, 2022-07-01, 2024-01-01") as refused:
        loaded.compare("lamp-act", "1990-01-01")
    assert refused.value.code == "version.none-for-date"
    with pytest.raises(InputError, match="is called 'nine'"):
        loaded.compare("lamp-act", "nine")


def test_reindexing_keeps_the_versions(loaded: search.Index, place: Path) -> None:
    indexer.reindex(place)
    index = search.open(place)
    assert len(index.versions("lamp-act")) == 3
    assert fees(index, "2021-01-01") == ["50"]


def test_files_named_by_days_in_a_folder_are_versions_of_it(tmp_path: Path, place: Path) -> None:
    folder = tmp_path / "lamps"
    folder.mkdir()
    (folder / "2020-01-01.md").write_text(FIRST.rsplit("---\n", maxsplit=1)[-1])
    (folder / "2022-07-01.md").write_text(SECOND.split("---\n")[-1])
    indexer.ingest(folder, place)
    told = search.open(place).versions("lamps")
    assert [(one.version.valid_from, one.version.date_source) for one in told] == [
        ("2020-01-01", "path"), ("2022-07-01", "path"),
    ]  # fmt: skip


def test_two_languages_of_a_work_are_two_documents(load: Load, place: Path) -> None:
    german = (
        "---\ndocument_id: lamp-act\ntitle: Lampengesetz\n---\n# Lampengesetz\n\n"
        "## § 1 Lampen\n\nJeder Eigentümer einer Lampe muss dafür sorgen, dass sie bis zum "
        "Sonnenaufgang brennt und nicht vom Wind gelöscht wird.\n\n"
        "## § 2 Gebühren\n\nWer eine Lampe hält, muss eine Gebühr von 50 Kronen zahlen.\n"
    )
    load(FIRST.replace("title:", "language: en\ntitle:"), "2020-01-01")
    assert load(german, "2020-01-01").added == ("lamp-act-de",)
    assert load(german, "2020-01-01").unchanged == ("lamp-act-de",)
    index = search.open(place)
    assert {one.document_id for one in index.documents()} == {"lamp-act", "lamp-act-de"}
    assert len(index.versions("lamp-act")) == len(index.versions("lamp-act-de")) == 1


def test_a_reference_means_the_wording_of_the_day(load: Load, place: Path) -> None:
    third = "\n## Section 3 Sanctions\n\nWho does not pay under section 2 loses the lamp.\n"
    load(FIRST + third, "2020-01-01")
    load(SECOND + third, "2022-07-01")
    index = search.open(place)

    def cited(day: str) -> list[str]:
        with search.as_of(day):
            (rule,) = index.passages({"document_id": "lamp-act", "number": "section 3"})
            (links,) = index.links([rule])
            return [one.target.text.split()[-2] for one in links.cites if one.target]

    assert (cited("2021-01-01"), cited("2023-01-01")) == (["50"], ["60"])


def test_who_sees_some_passages_sees_their_versions(load: Load, place: Path) -> None:
    duty = "Every owner of a lamp must keep it burning until sunrise."
    for text, day in ((FIRST, "2020-01-01"), (SECOND, "2022-07-01")):
        load(text.replace(duty, "“Lamp” means a vessel in which oil burns."), day)
    limited = LimitedIndex(search.open(place), {"kind": "rule"})
    assert [one.version.passages for one in limited.versions("lamp-act")] == [1, 1]
    with search.as_of("2021-01-01"):
        (rule,) = limited.passages({"document_id": "lamp-act"})
    assert "50 crowns" in rule.text
    (change,) = limited.compare("lamp-act", "2020-01-01", "2022-07-01").changes
    assert (change.change, change.number) == ("changed", "Section 2")
