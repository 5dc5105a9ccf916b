"""Join documents of an index that are versions of one work."""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from indexer.answered_questions.change import add_questions, list_questions
from indexer.answered_questions.load import refuse_answered_questions
from indexer.hierarchy.passage_ids import renamed
from indexer.load.documents import document_hash, held_by, records_of
from indexer.load.encoding import vector_hash
from indexer.load.index_encoder import describe
from indexer.load.report import VersionReport
from indexer.load.versions import Work, undated_note, version_report, with_version
from indexer.load.works import Given, identified
from search.contexts import Contexts, contexts_of
from search.engines import locate, url_of
from search.engines.protocol import Load
from search.engines.staging import Staging
from search.errors import InputError
from search.json_form import Record
from search.law_in_time import STATUS_IN_TIME
from search.records import Passage
from search.versions.history import DateSource, Version, rule_id, starts_on

if TYPE_CHECKING:
    from search.engines.servers import ServerOptions


class Joined(NamedTuple):
    """A document that became a version of a work."""

    document_id: str
    version_id: str
    date_source: DateSource


@dataclass(frozen=True, slots=True)
class MergeReport(Record):
    """What joining documents did, or would do."""

    work: str
    joined: tuple[Joined, ...]
    versions: tuple[VersionReport, ...]
    questions: int
    """Answered questions that now name passages of the work."""
    notes: tuple[str, ...] = ()
    dry_run: bool = False

    def summary(self) -> str:
        """Return a few lines for people."""
        verb = "would become" if self.dry_run else "became"
        found = [
            f"{one.document_id} {verb} version {one.version_id} of {self.work} "
            f"(day: {one.date_source})."
            for one in self.joined
        ]
        return "\n".join([*found, *map(str, self.versions), *self.notes])


@dataclass(frozen=True, slots=True)
class _Part:
    """A version that a document of the index is, or has."""

    document_id: str
    version: Version
    passages: tuple[Passage, ...]
    """With the IDs of the document's rules."""
    ids: tuple[str, ...]
    """Under which the index has them."""


def merge(
    document_ids: Iterable[str],
    into: str,
    index_url: str | os.PathLike[str],
    *,
    dry_run: bool = False,
    server: ServerOptions | None = None,
) -> MergeReport:
    """Join documents that are versions of one work; nothing is encoded.

    The day of each is found as a load finds it, from what the index holds of its source. Answered
    questions that name a passage of the documents follow it.

    Args:
        document_ids: of the documents.
        into: DocumentID of the work; a document of this ID is among its versions.
        index_url: of the index.
        dry_run: whether only to report what would be done.
        server: how to reach an index on a server; None: the environment's `RIRAG_SERVER_*`.

    Raises:
        InputError: a document is not in the index, there is only one, or two have one day.
    """
    url = url_of(index_url)
    backend = locate(url, server)
    refuse_answered_questions(backend, url)
    encoder = describe(backend, url).encoder
    with backend.load(url, encoder) as load, Staging.opened() as staging:
        names = _known(into, document_ids, load.document_hashes())
        with held_by(backend, url) as held:
            works = {name: held(name) for name in names}
        work = works[into] if into in works and works[into].history else Work()
        others = {name: one for name, one in works.items() if one is not work}
        parts = [part for name, one in others.items() for part in _parts(name, one, into)]
        parts.sort(key=lambda one: starts_on(one.version) or "9999-12-32")
        _refuse_one_day(work, parts)
        work, reports = _joined(work, parts, into)
        moved = _moved(work, parts)
        questions = [
            replace(one, passages=tuple(dict.fromkeys(moved.get(p, p) for p in one.passages)))
            for one in list_questions(url, server=server)
            if not moved.keys().isdisjoint(one.passages)
        ]
        if not dry_run:
            originals = [one for held in works.values() for one in held.states]
            _stage(staging, load, into, work, originals, contexts_of(encoder.revision))
            for name in names:
                if name != into:
                    load.delete_document(name)
            load.commit(staging)
    if questions and not dry_run:
        add_questions(questions, url, server=server)
    note = undated_note(into, work.history)
    joined = (
        Joined(one.document_id, one.version.version_id, one.version.date_source) for one in parts
    )
    return MergeReport(
        into, tuple(joined), reports, len(questions), (note,) if note else (), dry_run
    )


def _known(into: str, document_ids: Iterable[str], loaded: Container[str]) -> list[str]:
    """Return the documents to join, the work first where the index has it."""
    names = [*dict.fromkeys([*([into] if into in loaded else []), *document_ids])]
    if unknown := [one for one in names if one not in loaded]:
        raise InputError(f"the index has no document {unknown[0]!r}", code="document.unknown")
    if len(names) < 2:
        raise InputError(
            f"there is only {names[0]} to join; name the documents that are its versions",
            code="argument.invalid",
        )
    return names


def _joined(
    work: Work, parts: Sequence[_Part], into: str
) -> tuple[Work, tuple[VersionReport, ...]]:
    reports = []
    for part in parts:
        before, name = work, part.version.version_id
        work = with_version(before, [*renamed(part.passages, into)], part.version)
        reports.append(version_report(before, work, name, lambda _: ""))
    return work, tuple(reports)


def _moved(work: Work, parts: Sequence[_Part]) -> dict[str, str]:
    """Return the ID that each passage has in the work, if it is another one."""
    history = work.history
    return {
        old: state.id
        for part in parts
        for old, state in zip(
            part.ids,
            history.text_of(history.called(part.version.version_id), work.states),
            strict=True,
        )
        if old != state.id
    }


def _parts(document_id: str, held: Work, into: str) -> Iterator[_Part]:
    """Yield the versions that a document is, each with the passages as their source gave them."""
    places = range(len(held.history.versions)) if held.history else [None]
    for place in places:
        states = held.states if place is None else held.history.text_of(place, held.states)
        passages = tuple(
            replace(
                one,
                id=rule_id(one.id, held.history),
                parent=one.parent and rule_id(one.parent, held.history),
                metadata={k: v for k, v in one.metadata.items() if k != STATUS_IN_TIME},
            )
            for one in states
        )
        if place is None:
            path = Path(states[0].source.rpartition(":")[0])
            found = identified(passages, path, Given(work=into))
            assert found is not None  # noqa: S101 - its work is given
            version = found.version
        else:
            version = held.history.versions[place]
        yield _Part(document_id, version, passages, tuple(one.id for one in states))


def _refuse_one_day(work: Work, parts: Sequence[_Part]) -> None:
    """Refuse two versions of one name, of which one would give way."""
    taken = {one.version_id: "the work itself" for one in work.history.versions}
    for part in parts:
        name = part.version.version_id
        if name in taken:
            raise InputError(
                f"{part.document_id} and {taken[name]} are both version {name}; delete one of "
                "them, or load it with --work and --version",
                code="version.interval",
            )
        taken[name] = part.document_id


def _stage(
    staging: Staging, load: Load, into: str, work: Work, originals: Sequence[Passage],
    contexts: Contexts,
) -> None:  # fmt: skip
    """Stage a work with the vectors of its passages as they were.

    The title of a work, which is encoded with its passages, may be that of another version.
    """
    before = {(one.text, one.breadcrumb): vector_hash(one, contexts) for one in originals}
    known = load.known_vectors(before.values())
    olds = [before[one.text, one.breadcrumb] for one in work.states]
    records = (
        replace(record, vector_hash=old if old in known else "")
        for record, old in zip(records_of(work.states, contexts), olds, strict=True)
    )
    history = work.history.to_text()
    staging.put(into, document_hash(work.states, contexts, history), records, history)
