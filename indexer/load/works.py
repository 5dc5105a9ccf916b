"""Which work a file holds, and which version of it: name, day, and where these come from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from indexer.load.in_force import day_of, says_in_force
from indexer.load.sources import Committed
from indexer.load.versions import UNDATED
from indexer.structuring.acts.provisions import VERSION_DAY, WORK
from search.engines.stored_rows import filter_values
from search.errors import InputError
from search.law_in_time import today
from search.records import Passage
from search.versions.history import DateMeaning, DateSource, Version, is_day

NO_LEGAL_EFFECT = "no legal effect"
"""What the Union says of its consolidated states."""
_STATE = re.compile(r"0(\d{4}[A-Z]{1,2}\d{3,5}(?:R\(\d+\))?)-(\d{4})(\d\d)(\d\d)")
"""CELEX number of a consolidated state, as `02019R2088-20240109`."""
_IDENTIFIER = "identifier"
_DAYS, _UPDATED = ("valid_from", "version_date"), "last_updated"
"""Fields of front matter with the name of the work, before `document_id`, and with the day from
which its text is law; the last counts where there is no other, and the text is said to be in force.
"""


@dataclass(frozen=True, slots=True)
class Given:
    """What whoever loads says of the files."""

    work: str = ""
    version: str = ""
    valid_from: str = ""
    valid_to: str = ""

    def __post_init__(self) -> None:
        """Refuse what is no day, or an interval that ends before it begins."""
        for name, day in (("valid_from", self.valid_from), ("valid_to", self.valid_to)):
            if day and not is_day(day):
                raise InputError(
                    f"{name} must be a day such as 2026-12-31, not {day!r:.40}",
                    code="version.interval",
                )
        if self.valid_to and self.valid_from > self.valid_to:
            raise InputError(
                f"the version would end on {self.valid_to}, before it begins on {self.valid_from}",
                code="version.interval",
            )
        if any(sign.isspace() for sign in self.version):
            raise InputError(
                f"the name of a version has no blanks: {self.version!r:.40}",
                code="version.interval",
            )

    def __bool__(self) -> bool:
        return bool(self.work or self.version or self.valid_from or self.valid_to)


NOT_GIVEN = Given()


@dataclass(frozen=True, slots=True)
class Identified:
    """The work and version of a file."""

    work: str
    version: Version
    conflict: str = ""
    """A sentence on days that contradict one another."""
    is_commit: bool = False
    """Whether it is a version only if it changes law."""


def identified(
    passages: Sequence[Passage],
    path: Path,
    given: Given = NOT_GIVEN,
    reader: str = "",
    commit: Committed | None = None,
    document_id: str = "",
) -> Identified | None:
    """Return the work and version of a file that holds one document; None: it names neither.

    Args:
        passages: of the file.
        path: of the file.
        given: what the user says of it.
        reader: name of its reader.
        commit: which it is from; None: from none.
        document_id: that the user gives it; empty: none.
    """
    first = passages[0]
    is_work = bool(given.work or commit or (reader == "text" and WORK in first.metadata))
    source_work, source_days, means = _of_source(first, is_work=is_work)
    path_work, path_day = _of_path(path)
    days: list[tuple[str, DateSource, DateMeaning]] = [
        (given.valid_from, "flag", "in-force"),
        *((day, "source", means) for day in source_days),
        (commit.day if commit else "", "git", "in-force"),
        (path_day, "path", "in-force"),
    ]
    told = [one for one in days if one[0]]
    named = given.work or document_id or (commit and commit.work)
    work = named or source_work or path_work
    if not (given or source_days or path_work or commit):
        return None
    unknown: tuple[str, DateSource, DateMeaning] = ("", "none", "unknown")
    if commit:
        work, unknown = work or commit.name, ("", "git", "published")
    day, source, meaning = told[0] if told else unknown
    name = given.version or day or (path.stem if given.work else UNDATED)
    name = commit.key if commit and not day else name
    version = Version(
        version_id=re.sub(r"\s+", "-", name),
        valid_from=day or None,
        valid_to=given.valid_to or None,
        date_source=source,
        date_means=meaning,
        observed_at=today(),
        passages=len(passages),
        source=f"{commit.path}@{commit.key}" if commit else str(path),
        reader=reader,
        standing=NO_LEGAL_EFFECT if means == "state" else "",
    )
    others = [f"{other} ({where})" for other, where, _ in told[1:] if other != day]
    conflict = f"{path}: its day is {day} ({source}), not {', '.join(others)}" if others else ""
    return Identified(work or first.document_id, version, conflict, commit is not None)


def without_version(passage: Passage) -> Passage:
    """Return a passage without the fields in which readers name its work and day."""
    kept = {name: one for name, one in passage.metadata.items() if name not in (WORK, VERSION_DAY)}
    return replace(passage, metadata=kept)


def _of_source(passage: Passage, *, is_work: bool) -> tuple[str, list[str], DateMeaning]:
    """Return the name of the work and the days that a source gives itself, the surest first.

    Args:
        passage: the first one.
        is_work: whether it is known to be of a work; else front matter must name one.
    """
    metadata = passage.metadata
    if state := _STATE.fullmatch(passage.document_id):
        return f"3{state[1]}", ["-".join(state.groups()[1:])], "state"
    work = str(metadata.get(WORK, ""))
    if days := _days(passage, VERSION_DAY):
        return work, days, "in-force"
    named = str(metadata.get(_IDENTIFIER, ""))
    days = _days(passage, *_DAYS) if named or is_work else []
    if not days and (named or is_work) and says_in_force(passage):
        days = _days(passage, _UPDATED)
    return named or work, days, "in-force"


def _days(passage: Passage, *fields: str) -> list[str]:
    """Return the different days in fields of a passage."""
    values = (one for field in fields for one in filter_values(passage.metadata.get(field, ())))
    return list(dict.fromkeys(filter(None, map(day_of, values))))


def _of_path(path: Path) -> tuple[str, str]:
    """Return the work and day of a path: `sfdr/2024-01-09.xml` or `sfdr@2024-01-09.xml`.

    The folder is the work where every file of this kind in it is named by a day.
    """
    work, _, day = path.stem.rpartition("@")
    if not is_day(day):
        return "", ""
    if work:
        return work, day
    others = (one.stem for one in path.resolve().parent.glob(f"*{path.suffix}"))
    return (path.resolve().parent.name if all(map(is_day, others)) else ""), day
