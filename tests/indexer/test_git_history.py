"""A git repository loaded as the versions of its files."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import indexer
import search
from search.errors import InputError

ACT = """---
title: {title}
---
# {title}

## Section 1 Lamps

Every lamp burns until {until}, and a watchman counts those that went out.

## Section 2 Fees

The fee for a lamp is {fee} crowns, and it is paid before the feast of the harbour.
"""


class Repository:
    """A repository that is written to commit by commit."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str, day: str = "2020-01-01") -> str:
        dates = {f"GIT_{who}_DATE": f"{day}T23:30:00 -0800" for who in ("AUTHOR", "COMMITTER")}
        names = {f"GIT_{who}_NAME": "test" for who in ("AUTHOR", "COMMITTER")}
        mails = {f"GIT_{who}_EMAIL": "test@localhost" for who in ("AUTHOR", "COMMITTER")}
        done = subprocess.run(
            ["git", "-C", str(self.folder), *arguments],
            env={**os.environ, **dates, **names, **mails}, check=True, capture_output=True,
            text=True,
        )  # fmt: skip
        return done.stdout.strip()

    def commit(self, *trailers: str, day: str = "2020-01-01") -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "\n".join(("Change", "", *trailers)), day=day)

    def write(self, path: str, text: str) -> None:
        place = self.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


def act(fee: int = 50, until: str = "sunrise", title: str = "Lamp Act") -> str:
    return ACT.format(fee=fee, until=until, title=title)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "laws")


Load = Callable[..., indexer.IngestReport]


@pytest.fixture
def load(repository: Repository, tmp_path: Path) -> Load:
    def load(**how: Any) -> indexer.IngestReport:
        return indexer.ingest((), tmp_path / "index", history=repository.folder, **how)

    return load


@pytest.fixture
def versions(tmp_path: Path) -> Callable[[str], list[tuple[str, str | None, str]]]:
    def versions(document_id: str) -> list[tuple[str, str | None, str]]:
        with search.open(tmp_path / "index") as index:
            found = [one.version for one in index.versions(document_id)]
        return [(one.version_id, one.valid_from, one.date_means) for one in found]

    return versions


Versions = Callable[[str], list[tuple[str, str | None, str]]]


def test_each_commit_that_changes_law_is_a_version(
    repository: Repository, load: Load, versions: Versions
) -> None:
    for fee, day in ((50, "2020-01-01"), (60, "2022-07-01"), (50, "2024-01-01")):
        repository.write("lamps.md", act(fee))
        repository.commit(f"Source-Date: {day}", "Norm-Id: lamp-act")
    found = load()
    assert [one.version_id for one in found.versions] == ["2020-01-01", "2022-07-01", "2024-01-01"]
    assert versions("lamp-act") == [
        (day, day, "in-force") for day in ("2020-01-01", "2022-07-01", "2024-01-01")
    ]


def test_loading_again_costs_the_new_commits_alone(repository: Repository, load: Load) -> None:
    for fee in (50, 60):
        repository.write("lamps.md", act(fee))
        repository.commit(f"Source-Date: 20{fee}-01-01")
    first = load()
    again = load()
    assert (again.passages, again.added, again.changed) == (0, (), ())
    assert again.index.generation == first.index.generation
    repository.write("lamps.md", act(70))
    repository.commit("Source-Date: 2070-01-01")
    found = load()
    assert ([one.version_id for one in found.versions], found.encoded) == (["2070-01-01"], 1)
    assert found.passages == first.passages // 2


def test_commits_that_change_the_form_are_no_versions(
    repository: Repository, load: Load, versions: Versions
) -> None:
    repository.write("lamps.md", act())
    repository.commit("Source-Date: 2020-01-01")
    repository.write("lamps.md", act().replace("title:", "layout: plain\ntitle:"))
    repository.commit()
    repository.write("lamps.md", act().replace("lamp is", "lamp\nis").replace(",", " ,"))
    repository.commit("Source-Date: 2021-01-01")
    found = load()
    assert [one.version_id for one in found.versions] == ["2020-01-01"]
    assert "lamps: 2 commits changed no law" in found.guesses
    assert len(versions("lamps")) == 1
    assert load().passages == 0


def test_a_commit_of_a_day_that_is_there_is_a_correction(
    repository: Repository, load: Load, versions: Versions, tmp_path: Path
) -> None:
    for until in ("sunrize", "sunrise"):
        repository.write("lamps.md", act(until=until))
        repository.commit("Source-Date: 2020-01-01")
    load()
    assert load().passages == 0
    assert len(versions("lamps")) == 1
    with search.open(tmp_path / "index") as index:
        assert any("sunrise" in one.text for one in index.passages())


def test_the_date_of_a_commit_is_no_day_of_law_unless_it_is_said_so(
    repository: Repository, load: Load, versions: Versions
) -> None:
    for fee, day in ((50, "1969-12-31"), (60, "2024-02-29")):
        repository.write("lamps.md", act(fee))
        repository.commit("Source-Date: 2012", day="2022-01-01" if fee == 50 else day)
    found = load()
    assert {(day, means) for _, day, means in versions("lamps")} == {(None, "published")}
    assert any("2 versions have no day" in one for one in found.guesses)
    assert any("Source-Date '2012' is not a day" in one for one in found.guesses)


