"""Changes of an index that are watched and can be cancelled."""

from __future__ import annotations

from pathlib import Path

import pytest
from sample import ingest_rulebook, record, write_lines

from rirag.service import Service
from rirag.service.loading import (
    Reading,
    add_questions,
    answered_questions,
    delete_documents,
    load,
    reindex,
    remove_questions,
    structure,
)
from rirag.settings import Settings
from search.errors import CancelledError, InputError

STAGES = ("read", "arrange", "encode", "load")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """An index of one rule."""
    settings = Settings(index=str(tmp_path / "index"), rerank=False)
    load(settings, write_lines(tmp_path / "act.jsonl", record("1", "Widgets are taxed.")))
    return settings


def numbers(settings: Settings) -> list[str]:
    """The numbers of all passages that a searcher sees."""
    with Service.open(settings) as service:
        return [one.passage_id for one in service.passages()]


@pytest.mark.parametrize("stage", STAGES)
def test_a_load_that_is_cancelled_in_any_stage_changes_nothing(
    settings: Settings, tmp_path: Path, stage: str
) -> None:
    more = write_lines(
        tmp_path / "act.jsonl", record("1", "Widgets are taxed."), record("2", "So are gadgets.")
    )
    heard: list[str] = []

    def ends() -> bool:
        return heard[-1:] == [stage]

    def hear(stage: str, done: int, total: int) -> None:
        heard.append(stage)

    with pytest.raises(CancelledError):
        # What is heard of a stage is checked when the next step is told: any later one will do.
        load(settings, more, progress=hear, cancelled=lambda: ends() or stage == "read")
    assert numbers(settings) == ["1"]
    assert load(settings, more).passages == 2
    assert numbers(settings) == ["1", "2"]


def test_progress_is_heard_stage_by_stage(settings: Settings, tmp_path: Path) -> None:
    heard: list[str] = []
    more = write_lines(tmp_path / "act.jsonl", record("2", "So are gadgets."))
    load(settings, more, progress=lambda stage, *_: heard.append(stage), cancelled=lambda: False)
    assert list(dict.fromkeys(heard)) == list(STAGES)


def test_documents_are_deleted_all_or_none(tmp_path: Path) -> None:
    settings = Settings(index=str(ingest_rulebook(tmp_path / "index")), rerank=False)
    with pytest.raises(InputError):
        delete_documents(settings, ["AMLR", "nothing"])
    assert delete_documents(settings, ["AMLR", "GLOS", "AMLR"]).documents == 2
    with Service.open(settings) as service:
        assert [one.document_id for one in service.documents()] == ["COND", "GOVN"]


def test_answered_questions_are_added_listed_and_removed(
    settings: Settings, tmp_path: Path
) -> None:
    asked = {"question_id": "q", "question": "Are widgets taxed?", "relevant": ["id-1"]}
    add_questions(settings, [write_lines(tmp_path / "asked.jsonl", asked)])
    assert [one.id for one in answered_questions(settings)] == ["q"]
    remove_questions(settings, ["q"])
    assert not answered_questions(settings)


def test_an_index_is_rebuilt_from_what_it_holds(settings: Settings) -> None:
    assert reindex(settings).after.passages == 1
    with pytest.raises(CancelledError):
        reindex(settings, cancelled=lambda: True)
    assert numbers(settings) == ["1"]


def test_answered_questions_follow_a_rebuilt_index_whose_cancelling_comes_too_late(
    settings: Settings, tmp_path: Path
) -> None:
    asked = {"question_id": "q", "question": "Are widgets taxed?", "relevant": ["id-1"]}
    add_questions(settings, [write_lines(tmp_path / "asked.jsonl", asked)])
    heard: list[tuple[str, bool]] = []

    def stored() -> bool:
        return ("load", True) in heard

    report = reindex(
        settings,
        progress=lambda stage, done, total: heard.append((stage, done == total)),
        cancelled=stored,
    )
    assert (stored(), report.questions) == (True, 1)


def test_a_source_is_read_as_asked_and_not_loaded(tmp_path: Path) -> None:
    source = tmp_path / "fees.txt"
    source.write_text("1\tFEES\n1.1\tPay.\n", encoding="utf-8")
    assert [one.passage_id for one in structure(source).passages()] == ["1", "1.1"]
    with pytest.raises(InputError):
        structure(source, Reading(format="nothing"))
    with pytest.raises(CancelledError):
        structure(source, cancelled=lambda: True)
