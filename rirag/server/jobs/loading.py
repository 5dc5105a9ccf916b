"""Load the files of a job, and say of each what became of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rirag.server.jobs.uploads import Uploads, as_fields, upload_of
from rirag.server.problems import refusal
from rirag.server.storage.jobs import Job
from search.errors import IndexUnavailableError

if TYPE_CHECKING:
    from indexer import Progress
    from rirag.service import Service
    from rirag.service.loading import Cancelled
    from rirag.settings import Settings

OWN = ("index", "encoded", "reused", "skipped", "namesakes")
"""Fields of a report that say something of what others have loaded."""


class ServiceLoader:
    """Loads into the index of the settings, which need not be there yet."""

    def __init__(
        self, settings: Settings, service_for: Callable[[str], Service], uploads: Uploads
    ) -> None:
        """Take how to get what callers with some filters see of the index; without any, all."""
        self._settings = settings
        self._service_for = service_for
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
            self._settings, files, metadata=metadata, document_id=document_id, replace=replaces,
            progress=progress, cancelled=cancelled,
        )  # fmt: skip
        service = self._service_for("")
        service.refresh()
        report = replace(report, refused=(*refused, *unusable, *report.refused))
        told = self._uploads.without_place(job.id, report.to_json())
        return {
            "documents": {name: told[name] for name in ("added", "changed", "unchanged")},
            "files": _by_file(service, job, told),
            "ingest": {one: told[one] for one in told if not (job.bound and one in OWN)},
        }

    def _refuse_taken(self, job: Job, paths: Sequence[Path], document_id: str) -> None:
        """Refuse documents whose ID is in use where the maker of the job cannot see it."""
        from rirag.service import loading

        try:
            whole = self._service_for("")
        except IndexUnavailableError:
            return  # the first load makes it
        bound = self._service_for(job.bound)
        held = {one.document_id: one.passages for one in whole.documents()}
        seen = {one.document_id: one.passages for one in bound.documents()}
        found = loading.structure(paths, document_id=document_id)
        for document in found.documents:
            name = document.document_id
            if held.get(name, 0) != seen.get(name, 0):
                raise refusal("document.taken", kind="DocumentID", name=name)
        ids = [passage.id for passage in found.passages()]
        mine = {one.id for one in bound.passages({"id": ids})} if ids else set()
        for one in whole.passages({"id": ids}) if ids else ():
            if one.id not in mine:
                raise refusal("document.taken", kind="ID", name=one.id)


def _by_file(service: Service, job: Job, told: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what became of each upload, files of an archive included."""
    loaded = [*told["added"], *told["changed"], *told["unchanged"]]
    passages = service.passages({"document_id": loaded}) if loaded else []
    counts = Counter(upload_of(passage.source) for passage in passages)
    unread = [f"{one['path']}: {one['reason']}" for one in told["skipped"]]

    def about(name: str, what: str, *fields: str) -> list[dict[str, Any]]:
        found = (one for one in told[what] if upload_of(one["source"]) == name)
        return [{field: one[field] for field in fields} for one in found]

    return [
        {
            **one,
            "read": counts[one["name"]] > 0,
            "passages": counts[one["name"]],
            "left_out": about(one["name"], "left_out", "reason", "pieces", "words"),
            "warnings": [
                *about(one["name"], "warnings", "kind", "message", "source"),
                *(
                    {"kind": "guess", "message": guess, "source": one["name"]}
                    for guess in messages_about(one["name"], told["guesses"])
                ),
            ],
            "refused": messages_about(one["name"], [*told["refused"], *unread]),
        }
        for one in job.files
    ]


def messages_about(name: str, messages: Iterable[str]) -> list[str]:
    """Return the messages about an upload, or about a file in it."""
    return [one for one in messages if upload_of(one) == name or one.startswith(f"{name} ")]
