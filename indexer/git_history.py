"""Read a git repository: the texts that its commits gave to each file, as versions of works.

`git` runs as a program, without a shell, hooks, filters or network, and nothing is checked out.
"""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from indexer.load.in_force import day_of
from indexer.load.sources import Committed, Sources, find_sources, unfit_name
from search.errors import InputError

CommitDates = Literal["published", "in-force"]
"""What the date of a commit is: of publication, which says nothing of law, or the first day."""

_SAFE = {
    "core.quotePath": "false", "core.hooksPath": os.devnull, "core.fsmonitor": "false",
    "log.showSignature": "false", "protocol.allow": "never",
}  # fmt: skip
_FORMAT = "%x1e%H%x1f%as" + "".join(
    f"%x1f%(trailers:key={key},valueonly,separator=%x20)" for key in ("Source-Date", "Norm-Id")
)
_SUBMODULE, _FILE = "160000", "100"
"""Mode of a submodule, and what the mode of a file begins with."""
_KEPT = 12
"""Digits of a hash by which commits and texts are named."""


@dataclass(frozen=True, slots=True)
class _Commit:
    hash: str
    date: str
    source_date: str
    work: str


@dataclass(frozen=True, slots=True)
class _Text:
    """What a commit made of a file."""

    commit: _Commit
    blob: str
    place: int
    """Among all texts, in the order of the commits."""


@dataclass(slots=True)
class _File:
    """A file through its renames."""

    paths: list[str]
    texts: list[_Text] = field(default_factory=list)
    works: list[str] = field(default_factory=list)
    """`Norm-Id` of the commits of this file alone."""
    is_deleted: bool = False


def read_history(
    repository: Path,
    folder: Path,
    held: Counter[str],
    *,
    path: str = "*",
    commit_dates: CommitDates = "published",
    **how: Any,
) -> Sources:
    """Return the texts that commits gave to files, in the order of the commits.

    Args:
        repository: a folder of it; what is outside of the folder is not read.
        folder: an empty one, which gets the texts.
        held: key of a text → works of an index that have it; they are not read again.
        path: pattern of the paths that are read.
        commit_dates: what the date of a commit is.
        how: further arguments of `find_sources`.

    Raises:
        InputError: there is no such repository, no git, or no text that can be read.
    """
    if not repository.is_dir():
        raise InputError(
            "no such folder; clone the repository first, and give the folder of the clone",
            repository,
            code="source.missing",
        )
    notes = list[str]()
    files = [one for one in _files(repository, notes) if _is_wanted(one, path)]
    if not files:
        raise InputError(
            f"no commit has a file that rirag reads, with a path like {path!r}",
            repository,
            code="source.unreadable",
        )
    texts = [one for file in files for one in _versions(file, commit_dates, notes)]
    times = Counter(commit.key for _, commit in texts)
    new = [one for one in texts if held[one[1].key] < times[one[1].key]]
    if not new:
        return Sources((), (), notes=tuple(notes), may_be_empty=True)
    new.sort(key=lambda one: one[0].place)
    places = _written(repository, folder, [(text.blob, one.path) for text, one in new])
    found = find_sources(folder, **how)
    readers = {one.path: one for one in found.files}
    read = tuple(
        replace(readers[at], name=f"{one.path}@{one.commit}", committed=one)
        for at, (_, one) in zip(places, new, strict=True)
        if at in readers
    )
    return replace(found, files=read, has_folder=False, notes=tuple(notes))


def texts_of(sources: Iterable[str]) -> Counter[str]:
    """Return how often the texts of commits are among the sources of versions."""
    return Counter(
        key for one in sources if "@" in one for key in one.rpartition("@")[2].split(",")
    )


def _files(repository: Path, notes: list[str]) -> list[_File]:
    """Return the files of all commits, those that are gone too."""
    at: dict[str, _File] = {}
    found: list[_File] = []
    submodules = set[str]()
    for place, (commit, changes) in enumerate(_commits(repository)):
        touched = []
        for mode, blob, status, before, path in changes:
            if mode == _SUBMODULE:
                submodules.add(path)
                continue
            file = at.pop(before, None) if status == "R" else at.get(path)
            if file is None and status != "D" and mode.startswith(_FILE):
                found.append(file := _File([]))
            if file is None:
                continue
            at[path] = file
            file.is_deleted = status == "D"
            file.paths.append(path)
            if status != "D" and not (file.texts and file.texts[-1].blob == blob):
                file.texts.append(_Text(commit, blob, place))
                touched.append(file)
        if len(touched) == 1 and commit.work:
            touched[0].works.append(commit.work)
    notes += (f"{one} is a submodule and was not read" for one in sorted(submodules))
    return found


