"""`rirag changes`: for people, for programs, and as a feed."""

from __future__ import annotations

from pathlib import Path

import feedparser
import pytest
from cli_support import Run

import indexer

ACT = "---\ndocument_id: lamp-act\ntitle: Lamp Act\n---\n# Lamp Act\n\n## Section 1 Lamps\n\n{}\n"
FIRST = "Every lamp burns until sunrise, and a watchman counts those that went out."


@pytest.fixture
def loaded(tmp_path: Path) -> Path:
    path = tmp_path / "act.md"
    for text, day in ((FIRST, "2020-01-01"), (FIRST.replace("sunrise", "dawn"), "2022-07-01")):
        path.write_text(ACT.format(text))
        indexer.ingest(path, tmp_path / "rirag-index", valid_from=day)
    return tmp_path


def test_changes_are_printed(rirag: Run, loaded: Path) -> None:
    shown = rirag("changes", "--since", "2020-01-01")
    assert shown.out == "2022-07-01  lamp-act  Lamp Act\n  Section 1 Lamps: changed\n"
    nothing = rirag("changes", "--since", "2020-01-01", "--until", "2022-06-30")
    assert (nothing.code, nothing.out[:13]) == (0, "No change of ")


def test_changes_are_given_to_programs(rirag: Run, loaded: Path) -> None:
    (found,) = rirag("changes", "--since", "2020-01-01", "--document", "Lamp Act", "--json").json
    assert (found["document_id"], found["valid_from"]) == ("lamp-act", "2022-07-01")
    assert found["changes"][0]["change"] == "changed"
    assert found["affects"] == []


def test_changes_are_written_as_a_feed(rirag: Run, loaded: Path) -> None:
    shown = rirag("changes", "--since", "2020-01-01", "--atom", "feed.xml")
    assert (shown.code, shown.out) == (0, "")
    (entry,) = feedparser.parse(Path("feed.xml").read_text()).entries
    assert entry.title == "Section 1 Lamps: changed (Lamp Act)"


def test_what_is_no_day_is_refused(rirag: Run, loaded: Path) -> None:
    assert "since must be a day" in rirag("changes", "--since", "yesterday").refused(2)
