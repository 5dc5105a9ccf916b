"""A file whose document is not the one that the index holds under its ID is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import indexer
import search
from search.errors import InputError

LEAVE = """Leave Policy
1.1\tStaff of the Dublin branch get 25 days of leave in each calendar year.
1.2\tA manager approves leave two weeks before it begins.
"""
TRAVEL = """Travel Policy
1.1\tStaff may fly business class above six hours.
1.2\tReceipts are handed in within a month.
"""


def load(folder: Path, text: str, **more: object) -> indexer.IngestReport:
    folder.mkdir(exist_ok=True)
    (folder / "policy.txt").write_text(text, encoding="utf-8")
    return indexer.ingest(folder, folder.parent / "index", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        LEAVE.replace("25", "30"),
        LEAVE.replace("Leave Policy", "Leave Policy 2027"),
        LEAVE.replace("Leave Policy", "Absence rules"),
        LEAVE.replace("1.1", "4.1").replace("1.2", "4.2"),
        LEAVE + "1.3\tOther rules apply to those who work at night or on call.\n",
        LEAVE.partition("1.2")[0],
    ],
)
def test_a_new_version_is_a_change_wherever_it_lies(tmp_path: Path, text: str) -> None:
    load(tmp_path / "a", LEAVE)
    report = load(tmp_path / "b", text)
    assert (report.changed, report.refused) == (("policy",), ())


@pytest.mark.parametrize(
    "text",
    [TRAVEL, TRAVEL.replace("Travel", "Leave"), LEAVE.partition("1.2")[0].replace("of", "to")
     .replace("Leave Policy", "Night work") + TRAVEL.partition("1.1")[2]],
    ids=["another title", "the same title", "another title, some words"],
)  # fmt: skip
def test_another_document_is_refused_unless_it_is_to_replace(tmp_path: Path, text: str) -> None:
    load(tmp_path / "a", LEAVE)
    with pytest.raises(InputError, match=r"'Leave Policy', 2 passages from policy\.txt") as refused:
        load(tmp_path / "b", text)
    assert (refused.value.code, "\n" in str(refused.value)) == ("source.other-document", False)
    with search.open(tmp_path / "index") as index:
        assert "25 days" in index.passages()[0].text
    assert load(tmp_path / "b", text, replace=True).changed == ("policy",)


@pytest.mark.parametrize(
    ("title", "replace", "told"),
    [
        ("Leave Policy (Paris)", False, True),
        ("Leave Policy (Paris)", True, True),
        ("Leave Policy", False, False),
    ],
)
def test_a_document_of_another_title_is_named_with_what_it_replaces(
    tmp_path: Path, title: str, replace: bool, told: bool
) -> None:
    load(tmp_path / "a", LEAVE)
    report = load(tmp_path / "b", LEAVE.replace("Leave Policy", title) + "More.", replace=replace)
    assert report.changed == ("policy",)
    replaces = "policy: 'Leave Policy (Paris)' replaces 'Leave Policy'."
    assert (replaces in report.summary()) == any(replaces in one for one in report.guesses) == told
    assert not load(tmp_path / "b", LEAVE.replace("Leave Policy", title) + "More.").guesses


def test_an_id_that_a_source_gives_is_meant(tmp_path: Path) -> None:
    for text in (LEAVE, TRAVEL):
        report = load(tmp_path / "a", f"---\ndocument_id: HR-12\n---\n{text}")
    assert report.changed == ("HR-12",)


def test_the_other_files_are_loaded_and_nothing_is_pruned(tmp_path: Path) -> None:
    load(tmp_path / "a", LEAVE)
    (tmp_path / "a" / "old.txt").write_text("Old\n1.1\tLamps are lit.\n", encoding="utf-8")
    load(tmp_path / "a", LEAVE)
    (tmp_path / "a" / "old.txt").rename(tmp_path / "a" / "new.txt")
    report = load(tmp_path / "a", TRAVEL, prune=True)
    assert (report.added, report.gone, len(report.refused)) == (("new",), (), 1)
    with pytest.raises(InputError, match="Nothing was loaded"):
        load(tmp_path / "a", TRAVEL, strict=True)


def test_another_document_id_keeps_both(tmp_path: Path) -> None:
    load(tmp_path / "a", LEAVE)
    assert load(tmp_path / "b", TRAVEL, document_id="travel").added == ("travel",)
    assert load(tmp_path / "b", TRAVEL, document_id="travel").unchanged == ("travel",)
    with search.open(tmp_path / "index") as index:
        ids = [one.document_id for one in index.documents()]
        assert ids == ["policy", "travel"]
        assert len({one.id for one in index.passages()}) == len(index.passages()) == 4