def _is_wanted(file: _File, pattern: str) -> bool:
    return not unfit_name(Path(file.paths[-1])) and any(
        fnmatchcase(one, pattern) and ".." not in one for one in file.paths
    )


def _versions(
    file: _File, commit_dates: CommitDates, notes: list[str]
) -> Iterator[tuple[_Text, Committed]]:
    """Yield each text of a file with what its commit says of it."""
    path = file.paths[-1]
    name = str(PurePosixPath(path).with_suffix("")).replace("/", "-")
    seen = Counter[str]()
    for text in file.texts:
        commit, short = text.commit, text.blob[:_KEPT]
        seen[short] += 1
        again = f"-{seen[short]}" if seen[short] > 1 else ""
        day = day_of(commit.source_date)
        if commit.source_date and not day:
            said = commit.source_date
            notes.append(f"commit {commit.hash[:_KEPT]}: Source-Date {said!r:.40} is not a day")
        if not day and commit_dates == "in-force":
            day = commit.date
        work = file.works[-1] if file.works else ""
        yield text, Committed(path, commit.hash[:_KEPT], short + again, day, work, name)
    if file.is_deleted:
        notes.append(f"{path} was deleted; if its law was repealed, say so with --valid-to")


def _commits(repository: Path) -> Iterator[tuple[_Commit, list[tuple[str, str, str, str, str]]]]:
    """Yield each commit with the mode, text, status, former path and path of what it changed.

    A merge counts by what it changed against its first parent.
    """
    out = _git(
        repository, "log", "--topo-order", "--reverse", "--diff-merges=first-parent", "--relative",
        "--raw", "-M", "-z", "--no-abbrev", "--no-ext-diff", "--no-textconv", f"--format={_FORMAT}",
    )  # fmt: skip
    fields = iter(out.decode(errors="surrogateescape").split("\0"))
    commit, changes = None, list[tuple[str, str, str, str, str]]()
    for one in fields:
        if one.startswith("\x1e"):
            if commit:
                yield commit, changes
            commit, changes = _Commit(*one[1:].split("\x1f")), []
        elif one.strip():
            _, mode, _, blob, status = one.split()
            before = path = next(fields)
            if status[0] in "RC":
                path = next(fields)
            changes.append((mode, blob, status[0], before, path))
    if commit:
        yield commit, changes


def _written(repository: Path, folder: Path, wanted: Sequence[tuple[str, str]]) -> list[Path]:
    """Write texts below a folder, each once; return where each is."""
    places = [folder / blob[:_KEPT] / repository.resolve().name / path for blob, path in wanted]
    new = {place: blob for place, (blob, _) in zip(places, wanted, strict=True)}
    with subprocess.Popen(  # noqa: S603 - no shell, and options that run nothing
        [*_command(repository), "cat-file", "--batch"], env=_environment(),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as git:  # fmt: skip
        assert git.stdin and git.stdout  # noqa: S101 - both are pipes
        for place, blob in new.items():
            git.stdin.write(f"{blob}\n".encode())
            git.stdin.flush()
            size = git.stdout.readline().split()[-1]
            if not size.isdigit():
                raise InputError(
                    f"the text {blob} is missing in this clone; fetch it whole",
                    repository,
                    code="source.unreadable",
                )
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(git.stdout.read(int(size) + 1)[:-1])
        git.stdin.close()
    return places


def _command(repository: Path) -> list[str]:
    options = (word for name, value in _SAFE.items() for word in ("-c", f"{name}={value}"))
    return ["git", "--no-pager", "--no-replace-objects", *options, "-C", str(repository.resolve())]


def _environment() -> dict[str, str]:
    """Return an environment that names no other repository, and in which git asks nobody."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**kept, "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}


def _git(repository: Path, *arguments: str) -> bytes:
    try:
        done = subprocess.run(  # noqa: S603 - no shell, and options that run nothing
            [*_command(repository), *arguments],
            env=_environment(),
            capture_output=True,
            check=False,
        )
    except FileNotFoundError:
        raise InputError(
            "the history of a repository is read with git, which is not installed",
            repository,
            code="source.unreadable",
        ) from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().partition("\n")[0]
        raise InputError(f"git cannot read this: {said}", repository, code="source.unreadable")
    return done.stdout
