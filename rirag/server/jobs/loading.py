"""Load the files of a job, and say of each what became of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rirag.server.jobs.uploads import Uploads, as_fields, upload_of
from rirag.server.problems import Problem
from rirag.server.storage.jobs import Job
from search.errors import IndexUnavailableError

if TYPE_CHECKING:
    from indexer import Progress
    from rirag.server.jobs.worker import Cancelled
    from rirag.service import Service
    from rirag.settings import Settings

OWN = ("index", "encoded", "reused", "skipped", "namesakes")
"""Fields of a report that say something of what others have loaded."""


class ServiceLoader:
    """Loads into the index of the settings, which need not be there yet."""

    def __init__(
        self,
        settings: Settings,
        service: Callable[[], Service],
        seeing: Callable[[str], Service],
        uploads: Uploads,
    ) -> None:
        """Take how to get the whole index, and what callers with some filters see of it."""
        self._settings = settings
        self._service = service
        self._seeing = seeing
        self._uploads = uploads

    def load(
        self, job: Job, paths: Sequence[Path], progress: Progress, cancelled: Cancelled,
        refused: Sequence[str] = (),
    ) -> Mapping[str, Any]:  # fmt: skip
        """Load the files, and let searchers see them."""
        from rirag.service import loading

        files, unusable = loading.usable(paths)
        metadata, document_id, replaces = as_fields(job.metadata)
        if job.bound:
            self._refuse_taken(job, files, document_id)
        report = loading.load(
            self._settings,
            files,
            metadata=metadata,
            document_id=document_id,
            replace=replaces,
            progress=progress,
            cancelled=cancelled,
        )
        service = self._service()
        service.refresh()
        report = replace(report, refused=(*refused, *unusable, *report.refused))
        told = self._uploads.without_place(job.id, report.to_json())
        return {
            "documents": {
                "added": list(report.added),
                "changed": list(report.changed),
                "unchanged": list(report.unchanged),
            },
            "files": _by_file(service, job, told),
            "ingest": _shown(told, job),
        }

    def _refuse_taken(self, job: Job, paths: Sequence[Path], document_id: str) -> None:
        """Refuse documents whose ID is in use where the maker of the job cannot see it."""
        from rirag.service import loading

        try:
            held = {one.document_id: one.passages for one in self._service().documents()}
        except IndexUnavailableError:
            return  # the first load makes it
        seen = {one.document_id: one.passages for one in self._seeing(job.bound).documents()}
        found = loading.structure(paths, document_id=document_id)
        for document in found.documents:
            name = document.document_id
            if held.get(name, 0) != seen.get(name, 0):
                raise _taken("DocumentID", name)
        ids = [passage.id for passage in found.passages()]
        mine = {one.id for one in self._seeing(job.bound).passages({"id": ids})} if ids else set()
        for one in self._service().passages({"id": ids}) if ids else ():
            if one.id not in mine:
                raise _taken("ID", one.id)


def _taken(kind: str, name: str) -> Problem:
    return Problem("document.taken", f"the {kind} {name!r} cannot be used; choose another one.")


def _by_file(service: Service, job: Job, told: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what became of each upload, files of an archive included."""
    loaded = [*told["added"], *told["changed"], *told["unchanged"]]
    passages = service.passages({"document_id": loaded}) if loaded else []
    counts = Counter(upload_of(passage.source) for passage in passages)
    unread = [f"{one['path']}: {one['reason']}" for one in told["skipped"]]
    files = []
    for one in job.files:
        name = one["name"]
        files.append(
            {
                **one,
                "read": counts[name] > 0,
                "passages": counts[name],
                "left_out": [
                    {what: note[what] for what in ("reason", "pieces", "words")}
                    for note in told["left_out"]
                    if upload_of(note["source"]) == name
                ],
                "warnings": [
                    {what: warning[what] for what in ("kind", "message", "source")}
                    for warning in told["warnings"]
                    if upload_of(warning["source"]) == name
                ],
                "refused": refused_of(name, [*told["refused"], *unread]),
            }
        )
    return files


def refused_of(name: str, messages: Iterable[str]) -> list[str]:
    """Return the messages that say why an upload, or a file in it, was not read."""
    return [one for one in messages if upload_of(one) == name or one.startswith(f"{name} ")]


def _shown(told: Mapping[str, Any], job: Job) -> dict[str, Any]:
    """Return the report of a load, as the maker of the job may see it."""
    return {name: one for name, one in told.items() if not (job.bound and name in OWN)}
