"""Load the files of a job, and say of each what became of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rirag.server.jobs.uploads import Uploads
from rirag.server.problems import Problem
from rirag.server.storage.jobs import Job
from search.errors import IndexUnavailableError

if TYPE_CHECKING:
    from indexer import IngestReport, Progress
    from rirag.server.jobs.worker import Cancelled
    from rirag.service import Service
    from rirag.settings import Settings

OWN = ("index", "encoded", "reused", "skipped")
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
        self, job: Job, paths: Sequence[Path], progress: Progress, cancelled: Cancelled
    ) -> Mapping[str, Any]:
        """Load the files, and let searchers see them."""
        from rirag.service import loading

        if job.bound:
            self._refuse_taken(job, paths)
        report = loading.load(
            self._settings,
            paths,
            metadata=job.metadata,
            progress=progress,
            cancelled=cancelled,
        )
        service = self._service()
        service.refresh()
        refused = tuple(self._uploads.without_place(job.id, text) for text in report.refused)
        report = replace(report, refused=refused)
        return {
            "documents": {
                "added": list(report.added),
                "changed": list(report.changed),
                "unchanged": list(report.unchanged),
            },
            "files": _by_file(service, job, report),
            "ingest": _told(report, job),
        }

    def _refuse_taken(self, job: Job, paths: Sequence[Path]) -> None:
        """Refuse documents whose ID is in use where the maker of the job cannot see it."""
        from rirag.service import loading

        try:
            held = {one.document_id: one.passages for one in self._service().documents()}
        except IndexUnavailableError:
            return  # the first load makes it
        seen = {one.document_id: one.passages for one in self._seeing(job.bound).documents()}
        found = loading.structure(paths)
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


def _by_file(service: Service, job: Job, report: IngestReport) -> list[dict[str, Any]]:
    loaded = [*report.added, *report.changed, *report.unchanged]
    passages = service.passages({"document_id": loaded}) if loaded else []
    counts = Counter(_file(passage.source) for passage in passages)
    files = []
    for one in job.files:
        name = one["name"]
        refused = [text for text in report.refused if text.startswith((f"{name}:", f"{name} "))]
        files.append(
            {
                **one,
                "read": counts[name] > 0,
                "passages": counts[name],
                "left_out": [
                    {"reason": note.reason, "pieces": note.pieces, "words": note.words}
                    for note in report.left_out
                    if note.source == name
                ],
                "warnings": [
                    {"kind": w.kind, "message": w.message, "source": w.source}
                    for w in report.warnings
                    if _file(w.source) == name
                ],
                "refused": refused,
            }
        )
    return files


def _told(report: IngestReport, job: Job) -> dict[str, Any]:
    data = report.to_json()
    if job.bound:
        for name in OWN:
            data.pop(name, None)
    return data


def _file(source: str) -> str:
    return source.rpartition(":")[0] or source