def test_the_date_of_a_commit_is_that_of_its_author_where_it_is_the_day(
    repository: Repository, load: Load, versions: Versions
) -> None:
    for fee, day in ((50, "2022-01-01"), (60, "2024-02-29")):
        repository.write("lamps.md", act(fee))
        repository.commit(day=day)
    load(commit_dates="in-force")
    assert [day for _, day, _ in versions("lamps")] == ["2022-01-01", "2024-02-29"]


def test_a_file_is_followed_through_renames_and_merges(
    repository: Repository, load: Load, versions: Versions
) -> None:
    repository.write("old name.md", act())
    repository.commit("Source-Date: 2020-01-01")
    repository.git("checkout", "-q", "-b", "reform")
    repository.write("old name.md", act(60))
    repository.commit("Source-Date: 2021-01-01")
    repository.git("checkout", "-q", "main")
    repository.write("oil.md", act(title="Oil Act"))
    repository.commit("Source-Date: 2020-06-01")
    repository.git("merge", "-q", "--no-ff", "-m", "Merge", "reform")
    repository.git("mv", "old name.md", "lämps.md")
    repository.write("lämps.md", act(70))
    repository.commit("Source-Date: 2022-01-01")
    load()
    days = ["2020-01-01", "2021-01-01", "2022-01-01"]
    assert [day for _, day, _ in versions("lämps")] == days
    assert [day for _, day, _ in versions("oil")] == ["2020-06-01"]


def test_a_history_that_was_rewritten_brings_nothing_new(
    repository: Repository, load: Load, versions: Versions
) -> None:
    for fee in (50, 60):
        repository.write("lamps.md", act(fee))
        repository.commit("Source-Date: 2020-01-01" if fee == 50 else "")
    load()
    before = versions("lamps")
    repository.git("commit", "-q", "--amend", "-m", "Other words", day="2023-05-05")
    assert load().passages == 0
    assert versions("lamps") == before


def test_what_is_no_law_is_left_alone(repository: Repository, load: Load, tmp_path: Path) -> None:
    other = Repository(tmp_path / "other")
    other.write("oil.md", act())
    other.commit()
    repository.write("lamps.md", act())
    repository.write("gone.md", act(until="noon", title="Gone Act"))
    repository.write("README.md", act(title="About"))
    repository.write("tool.py", "print()")
    (repository.folder / "link.md").symlink_to("/etc/passwd")
    repository.git(
        "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other.folder), "sub"
    )
    repository.commit("Source-Date: 2020-01-01")
    repository.git("rm", "-q", "gone.md")
    repository.commit()
    found = load()
    assert sorted(found.added) == ["gone", "lamps"]
    assert "sub is a submodule and was not read" in found.guesses
    assert any(one.startswith("gone.md was deleted") for one in found.guesses)


def test_a_pattern_chooses_files(repository: Repository, load: Load) -> None:
    repository.write("v/vig/index.md", act())
    repository.write("x/index.md", act(title="Other Act"))
    repository.commit("Source-Date: 2020-01-01", "Norm-Id: of-one-file-alone")
    assert load(path="v/*").added == ("v-vig-index",)
    with pytest.raises(InputError, match="with a path like 'w/"):
        load(path="w/*")


def test_git_runs_nothing_of_the_repository(
    repository: Repository, load: Load, tmp_path: Path
) -> None:
    trap = tmp_path / "trap"
    script = repository.folder / "run.sh"
    script.write_text(f"#!/bin/sh\ntouch {trap}\n")
    script.chmod(0o755)
    repository.write("lamps.md", act())
    repository.write(".gitattributes", "*.md diff=trap filter=trap")
    repository.commit("Source-Date: 2020-01-01")
    for name in ("diff.external", "diff.trap.command", "diff.trap.textconv", "core.fsmonitor",
                 "filter.trap.smudge", "core.pager"):  # fmt: skip
        repository.git("config", name, str(script))
    trap.unlink(missing_ok=True)
    load()
    assert not trap.exists()


@pytest.mark.parametrize(
    "given", [{"version": "x"}, {"valid_from": "2020-01-01"}, {"prune": True}, {"document_id": "x"}]
)
def test_a_history_is_loaded_alone(load: Load, given: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="loaded alone"):
        load(**given)


def test_what_is_no_repository_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index, folder = tmp_path / "index", tmp_path / "plain"
    with pytest.raises(InputError, match="clone the repository first"):
        indexer.ingest((), index, history="https://example.org/laws.git")
    folder.mkdir()
    with pytest.raises(InputError, match="git cannot read this"):
        indexer.ingest((), index, history=folder)
    Repository(tmp_path / "empty")
    with pytest.raises(InputError, match="git cannot read this"):
        indexer.ingest((), index, history=tmp_path / "empty")
    monkeypatch.setenv("PATH", str(folder))
    with pytest.raises(InputError, match="git, which is not installed"):
        indexer.ingest((), index, history=tmp_path / "empty")
    assert not index.exists()
